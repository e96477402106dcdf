"""The addresses of a client's tables: the entry that its user gave, or other nodes."""

from collections import Counter
from collections.abc import Set

from engine.phrases import Phrase
from protocol.safe_text import safe_text
from protocol.same_server import leads_on
from protocol.to_client import Error, TableMoved
from protocol.to_server import MAX_URL

MOST_MOVES = 3
"""How often a table may move before it shows itself; from then on a client takes its time."""


class TablePlaces:
    """The addresses of tables; one that is not known to be elsewhere is at `entry`, the user's.

    Addresses that differ only in a slash at their end are one.
    """

    def __init__(self, entry: str) -> None:
        self.entry = place_of(entry)
        self._entry_url = entry
        self._places: dict[str, str] = {}
        self._moves: Counter[str] = Counter()

    def may_be(self, url: str) -> bool:
        """Whether a client may connect to an address: only its own server may get its token."""
        return len(url) <= MAX_URL and leads_on(self._entry_url, url)

    def of(self, table: str | None) -> str:
        """The address of a table; the entry if `table` is None."""
        return self._places.get(table or "", self.entry)

    def tables_at(self, place: str) -> list[str]:
        """The tables at an address other than the entry."""
        return [table for table, at in self._places.items() if at == place]

    def put(self, table: str, place: str) -> None:
        """Record that a table is at an address."""
        if place == self.entry:
            self._places.pop(table, None)
        else:
            self._places[table] = place

    def moved(self, table: str) -> int:
        """Record a table's move; returns how many moves in a row exceed the limit."""
        self._moves[table] += 1
        return max(0, self._moves[table] - MOST_MOVES)

    def seen(self, table: str) -> None:
        """Record that a table was shown at its address."""
        if self._moves:
            self._moves.pop(table, None)

    def keep(self, tables: Set[str]) -> Set[str]:
        """Forget all other tables; returns the remaining addresses beside the entry."""
        self._places = {table: at for table, at in self._places.items() if table in tables}
        self._moves = Counter({table: n for table, n in self._moves.items() if table in tables})
        return {*self._places.values()}


def leads_away(moved: TableMoved) -> Error:
    """The reason for not following a table to another server, which would get the token."""
    address = safe_text(moved.url)
    return Error(
        id=moved.id,
        code="elsewhere",
        reason=f"the server says that this table is at {address}, which is another server",
        phrase=Phrase("refused_other_server", {"address": address}),
    )


def place_of(url: str) -> str:
    """An address in normalised form, for comparison."""
    return url.rstrip("/")
