"""The connection registry: who is connected, and which commands still wait for their answer."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import structlog

from protocol.to_server import ToServer
from protocol.wire_form import WireForm
from server.connections.bans import Bans
from server.connections.connection import Connection
from server.connections.guests import Guests
from server.ops.access_log import AccessLog
from server.table.entries import Key

log = structlog.get_logger()

TRANSIENT = frozenset({"rate_limited", "try_again", "draining", "internal"})
"""Errors that do not settle a command: it may be sent again under its id."""


class ConnectionRegistry:
    """At most one connection a player: the newest.

    `count` is called with the type of every command that was answered, its result, and the seconds
    it took. `now` gives server time.
    """

    def __init__(self, count: Callable[[str, str, float], None], now: Callable[[], float]) -> None:
        self.bans = Bans()
        self.guests = Guests()
        self.access_log = AccessLog(now)
        self._count = count
        self._now = now
        self._online: dict[str, Connection] = {}
        self._in_handshake: dict[str, Connection] = {}
        # With each command when it arrived.
        self._pending: dict[Key, tuple[ToServer, float]] = {}
        self._touched: set[Connection] = set()

    def __len__(self) -> int:
        return len(self._online)

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._online.values()))

    def connection(self, player: str) -> Connection | None:
        """The connection of a player who was welcomed; None if there is none."""
        return self._online.get(player)

    def newest(self, player: str) -> Connection | None:
        """The connection that counts: the last one on which the player showed their token."""
        return self._in_handshake.get(player) or self._online.get(player)

    def begin_handshake(self, player: str, connection: Connection) -> None:
        """A player has shown their token on `connection`; no older connection counts any more."""
        self._in_handshake[player] = connection

    def add(self, player: str, connection: Connection) -> None:
        """A player was welcomed on `connection`."""
        self._online[player] = connection

    def end_handshake(self, player: str, connection: Connection) -> None:
        """The handshake on `connection` is over, welcomed or not."""
        if self._in_handshake.get(player) is connection:
            del self._in_handshake[player]

    def remove(self, player: str, connection: Connection) -> bool:
        """Forget a connection that is closed; False if its player has a newer one."""
        if self._online.get(player) is not connection:
            return False
        del self._online[player]
        return True

    def begin_command(self, key: Key, command: ToServer, arrived: float) -> bool:
        """Note that a command is being carried out; False if it is already."""
        if key in self._pending:
            return False
        self._pending[key] = command, arrived
        return True

    def count_pending(self, types: Sequence[str], player: str | None = None) -> int:
        """How many commands of these types are being carried out, for all or for one player."""
        return sum(
            command.type in types and player in (None, key.player)
            for key, (command, _) in self._pending.items()
        )

    def highest_pending(self, player: str, client: str) -> int:
        """The highest number of a client's commands that are being carried out; 0 if none is."""
        return max((k.command for k in self._pending if k[:2] == (player, client)), default=0)

    def answer(self, key: Key, message: WireForm) -> None:
        """Answer a command, on the connection that its client has now."""
        connection = self._online.get(key.player)
        pending = self._pending.pop(key, None)
        if pending is not None:
            self.count(pending[0], message.get("code", "ok"), pending[1], connection, key.player)
        if connection is None:
            return
        identity = connection.session.identity
        if identity is None or identity.client != key.client:
            return
        if message.get("code") not in TRANSIENT:
            connection.session.answered(message)
        self._put_or_fail(connection, message)

    def notify(self, player: str, message: WireForm) -> None:
        """Tell a player something that no command asked for, if they are connected."""
        connection = self._online.get(player)
        if connection is not None:
            self._put_or_fail(connection, message)

    def count(
        self,
        command: ToServer,
        result: str,
        arrived: float,
        connection: Connection | None,
        player: str | None,
    ) -> None:
        """Count a command that is answered, and log it if it was refused; nothing is raised.

        A hello that was refused has no player.
        """
        try:
            self._count(command.type, result, self._now() - arrived)
            if result == "ok":
                return
            address = None if connection is None else connection.address
            table: str | None = getattr(command, "table", None)
            self.access_log.command_refused(command.type, result, player, address, table)
        except Exception:
            log.exception("count_failed")

    def charge(self, player: str, price: float, now: float) -> None:
        """Take `price` from what a player may send, for something that was done already."""
        connection = self._online.get(player)
        if connection is not None:
            connection.session.charge(price, now)

    def put(self, connection: Connection, message: WireForm) -> None:
        """Add a message to a connection's next frame."""
        connection.put(message)
        self._touched.add(connection)

    def touch(self, connections: Iterable[Connection]) -> None:
        """Note that these connections have something in their next frame."""
        self._touched.update(connections)

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

    def _put_or_fail(self, connection: Connection, message: WireForm) -> None:
        try:
            self.put(connection, message)
        except Exception as error:
            connection.fail(error)
