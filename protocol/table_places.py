"""Where the tables are that a client follows: at the address that its user gave, or elsewhere."""

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
    """`entry` is the address that the user gave; a table that is not said to be elsewhere is there.

    Addresses that differ only in a slash at their end are one.
    """

    def __init__(self, entry: str) -> None:
        self.entry = place_of(entry)
        self._entry_url = entry
        self._places: dict[str, str] = {}
        self._moves: Counter[str] = Counter()

    def may_be(self, url: str) -> bool:
        """Whether a client may go there: only to its own server, lest others get its token."""
        return len(url) <= MAX_URL and leads_on(self._entry_url, url)

    def of(self, table: str | None) -> str:
        """Where a table is; the entry for None, which is no table."""
        return self._places.get(table or "", self.entry)

    def tables_at(self, place: str) -> list[str]:
        """The tables at a place other than the entry."""
        return [table for table, at in self._places.items() if at == place]

    def put(self, table: str, place: str) -> None:
        """A table is at a place now."""
        if place == self.entry:
            self._places.pop(table, None)
        else:
            self._places[table] = place

    def moved(self, table: str) -> int:
        """Note that a table is said to be elsewhere; how often too often that was in a row."""
        self._moves[table] += 1
        return max(0, self._moves[table] - MOST_MOVES)

    def seen(self, table: str) -> None:
        """A table has shown itself where it is."""
        if self._moves:
            self._moves.pop(table, None)

    def keep(self, tables: Set[str]) -> Set[str]:
        """Forget all other tables; the places that are left beside the entry."""
        self._places = {table: at for table, at in self._places.items() if table in tables}
        self._moves = Counter({table: n for table, n in self._moves.items() if table in tables})
        return {*self._places.values()}


def leads_away(moved: TableMoved) -> Error:
    """Why a table is not followed to another server: that would get the client's token."""
    address = safe_text(moved.url)
    return Error(
        id=moved.id,
        code="elsewhere",
        reason=f"the server says that this table is at {address}, which is another server",
        phrase=Phrase("refused_other_server", {"address": address}),
    )


def place_of(url: str) -> str:
    """An address in the form in which it is compared."""
    return url.rstrip("/")
