"""Newcomers: players who never had a seat and want one; their rows are stored with it."""

from collections import OrderedDict
from collections.abc import Iterable

from server.store import PlayerRow
from server.table.entries import Entry, Seated

MOST = 10_000
"""At most so many are kept, the last who asked: a few megabytes."""


class Newcomers:
    """The rows of players who asked for their first seat, by id."""

    def __init__(self) -> None:
        self._rows: OrderedDict[str, PlayerRow] = OrderedDict()

    def __len__(self) -> int:
        return len(self._rows)

    def note(self, row: PlayerRow) -> None:
        """A player without a seat asks for one."""
        self._rows[row.id] = row
        self._rows.move_to_end(row.id)
        if len(self._rows) > MOST:
            self._rows.popitem(last=False)

    def renew(self, row: PlayerRow) -> None:
        """A player without a seat has come in again, perhaps under another name."""
        if row.id in self._rows:
            self._rows[row.id] = row

    def newly_seated(self, entries: Iterable[Entry]) -> tuple[PlayerRow, ...]:
        """The rows, to be written with them, of those who get their first seat by these entries."""
        players = (entry.body.player for entry in entries if isinstance(entry.body, Seated))
        rows = (self._rows.get(player) for player in players)
        return tuple(row._replace(sat=True) for row in rows if row is not None)

    def forget(self, player: str) -> None:
        """A player's row is stored."""
        self._rows.pop(player, None)
