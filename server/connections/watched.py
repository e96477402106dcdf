"""What connections watch beside their players' own tables, as far as a gateway has seen it.

A node that is lost can tell nobody who watched its tables, and a player's next node does not know.
"""

from collections.abc import Iterable, Iterator

from protocol.to_server import FollowTables, Leave, ToServer, UnfollowTables, Watch
from server.crossing.names import TRANSIENT

MOST_WATCHED = 32
"""Tables of one connection that are remembered; the oldest is forgotten."""
NOTED = frozenset({Watch, Leave, FollowTables, UnfollowTables})
"""The commands that change it."""


class Watched:
    """By the numbers of connections."""

    def __init__(self) -> None:
        self._tables: dict[int, dict[str, None]] = {}
        self._lists: dict[int, FollowTables] = {}

    def note(self, number: int, command: ToServer) -> None:
        """A connection sends one of `NOTED`; others change nothing."""
        match command:
            case Watch(table=table):
                self.resume(number, (table,))
            case Leave(table=table):
                self.left(number, table)
            case FollowTables():
                self._lists[number] = command
            case UnfollowTables():
                self._lists.pop(number, None)
            case _:
                pass

    def refused(self, number: int, command: ToServer, code: str) -> None:
        """A command of a connection was refused; one that may be sent again changes nothing."""
        match command:
            case Watch(table=table) if code not in TRANSIENT:
                self.left(number, table)
            case Leave(table=table) if code in TRANSIENT:
                # For other reasons there is nothing that it could have left.
                self.resume(number, (table,))
            case _:
                pass

    def resume(self, number: int, tables: Iterable[str]) -> None:
        """A connection watches these tables, or has a seat there."""
        for table in tables:
            own = self._tables.setdefault(number, {})
            own.pop(table, None)
            own[table] = None
            if len(own) > MOST_WATCHED:
                del own[next(iter(own))]

    def left(self, number: int, table: str) -> None:
        """A connection watches a table no more."""
        own = self._tables.get(number, {})
        own.pop(table, None)
        if not own:
            self._tables.pop(number, None)

    def forget(self, number: int) -> None:
        """A connection is closed."""
        self._tables.pop(number, None)
        self._lists.pop(number, None)

    def tables_of(self, number: int) -> tuple[str, ...]:
        """The tables that a connection watches."""
        return tuple(self._tables.get(number, ()))

    def watches(self, number: int, table: str) -> bool:
        """Whether a connection watches a table."""
        return table in self._tables.get(number, ())

    def list_of(self, number: int) -> FollowTables | None:
        """The list of tables that a connection follows, if any."""
        return self._lists.get(number)

    def each(self) -> Iterator[tuple[int, str]]:
        """Every connection with every table that it watches."""
        for number, tables in tuple(self._tables.items()):
            for table in tuple(tables):
                yield number, table
