"""The games on offer, as a value handed to whoever needs it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.errors import EngineError
from engine.game import Game, GameInfo
from engine.games import BlackQueen, Hearts, Schnapsen, Whist
from engine.match import Match


class UnknownGame(EngineError):
    code = "unknown_game"


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
        try:
            return self._by_id[id]
        except KeyError:
            known = ", ".join(self._by_id)
            raise UnknownGame(f"no game {id!r}; this server has {known}") from None


GAMES = Catalogue((Match(BlackQueen()), Match(Whist()), Match(Schnapsen()), Match(Hearts())))
"""The games that ship with the program."""
