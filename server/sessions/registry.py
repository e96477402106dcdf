"""The connection registry: the connected players, and the commands without an answer yet."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain
from secrets import token_bytes

import structlog

from protocol.errors import ProtocolError
from protocol.to_server import Sync, ToServer
from protocol.version import CLOSE_REFUSED
from protocol.wire_form import WireForm
from server.names import CommandKey
from server.ops.access_log import AccessLog
from server.ops.isolation import isolated
from server.refusals import refused, reworded
from server.sessions.connection import Connection, Outboxes
from server.sessions.session import SessionIdentity
from server.sessions.slow_readers import SlowReaders
from server.sessions.subscriber import Subscriber

log = structlog.get_logger()

MOST_OF_A_PLAYER = 8
"""Connections that one player has at once; one more takes the place of the oldest."""
MOST_READS = 64
"""Commands of one connection that change nothing and wait for their answer: of more the oldest is
forgotten, as it was never answered."""

TRANSIENT = frozenset({"rate_limited", "try_again", "draining", "internal"})
"""Errors that are no final answer to a command: it may be sent again under its id."""


class ConnectionRegistry:
    """The connections of each player, the newest last.

    A new connection replaces those that cannot stand beside it (`SessionIdentity.excludes`).

    `count` is called with the type of every command that was answered, its result, and the seconds
    it took. `now` gives server time.
    """

    def __init__(
        self,
        slow_readers: SlowReaders,
        count: Callable[[str, str, float], None],
        now: Callable[[], float],
    ) -> None:
        self.access_log = AccessLog()
        self.outboxes = Outboxes()
        self._slow_readers = slow_readers
        self._count = count
        # Bound once: every answer passes by here, mostly to be filtered out.
        self._log = log.bind()
        self._now = now
        # Never stored, so that nothing tells an address from what stands for it.
        self._secret = token_bytes(32)
        self._online: dict[str, tuple[Connection, ...]] = {}
        self._in_handshake: dict[str, tuple[tuple[Connection, SessionIdentity], ...]] = {}
        # With each command when it arrived.
        self._pending: dict[CommandKey, tuple[ToServer, float]] = {}
        # By connection, as their answers come by that alone.
        self._reads: dict[Connection, dict[CommandKey, tuple[ToServer, float]]] = {}

    # Who is there

    def __len__(self) -> int:
        return sum(map(len, self._online.values()))

    def __iter__(self) -> Iterator[Connection]:
        return chain.from_iterable(tuple(self._online.values()))

    def __contains__(self, connection: Subscriber) -> bool:
        return connection in self.of(connection.player.id)

    def of(self, player: str) -> tuple[Connection, ...]:
        """Return the connections on which a player was welcomed, the newest last."""
        return self._online.get(player, ())

    def newest(self, player: str) -> Connection | None:
        """Return the newest connection of a player; None if there is none."""
        online = self.of(player)
        return online[-1] if online else None

    def is_here(self, player: str) -> bool:
        """Whether a player is connected, or about to be."""
        return bool(self._online.get(player) or self._in_handshake.get(player))

    def origins_of(self, player: str) -> set[str]:
        """Return keys for a player's addresses, which do not reveal them."""
        return {
            blake2b(each.address.encode(), key=self._secret, digest_size=8).hexdigest()
            for each in self.of(player)
        }

    def begin_handshake(
        self, connection: Connection, identity: SessionIdentity
    ) -> list[Connection]:
        """Begin a handshake with a token on `connection`; return the connections that it replaces.

        Handshakes that cannot stand beside this one will not be welcomed (`may_enter`).
        """
        player = identity.player.id
        before = self._in_handshake.get(player, ())
        left = tuple(each for each in before if not identity.excludes(each[1]))
        self._in_handshake[player] = (*left, (connection, identity))
        return self.replaced_by(identity)

    def replaced_by(self, identity: SessionIdentity) -> list[Connection]:
        """Return the connections of a player that `identity` replaces."""
        here = self.of(identity.player.id)
        replaced = [each for each in here if identity.excludes(each.identity)]
        others = [each for each in here if each not in replaced]
        return replaced + others[: max(0, len(others) + 1 - MOST_OF_A_PLAYER)]

    def may_enter(self, player: str, connection: Connection) -> bool:
        """Whether no newer handshake has replaced the one on `connection`."""
        return any(each is connection for each, _ in self._in_handshake.get(player, ()))

    def add(self, connection: Connection, identity: SessionIdentity) -> list[Connection]:
        """Add the connection of a welcomed player; return the connections that it replaces."""
        player = identity.player.id
        before = self.of(player)
        others = [each for each in before if not identity.excludes(each.identity)]
        if others:
            # However many connections a player has, together they may send as much as one.
            connection.session.share(others[-1].session, self._now())
        kept = self._online[player] = (*others, connection)[-MOST_OF_A_PLAYER:]
        return [each for each in before if each not in kept]

    def end_handshake(self, player: str, connection: Connection) -> None:
        """End the handshake on `connection`, whose player was welcomed or not."""
        before = self._in_handshake.pop(player, ())
        if left := tuple(each for each in before if each[0] is not connection):
            self._in_handshake[player] = left

    def remove(self, connection: Connection) -> bool:
        """Forget a closed connection; return whether its player has another one."""
        self._reads.pop(connection, None)
        player = connection.player.id
        left = tuple(each for each in self.of(player) if each is not connection)
        if left:
            self._online[player] = left
        else:
            self._online.pop(player, None)
        return bool(left)

    def expel(self, player: str, why: ProtocolError, token: str = "") -> None:
        """Close all connections of a player, also unfinished ones, or those with a `token`."""
        told = refused(None, reworded("forbidden", why.reason, why.phrase))
        if token:
            expelled = [each for each in self.of(player) if each.identity.token == token]
        else:
            expelled = [*self.of(player), *(each for each, _ in self._in_handshake.get(player, ()))]
        for connection in expelled:
            if not connection.closing:
                with isolated("closing_failed"):
                    connection.put(told)
                    connection.close(CLOSE_REFUSED, "forbidden")

    # Commands

    def begin(
        self, key: CommandKey, command: ToServer, arrived: float, connection: Connection
    ) -> bool:
        """Record that a command waits for its answer; return False if it already does."""
        if command.reads:
            reads = self._reads.setdefault(connection, {})
            reads[key] = command, arrived
            if len(reads) > MOST_READS:
                del reads[next(iter(reads))]
            return True
        if key in self._pending:
            return False
        self._pending[key] = command, arrived
        return True

    def is_in_vain(self, command: ToServer, connection: Connection) -> bool:
        """Whether the connection of a command that follows something is closed.

        It must not follow anything any more, as that would never end.
        """
        return command.reads and connection not in self

    def highest_pending(self, player: str, client: str) -> int:
        """Return the highest number of a client's commands in progress; 0 without any."""
        return max((k.command for k in self._pending if k[:2] == (player, client)), default=0)

    def count_pending(self, types: Sequence[str], player: str | None = None) -> int:
        """Count the commands of these types in progress, for all players or for one."""
        return sum(
            command.type in types and player in (None, key.player)
            for key, (command, _) in self._pending.items()
        )

    def answer(self, key: CommandKey, message: WireForm) -> None:
        """Answer a command on its client's present connection.

        One that changes nothing is answered on the connection by which it came.
        """
        pending = self._pending.pop(key, None)
        if pending is None:
            self._answer_read(key, message)
            return
        connection = self._of_client(key)
        self.count(pending[0], message.get("code", "ok"), pending[1], connection, key.player)
        if connection is not None:
            self._put_or_fail(connection, message)

    def _answer_read(self, key: CommandKey, message: WireForm) -> None:
        for connection in self.of(key.player):
            reads = self._reads.get(connection, {})
            asked = reads.pop(key, None)
            if asked is None:
                continue
            if not reads:
                del self._reads[connection]
            command, arrived = asked
            result = _result_of(message)
            self.count(command, result, arrived, connection, key.player)
            if isinstance(command, Sync) and result == "ok":
                connection.synced(command.table)
            self._put_or_fail(connection, message)
            return

    def count(
        self,
        command: ToServer,
        result: str,
        arrived: float,
        connection: Connection | None,
        player: str | None,
    ) -> None:
        """Count an answered command, and log it if it was refused, without raising.

        A hello that was refused has no player.
        """
        try:
            self._count(command.type, result, self._now() - arrived)
            if result == "ok":
                self._log.debug("command_answered", message_type=command.type, player=player)
                return
            address = None if connection is None else connection.address
            table: str | None = getattr(command, "table", None)
            self.access_log.command_refused(command.type, result, player, address, table)
        except Exception:
            log.exception("count_failed")

    def charge(self, player: str, price: float) -> None:
        """Take `price` from a player's message limit, for work that was done already."""
        connection = self.newest(player)
        if connection is not None:
            # The others share what it may send.
            connection.session.charge(price, self._now())

    # What is sent

    def notify(self, player: str, message: WireForm) -> None:
        """Send a player a message that no command requested, on all connections."""
        for connection in self.of(player):
            try:
                connection.tell(message)
            except Exception as error:
                connection.fail(error)

    def flush(self) -> None:
        """Send every frame that is ready; clients that cannot keep up become slow readers."""
        outboxes = self.outboxes
        ready, outboxes.ready = outboxes.ready, set()
        for connection in ready:
            try:
                connection.flush()
                behind = connection.falls_behind()
            except Exception as error:
                connection.fail(error)
            else:
                if behind:
                    with isolated("look_failed"):
                        self._slow_readers.add(connection)

    def _of_client(self, key: CommandKey) -> Connection | None:
        """Return the connection of the client that sent a command; None if it is gone."""
        for connection in self.of(key.player):
            if connection.identity.client == key.client:
                return connection
        return None

    def _put_or_fail(self, connection: Connection, message: WireForm) -> None:
        try:
            connection.put(message)
        except Exception as error:
            connection.fail(error)


def _result_of(answer: WireForm) -> str:
    """Return a command's result for the log; only errors may have a `code` to be logged."""
    return str(answer["code"]) if answer["type"] == "error" else "ok"
