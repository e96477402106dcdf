"""From where the players of a table come, so that who was removed does not come back as another.

An origin stands for an address and does not tell it (`ConnectionRegistry.origins_of`). All of this
is kept in memory only: it is no part of the log, and gone when the table leaves memory.
"""

from collections.abc import Callable, Collection

from server.table.entries import Body, Left, Seated
from server.table.state import TableState


class PlayerOrigins:
    """Those of one table. `of` tells the origins of a player's connections now."""

    def __init__(self, of: Callable[[str], Collection[str]]) -> None:
        self.of = of
        # By player who has sat here.
        self._known: dict[str, set[str]] = {}
        self._removed: set[str] = set()

    def note(self, player: str) -> None:
        """Note from where a player who sits here is connected."""
        self._known.setdefault(player, set()).update(self.of(player))

    def follow(self, before: TableState, body: Body) -> None:
        """Note who has sat down, and from where somebody was removed."""
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
        """Whether a player who has not sat here comes from where somebody removed came from."""
        return player not in self._known and not self._removed.isdisjoint(self.of(player))
