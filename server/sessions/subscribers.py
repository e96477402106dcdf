"""The connections that follow each table, and their messages beside answers to commands.

A subscription belongs to a connection, not to a player.
"""

from collections.abc import Callable, Sequence

from engine.facts import SPECTATOR, Viewer
from protocol.features import LEGENDS, MISSED_CHAT
from protocol.wire_form import WireForm, ok_message
from server.games.legends import legend_of
from server.names import CommandKey
from server.sessions.broadcaster import Broadcaster
from server.sessions.chat_history import NOTHING_HEARD, ChatHistory
from server.sessions.registry import ConnectionRegistry
from server.sessions.snapshot_cache import Snapshots
from server.sessions.spectator_counts import SpectatorCounts
from server.sessions.subscriber import Subscriber
from server.table.table import Table


class Subscribers:
    """The broadcaster of every table that has followers, by the table's code."""

    def __init__(
        self,
        connections: ConnectionRegistry,
        now: Callable[[], float],
        wake: Callable[[float], None],
    ) -> None:
        self._connections = connections
        self._now = now
        self._of: dict[str, Broadcaster] = {}
        self.counts = SpectatorCounts(self.spectators, self.broadcast, now, wake)
        self.chat = ChatHistory(now)
        self._snapshots = Snapshots()

    def __len__(self) -> int:
        return len(self._of)

    def of(self, code: str) -> Broadcaster:
        """Return the connections that follow a table, in one object a table."""
        broadcaster = self._of.get(code)
        if broadcaster is None:
            broadcaster = self._of[code] = Broadcaster(code, self.counts)
        return broadcaster

    def spectators(self, code: str) -> int:
        """Return the number of the table's spectators."""
        return self._of[code].spectators if code in self._of else 0

    def broadcast(self, code: str, message: WireForm) -> None:
        """Send all clients at a table a message outside its sequence."""
        self.of(code).broadcast(message)

    def follow(self, code: str, connection: Subscriber, viewer: Viewer) -> None:
        """Let a connection follow a table as `viewer`, from now on."""
        self.of(code).add(connection, viewer)
        self.chat.follows(code, connection.player.id, viewer)

    def tell_missed(
        self, code: str, connection: Subscriber, heard: Sequence[int] = NOTHING_HEARD
    ) -> None:
        """Send a connection the chat of a table that it follows and has not `heard`.

        Programs that do not send `heard` get all lines, and have to skip those they know.
        """
        viewer = self._of[code].viewer(connection) if code in self._of else None
        if viewer is None or MISSED_CHAT not in connection.features:
            return
        for line in self.chat.missed(
            code, connection.player.id, viewer, connection.features, heard
        ):
            connection.tell(line)

    def send_snapshot(
        self,
        table: Table,
        connection: Subscriber,
        viewer: Viewer,
        answered: CommandKey | None = None,
    ) -> None:
        """Let the connection follow the table, starting with a snapshot.

        The answer to the command that requested it is sent first. If the snapshot cannot be made,
        nothing is sent and nothing changes.
        """
        snapshot = self._snapshots.encoded(
            table,
            viewer,
            connection.codec,
            self._now(),
            connection.features,
            connection.identity.facts,
        )
        legend = legend_of(table.game.info) if LEGENDS in connection.features else None
        self.follow(table.code, connection, viewer)
        if answered is not None:
            answer = ok_message(answered.command, table.code, table.state.seq)
            self._connections.answer(answered, answer)
        if legend is not None and legend.digest not in connection.legends:
            connection.tell(legend.message)
            connection.legends.add(legend.digest)
        connection.tell_encoded(snapshot, passing=False)

    def unsubscribe(self, code: str, connection: Subscriber, reason: str) -> None:
        """Stop sending the table to a connection, and tell the client why."""
        self.of(code).remove(connection)
        self.chat.left(code, connection.player.id)
        try:
            connection.tell({"type": "closed", "table": code, "reason": reason})
        except Exception as error:
            connection.fail(error)

    def unsubscribe_player(self, code: str, player: str | None, reason: str) -> None:
        """Unsubscribe a player who has left the table; None unsubscribes all."""
        for connection, _ in self.of(code):
            if player in (None, connection.player.id):
                self.unsubscribe(code, connection, reason)

    def snapshot_failed(self, table: Table, player: str, error: Exception) -> None:
        """Close a player's connection if their new seat could not be sent, so that it reconnects.

        A spectator who sat down may go on as a spectator.
        """
        seat = table.state.seat_of(player)
        for connection, viewer in self.of(table.code):
            if connection.player.id == player and viewer not in (SPECTATOR, seat):
                self.of(table.code).remove(connection)
                connection.fail(error)

    def fail(self, code: str, error: Exception, player: str | None = None) -> None:
        """Close a player's connections here, or all, which reconnect for lost messages."""
        for connection, _ in self.of(code):
            if player in (None, connection.player.id):
                connection.fail(error)

    def forget(self, code: str) -> None:
        """Forget a table that is not in memory any more."""
        for connection, _ in self.of(code):
            self.of(code).remove(connection)
        del self._of[code]
        self.counts.forget(code)
        self._snapshots.forget(code)
