"""The connection registry: who is connected, and which commands still wait for their answer."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import structlog

from protocol.to_server import Sync, ToServer
from protocol.wire_form import WireForm
from server.connections.connection import Connection
from server.connections.session import Identity
from server.connections.watched import NOTED, Watched
from server.crossing.bans import Bans
from server.crossing.names import MOST_OF_A_PLAYER, READS, TRANSIENT, Key
from server.ops.access_log import AccessLog
from server.shares import Lack

log = structlog.get_logger()

MOST_READS = 64
"""Commands of one connection that change nothing and wait for their answer: of more the oldest is
forgotten, as it was never answered."""

_NOTED_OR_READ = NOTED | READS


class ConnectionRegistry:
    """The connections of each player, the newest last.

    A new connection replaces those that cannot stand beside it (`Identity.excludes`).

    `count` is called with the type of every command that was answered, its result, and the seconds
    it took. `now` gives server time.
    """

    def __init__(self, count: Callable[[str, str, float], None], now: Callable[[], float]) -> None:
        self.bans = Bans()
        self.access_log = AccessLog(now)
        self._count = count
        # Bound once: every answer passes by here, mostly to be filtered out.
        self._log = log.bind()
        self._now = now
        self._online: dict[str, tuple[Connection, ...]] = {}
        self._in_handshake: dict[str, tuple[tuple[Connection, Identity], ...]] = {}
        # With each command when it arrived.
        self._pending: dict[Key, tuple[ToServer, float]] = {}
        # By connection, as their answers come by that alone.
        self._reads: dict[int, dict[Key, tuple[ToServer, float]]] = {}
        self._numbered: dict[int, Connection] = {}
        self._touched: set[Connection] = set()
        self.watched = Watched()
        # Told of each command whose answer is that a host decides about it.
        self.on_asked: Callable[[int, Key, ToServer], None] = _nobody
        # Gives a connection a place, or says what has none left (`server.transport.admission`).
        self.on_admit: Callable[[Connection, bool, Iterable[Connection]], Lack] = _admitted
        # Whether a player has a seat in play; None where that is not known.
        self.plays: Callable[[str], bool] | None = None

    def __len__(self) -> int:
        return sum(map(len, self._online.values()))

    def __iter__(self) -> Iterator[Connection]:
        return chain.from_iterable(tuple(self._online.values()))

    def of(self, player: str) -> tuple[Connection, ...]:
        """The connections on which a player was welcomed, the newest last."""
        return self._online.get(player, ())

    def connection(self, player: str) -> Connection | None:
        """The newest of them; None if there is none."""
        online = self.of(player)
        return online[-1] if online else None

    def everywhere(self, player: str) -> tuple[Connection, ...]:
        """All connections on which a player has shown a token, welcomed or not yet."""
        coming = self._in_handshake.get(player, ())
        return tuple(dict.fromkeys((*self.of(player), *(each for each, _ in coming))))

    def is_here(self, player: str) -> bool:
        """Whether a player is connected, or about to be."""
        return bool(self._online.get(player) or self._in_handshake.get(player))

    def begin_handshake(self, connection: Connection, identity: Identity) -> list[Connection]:
        """A player has shown a token on `connection`; returns older ones that count no more.

        Handshakes that cannot stand beside this one will not be welcomed (`may_enter`).
        """
        player = identity.player.id
        before = self._in_handshake.get(player, ())
        left = tuple(each for each in before if not identity.excludes(each[1]))
        self._in_handshake[player] = (*left, (connection, identity))
        return self.replaced_by(identity)

    def replaced_by(self, identity: Identity) -> list[Connection]:
        """The connections of a player that count no more when they come as `identity`."""
        here = self.of(identity.player.id)
        replaced = [each for each in here if _stands_aside(each, identity)]
        others = [each for each in here if each not in replaced]
        return replaced + others[: max(0, len(others) + 1 - MOST_OF_A_PLAYER)]

    def in_play(self, connection: Connection) -> bool:
        """Whether the player of a connection has a seat in play, as far as is known here."""
        if self.plays is None:
            return bool(self.watched.tables_of(connection.number))
        return self.plays(connection.player)

    def may_enter(self, player: str, connection: Connection) -> bool:
        """Whether no newer handshake has taken the place of the one on `connection`."""
        return any(each is connection for each, _ in self._in_handshake.get(player, ()))

    def add(self, connection: Connection, identity: Identity) -> list[Connection]:
        """A player was welcomed on `connection`; returns older ones that count no more."""
        player = identity.player.id
        before = self.of(player)
        others = [each for each in before if not _stands_aside(each, identity)]
        if others:
            # However many connections a player has, together they may send as much as one.
            connection.session.share(others[-1].session, self._now())
        self._numbered[connection.number] = connection
        kept = self._online[player] = (*others, connection)[-MOST_OF_A_PLAYER:]
        return [each for each in before if each not in kept]

    def end_handshake(self, player: str, connection: Connection) -> None:
        """The handshake on `connection` is over, welcomed or not."""
        before = self._in_handshake.pop(player, ())
        if left := tuple(each for each in before if each[0] is not connection):
            self._in_handshake[player] = left

    def remove(self, player: str, connection: Connection) -> bool:
        """Forget a connection that is closed; whether it was the last one of its player."""
        self.watched.forget(connection.number)
        self._numbered.pop(connection.number, None)
        self._reads.pop(connection.number, None)
        before = self.of(player)
        left = tuple(each for each in before if each is not connection)
        if left:
            self._online[player] = left
        else:
            self._online.pop(player, None)
        return bool(before) and not left

    def welcomed(self) -> list[Connection]:
        """Every connection on which a player was welcomed, the newest last."""
        return list(self._numbered.values())

    def numbered(self, number: int) -> Connection | None:
        """The connection of this number, if it is open and its player was welcomed."""
        return self._numbered.get(number)

    def begin_command(
        self, key: Key, command: ToServer, arrived: float, connection: Connection
    ) -> bool:
        """Note that a command waits for its answer; False if it does already."""
        if type(command) in _NOTED_OR_READ:
            self.watched.note(connection.number, command)
            if type(command) in READS:
                reads = self._reads.setdefault(connection.number, {})
                reads[key] = command, arrived
                if len(reads) > MOST_READS:
                    del reads[next(iter(reads))]
                return True
        if key in self._pending:
            return False
        self._pending[key] = command, arrived
        return True

    def waits(self, number: int, key: Key, command: ToServer) -> bool:
        """Whether a command that came on a connection has no answer yet."""
        if type(command) in READS:
            return key in self._reads.get(number, ())
        return key in self._pending

    def waiting(self) -> list[tuple[int, Key, ToServer]]:
        """All commands that have no answer yet, each with the number of the connection it is for.

        Those whose clients are not connected any more are forgotten.
        """
        waiting = [
            (number, key, command)
            for number, reads in self._reads.items()
            for key, (command, _) in reads.items()
        ]
        for key, (command, _) in tuple(self._pending.items()):
            connection = self.of_client(key)
            if connection is None:
                del self._pending[key]
            else:
                waiting.append((connection.number, key, command))
        return waiting

    def forget(self, key: Key) -> None:
        """Nobody is there any more who could be told the answer to a command."""
        self._pending.pop(key, None)

    def highest_pending(self, player: str, client: str) -> int:
        """The highest number of a client's commands that are being carried out; 0 if none is."""
        return max((k.command for k in self._pending if k[:2] == (player, client)), default=0)

    def answer(self, key: Key, message: WireForm) -> None:
        """Answer a command, on the connection that its client has now."""
        pending = self._pending.pop(key, None)
        if pending is None:
            # It was asked of two nodes, and one has answered.
            return
        connection = self.of_client(key)
        result = message.get("code", "ok")
        self.count(pending[0], result, pending[1], connection, key.player)
        if connection is None:
            return
        # Whether what was asked is still open, only the table can tell.
        if message["type"] == "asked":
            self.on_asked(connection.number, key, pending[0])
        elif result not in TRANSIENT and message["type"] != "moved":
            connection.session.answered(message)
        self._put_or_fail(connection, message)

    def answer_read(self, number: int, key: Key, message: WireForm) -> None:
        """Answer a command that changes nothing, on the connection that it came by."""
        connection = self._numbered.get(number)
        reads = self._reads.get(number, {})
        asked = reads.pop(key, None)
        if not reads:
            self._reads.pop(number, None)
        if connection is None or asked is None:
            return
        command, arrived = asked
        result = _result_of(message)
        self.count(command, result, arrived, connection, key.player)
        if isinstance(command, Sync) and result == "ok":
            connection.synced(command.table)
        self._put_or_fail(connection, message)

    def lose_all(self) -> Iterator[Connection]:
        """Whoever carries commands out has been lost: no answers come; yields everybody."""
        self._pending.clear()
        self._reads.clear()
        yield from tuple(self._numbered.values())

    def count(
        self,
        command: ToServer,
        result: str,
        arrived: float,
        connection: Connection | None,
        player: str | None,
    ) -> None:
        """Count a command that is answered; note and log it if it was refused; nothing is raised.

        A hello that was refused has no player.
        """
        try:
            self._count(command.type, result, self._now() - arrived)
            if result == "ok":
                self._log.debug("command_answered", message_type=command.type, player=player)
                return
            if connection is not None:
                self.watched.refused(connection.number, command, result)
            address = None if connection is None else connection.address
            table: str | None = getattr(command, "table", None)
            self.access_log.command_refused(command.type, result, player, address, table)
        except Exception:
            log.exception("count_failed")

    def charge(self, player: str, price: float) -> None:
        """Take `price` from what a player may send, for something that was done already."""
        connection = self.connection(player)
        if connection is not None:
            # The others share what it may send.
            connection.session.charge(price, self._now())

    def put(self, connection: Connection, message: WireForm) -> None:
        """Add a message to a connection's next frame."""
        connection.put(message)
        self._touched.add(connection)

    def tell(self, numbers: Iterable[int], message: bytes, *, passing: bool) -> list[int]:
        """The same for one that is encoded already, and for these connections.

        Those that read too slowly are left out of one that is `passing`. One that fails at it is
        closed. Returns the numbers that name no connection.
        """
        strangers = []
        for number in numbers:
            connection = self._numbered.get(number)
            if connection is None:
                strangers.append(number)
            elif connection.lagging_since is None or not passing:
                try:
                    connection.put_encoded(message)
                    self._touched.add(connection)
                except Exception as error:
                    connection.fail(error)
        return strangers

    def flush(self) -> Iterator[Connection]:
        """Send every frame that is ready; yields the connections that cannot keep up."""
        touched, self._touched = self._touched, set()
        for connection in touched:
            try:
                connection.flush()
                behind = connection.falls_behind()
            except Exception as error:
                connection.fail(error)
            else:
                if behind:
                    yield connection

    def of_client(self, key: Key) -> Connection | None:
        """The connection of the client that sent a command; None if it is gone."""
        for connection in self._online.get(key.player, ()):
            identity = connection.session.identity
            if identity is not None and identity.client == key.client:
                return connection
        return None

    def _put_or_fail(self, connection: Connection, message: WireForm) -> None:
        try:
            self.put(connection, message)
        except Exception as error:
            connection.fail(error)


def _stands_aside(connection: Connection, newer: Identity) -> bool:
    """Whether a connection counts no more when its player comes as `newer`."""
    identity = connection.session.identity
    return identity is not None and newer.excludes(identity)


def _result_of(answer: WireForm) -> str:
    """How a command ended; answers other than errors may have a `code` that nobody may log."""
    return str(answer["code"]) if answer["type"] == "error" else "ok"


def _nobody(number: int, key: Key, command: ToServer) -> None:
    pass


def _admitted(connection: Connection, seated: bool, replaced: Iterable[Connection]) -> Lack:
    return ""
