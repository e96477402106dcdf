"""A client's picture of the list of public tables that it follows."""

from dataclasses import dataclass

from protocol.to_client import Lobby, TableInfo


@dataclass(frozen=True, slots=True)
class LobbyMirror:
    """The tables that match the filters, in order, and whether there are `more`."""

    tables: tuple[TableInfo, ...] = ()
    more: bool = False

    def follow(self, told: Lobby) -> "LobbyMirror":
        """The list after a message; a table that could not be read is left out."""
        rows = {row.table: row for row in (*self.tables, *told.tables)}
        order = [row.table for row in self.tables] if told.order is None else told.order
        return LobbyMirror(tuple(rows[code] for code in order if code in rows), told.more)
