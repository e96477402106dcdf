"""Which connections follow which table, and what they are sent beside answers to commands."""

from collections.abc import Callable, Iterator

from engine.facts import SPECTATOR, Viewer
from protocol.features import LEGENDS
from protocol.wire_form import WireForm
from server.connections.connection import Connection
from server.connections.registry import ConnectionRegistry
from server.games.legends import legend_of
from server.table.effects import Publish
from server.table.rules import RulesFailed
from server.table.table import Table
from server.tables.broadcaster import Broadcaster
from server.tables.snapshot_cache import Snapshots
from server.tables.spectator_counts import SpectatorCounts


class Subscribers:
    """The broadcaster of every table that is followed, by the table's code."""

    def __init__(
        self,
        connections: ConnectionRegistry,
        now: Callable[[], float],
        wake: Callable[[float], None],
    ) -> None:
        self._connections = connections
        self._now = now
        self._of: dict[str, Broadcaster] = {}
        self.counts = SpectatorCounts(self, connections, now, wake)
        self._snapshots = Snapshots()

    def __len__(self) -> int:
        return len(self._of)

    def of(self, code: str) -> Broadcaster:
        """The connections that follow a table; there is one such object a table."""
        broadcaster = self._of.get(code)
        if broadcaster is None:
            broadcaster = self._of[code] = Broadcaster(code, self.counts)
        return broadcaster

    def spectators(self, code: str) -> int:
        """How many watch the table."""
        return self._of[code].spectators if code in self._of else 0

    def followed_by(self, connection: Connection) -> Iterator[tuple[str, Viewer]]:
        """The tables that a connection follows, each with its viewer there."""
        for code, broadcaster in tuple(self._of.items()):
            viewer = broadcaster.viewer(connection)
            if viewer is not None:
                yield code, viewer

    def table_of_each(self) -> dict[Connection, str]:
        """For every connection that follows any tables, one of these."""
        return {
            connection: code
            for code, broadcaster in self._of.items()
            for connection, _ in broadcaster
        }

    def publish(self, table: Table, publish: Publish) -> RulesFailed | None:
        """Send new entries to everybody at the table; the failure of its rules, if any."""
        broadcaster = self.of(table.code)
        failure = broadcaster.publish(table, publish, self._now())
        self._connections.touch(broadcaster.connections)
        return failure

    def broadcast(self, code: str, message: WireForm) -> None:
        """Send everybody at a table a message outside its sequence."""
        broadcaster = self.of(code)
        broadcaster.broadcast(message)
        self._connections.touch(broadcaster.connections)

    def send_snapshot(
        self, table: Table, connection: Connection, viewer: Viewer, answer: WireForm | None = None
    ) -> None:
        """Let the connection follow the table, starting with a snapshot.

        The `answer` to the command that asked for it goes first. If the snapshot cannot be made,
        nothing is sent and nothing changes.
        """
        session = connection.session
        snapshot = self._snapshots.encoded(
            table, viewer, session.codec, self._now(), session.features, session.facts
        )
        legend = legend_of(table.game.info) if LEGENDS in session.features else None
        self.of(table.code).add(connection, viewer)
        try:
            if answer is not None:
                self._connections.put(connection, answer)
            if legend is not None and legend.digest not in session.legends:
                connection.put(legend.message)
                session.legends.add(legend.digest)
            connection.put_encoded(snapshot)
            self._connections.touch((connection,))
        except Exception as error:
            connection.fail(error)

    def unsubscribe(self, code: str, connection: Connection, reason: str) -> None:
        """Let the connection no longer follow the table, and tell it why."""
        self.of(code).remove(connection)
        try:
            self._connections.put(connection, {"type": "closed", "table": code, "reason": reason})
        except Exception as error:
            connection.fail(error)

    def unsubscribe_player(self, code: str, player: str | None, reason: str) -> None:
        """Unsubscribe a player who has no place at the table any more; None: everybody."""
        for connection, _ in self.of(code):
            identity = connection.session.identity
            if player is None or (identity and identity.player.id == player):
                self.unsubscribe(code, connection, reason)

    def snapshot_failed(self, table: Table, player: str, error: Exception) -> None:
        """Close a player's connection if their new seat could not be shown, so that it reconnects.

        A spectator who sat down may go on as a spectator.
        """
        seat = table.state.seat_of(player)
        for connection, viewer in self.of(table.code):
            identity = connection.session.identity
            if identity and identity.player.id == player and viewer not in (SPECTATOR, seat):
                self.of(table.code).remove(connection)
                connection.fail(error)

    def fail(self, code: str, error: Exception) -> None:
        """Close all connections at the table: they missed an event and reconnect for it."""
        for connection, _ in self.of(code):
            connection.fail(error)

    def forget(self, code: str) -> None:
        """The table is not in memory any more."""
        self._of.pop(code, None)
        self.counts.forget(code)
        self._snapshots.forget(code)
