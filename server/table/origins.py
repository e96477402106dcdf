"""The origins of a table's players, so that a removed player does not return as another.

An origin is a key of an address that does not reveal it (`ConnectionRegistry.origins_of`). Origins
are kept in memory only: they are not in the log, and are gone when the table leaves memory.
"""

from collections.abc import Callable, Collection

from server.table.entries import Body, Left, Seated
from server.table.state import TableState


class PlayerOrigins:
    """The origins at one table. `of` returns the present origins of a player's connections."""

    def __init__(self, of: Callable[[str], Collection[str]]) -> None:
        self.of = of
        # By player who has sat here.
        self._known: dict[str, set[str]] = {}
        self._removed: set[str] = set()

    def note(self, player: str) -> None:
        """Record the origins of a player who sits here."""
        self._known.setdefault(player, set()).update(self.of(player))

    def follow(self, before: TableState, body: Body) -> None:
        """Record new players of seats, and the origins of removed players."""
        match body:
            case Seated(player=player):
                self.note(player)
            case Left(seat=seat, kicked=True):
                player = before.chairs[seat].player
                self.note(player)
                self._removed |= self._known.pop(player)
            case _:
                pass

    def is_suspect(self, player: str) -> bool:
        """Whether a player who has not sat here shares an origin with a removed player."""
        return player not in self._known and not self._removed.isdisjoint(self.of(player))
