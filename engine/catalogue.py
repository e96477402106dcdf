"""The games on offer, as a value handed to whoever needs it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from typing import Any

from engine.errors import EngineError
from engine.game import Game, GameInfo
from engine.match import Match

TOLD = 12
"""Names of games that an error lists."""


class UnknownGame(EngineError):
    """No game of the catalogue has this id; the message lists some that exist."""

    code = "unknown_game"


def unknown_game(id: str, names: Sequence[str]) -> UnknownGame:
    """The error for an unknown `id`, with a suggestion and the known games."""
    more = len(names) - TOLD
    listed = ", ".join(names[:TOLD]) + (f" and {more} more" if more > 0 else "")
    near = get_close_matches(id, names, n=1)
    meant = f" (did you mean {near[0]}?)" if near else ""
    return UnknownGame(f"there is no game {id!r}{meant}; there are {listed}")


# A catalogue holds games with different states; each is only ever given its own.
AnyGame = Game[Any]


@dataclass(frozen=True)
class Catalogue:
    """Matches of games by id."""

    games: tuple[AnyGame, ...]

    @cached_property
    def _by_id(self) -> dict[str, AnyGame]:
        return {game.info.id: game for game in self.games}

    def __iter__(self) -> Iterator[GameInfo]:
        return (game.info for game in self.games)

    def game(self, id: str) -> AnyGame:
        """The game with this id; `UnknownGame` if the catalogue has none."""
        try:
            return self._by_id[id]
        except KeyError:
            raise unknown_game(id, tuple(self._by_id)) from None


SHIPPED = (
    "black_queen",
    "whist",
    "schnapsen",
    "hearts",
    "spades",
)
"""Ids of the games that ship with the program, in the order of a lobby: folders in `engine/games`.

Each folder is a package whose `GAME` is the game of that id.
"""

GAMES = Catalogue(tuple(Match(import_module(f"engine.games.{id}").GAME) for id in SHIPPED))
"""The games that ship with the program."""
