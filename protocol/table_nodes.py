"""The nodes of a session's tables, and what the session does when tables move.

A `moved`, or a node that cannot be reached, shows that a table has moved. Its commands are sent to
its node. A followed table gets a new snapshot there: by the `hello` of a new connection, or by an
own `watch` on an open one.
"""

from protocol.client_events import ClientEvent, Disconnected, Reconnected, Welcomed
from protocol.commands import Commands, table_of
from protocol.followed_tables import FollowedTables
from protocol.node_connection import NodeConnection
from protocol.own_questions import OwnQuestions
from protocol.table_places import place_of
from protocol.to_client import (
    ChatNotice,
    Closed,
    Event,
    Notice,
    Presence,
    Snapshot,
    TableMoved,
    ToClient,
    Unchanged,
    Welcome,
)
from protocol.to_server import Sync, Watch

SECONDS_BETWEEN_MOVES = 1.0
"""How long to wait before a table is followed further that goes to and fro between nodes."""


class TableNodes:
    """Where the session's tables are; `requested` are those with a pending request to join."""

    def __init__(self, commands: Commands, followed: FollowedTables, own: OwnQuestions) -> None:
        self.requested: set[str] = set()
        self._commands = commands
        self._own = own
        self._followed = followed
        # Tables elsewhere where we have a seat, and have not seen yet.
        self._expected: set[str] = set()
        # Tables that cannot be reached, as our owner knows; "" stands for the server as a whole.
        self._cut: set[str] = set()
        # Whether a request has ended with a connection.
        self._withdrawn = False

    def seen_at(self, at: NodeConnection) -> list[str]:
        """The tables of a connection that the session sees, or will see because it sits there."""
        tables = (*self._followed.mirrors, *self._expected)
        return [table for table in tables if self._commands.node_of(table) is at]

    def close(self, table: str, reason: str) -> list[ClientEvent]:
        """Drop a table at which the session has no place any more."""
        self._expected.discard(table)
        self.requested.discard(table)
        self._own.forget_table(table)
        return self._followed.close(table, reason)

    def tidy(self) -> None:
        """Drop connections to nodes that have nothing for the session any more."""
        if self._commands.others:
            self._commands.keep({*self._followed.mirrors, *self._expected, *self.requested})

    # What is heard

    def shown(self, table: str, at: NodeConnection) -> None:
        """Record that a table was shown on a connection."""
        at.signs += 1
        self._commands.places.seen(table)
        self._expected.discard(table)

    def is_stray(self, message: ToClient, at: NodeConnection) -> bool:
        """Whether a message is about a table at another node, or comes from several nodes.

        A snapshot that is as new as the mirror shows where the table is.
        """
        match message:
            case Snapshot(table=table, seq=seq) if self._commands.node_of(table) is not at:
                mirror = self._followed.mirrors.get(table)
                if mirror is not None:
                    # From a node that is connected, too, only something newer is believed.
                    newer = seq > mirror.seq or not self._commands.node_of(table).online
                    if seq < mirror.seq or not newer:
                        return True
                self.go(table, at.url, shown=True)
            case Event() | ChatNotice() | Presence() | Unchanged() | Closed():
                return self._commands.node_of(message.table) is not at
            case Notice(table=str()):
                return self._commands.node_of(message.table) is not at
            case Notice() if message.kind != "replaced":
                online = (each for each in self._commands if each.online)
                return at is not next(online, self._commands.first)
            case _:
                pass
        return False

    def moved(self, table: str, moved: TableMoved) -> list[ClientEvent]:
        """Follow a table that has moved, and send the command that asked for it there."""
        if moved.id in self._commands.to_first:
            self._commands.places.seen(table)
        if moved.id is None and table not in self._followed.mirrors:
            self._expected.add(table)
        return self.go(table, moved.url, self._commands.places.moved(table))

    def is_stale(self, table: str, moved: TableMoved, at: NodeConnection) -> bool:
        """Whether another connection knows better than this message where the table is."""
        if moved.id is not None:
            # It is settled, or was sent elsewhere since.
            return not self._commands.was_sent(moved.id, at)
        now = self._commands.node_of(table)
        return now is not at and now.online

    def go(self, table: str, url: str, often: int = 0, *, shown: bool = False) -> list[ClientEvent]:
        """Follow a table to an address, unless it is `shown` there already.

        Its commands are sent there, at once unless the table moved too `often` in a row.
        """
        commands = self._commands
        self._own.forget_table(table)
        self._followed.disconnected((table,))
        at = commands.go(table, url, often)
        if at.greeting:
            at.arrived.add(table)
        if not at.online:
            return []
        waiting = commands.waiting_for(table)
        if not shown and table in self.seen_at(at):
            waiting = [self._own.new(Watch, table=table), *waiting]
        if not often:
            commands.send(*waiting)
            return []
        reason = "the table goes to and fro between nodes of the server"
        return [commands.put_off(each, reason, SECONDS_BETWEEN_MOVES) for each in waiting]

    def answered(
        self, command: Watch | Sync, at: NodeConnection, reason: str | None
    ) -> list[ClientEvent]:
        """Handle the answer to an own command: a snapshot, or with a `reason` the lost place."""
        search = self._own.is_search(command)
        self._own.forget(command)
        told = self.close(command.table, reason) if reason else []
        if search:
            self.go(command.table, at.url, shown=True)
        return told

    # What becomes of connections

    def first_is_at(self, url: str | None) -> None:
        """Note that the first connection leads to the node of this address, and serves its tables.

        The node keeps the newer of the two connections. A request to join ends with the other.
        """
        first, places = self._commands.first, self._commands.places
        first.node = None if url is None else place_of(url)
        other = self._commands.others.get(first.node or "")
        if other is not None:
            self.requested.difference_update(self._tables_at(other))
            for table in places.tables_at(place_of(other.url)):
                self.go(table, first.url)

    def disconnected(self, at: NodeConnection) -> None:
        """Handle a lost connection: own commands sent on it are sent anew if needed."""
        tables = self._tables_at(at)
        self._own.disconnected(at)
        self._commands.close(at)
        self.requested.difference_update(tables)
        self._followed.disconnected(tables)

    def lost(self, reason: str, at: NodeConnection) -> list[ClientEvent]:
        """The client events of a connection that broke by itself."""
        tables = self._tables_at(at)
        self._withdrawn = self._withdrawn or not self.requested.isdisjoint(tables)
        self.disconnected(at)
        if not tables and self._commands.others:
            # All that we follow is elsewhere.
            return []
        told: list[ClientEvent] = [] if self._cut else [Disconnected(reason)]
        self._cut.update(tables or ("",))
        self.tidy()
        return told

    def unreachable(self, at: NodeConnection, *, named: bool) -> None:
        """Ask the first connection where a lost node's tables are, naming the node if `named`."""
        commands, seen = self._commands, set(self.seen_at(at))
        at.unreachable = True
        for table in seen:
            self._own.search(table, at.url if named else None)
        for table in {table_of(command) or "" for command in commands.waiting_at(at)} - seen:
            self.go(table, commands.first.url)
        self.tidy()

    def welcomed(self, at: NodeConnection) -> list[ClientEvent]:
        """Send a node that has welcomed the session its commands, and ask for its new tables."""
        commands = self._commands
        if at is not commands.first:
            self._own.found(at)
        waiting = commands.waiting_at(at)
        for table in at.arrived.intersection(self.seen_at(at)):
            self._own.ask(Watch, table=table)
        at.arrived.clear()
        commands.send(*waiting)
        left_out = [table for table in at.left_out if commands.node_of(table) is at]
        # The server sends no word of them any more, unless we sit there; then they come anew.
        return [event for table in left_out for event in self.close(table, "not_resumed")]

    def give_way(self, at: NodeConnection) -> None:
        """Handle that the node closed a connection because the session connected to it again.

        Perhaps the first connection leads there, which its welcome will tell. If not, this
        connection is opened again at once.
        """
        at.given_way = True
        if at is not self._commands.first and self._commands.first.greeting:
            for table in self._tables_at(at):
                self.go(table, self._commands.first.url)

    def restored(self, events: list[ClientEvent], welcome: Welcome | None) -> list[ClientEvent]:
        """`events`, after the news that everything is back, if the owner believes it lost.

        The last `welcome` is added if a request to join on a lost connection must be made again.
        """
        node_of = self._commands.node_of
        if not self._cut or not all(node_of(table).online for table in self._cut):
            return events
        self._cut.clear()
        told: list[ClientEvent] = [Reconnected()]
        if self._withdrawn and not any(isinstance(event, Welcomed) for event in events):
            assert welcome is not None
            told.append(Welcomed(welcome))
        self._withdrawn = False
        return [*told, *events]

    def _tables_at(self, at: NodeConnection) -> list[str]:
        """The tables that the session sees on a connection, and those with a join request there."""
        asked = [table for table in self.requested if self._commands.node_of(table) is at]
        return [*self.seen_at(at), *asked]
