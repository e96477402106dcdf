"""The teams of a game, known before a match."""

from importlib.resources import files

import pytest

from engine import GAMES, AnyGame, Setup
from engine.recycle import load
from server.games.teams import Teams, teams_of


@pytest.mark.parametrize(
    ("id", "pairs"), [("spades", ((0, 2), (1, 3))), ("hearts", ()), ("schnapsen", ())]
)
def test_partners_of_games(id: str, pairs: Teams) -> None:
    """Spades has two teams of two, and other games none."""
    assert teams_of(GAMES.game(id)) == pairs


def test_partners_of_a_description() -> None:
    """The teams of a described game are those in its file."""
    text = files("engine.recycle.games").joinpath("Klaverjassen4.rcy").read_text()
    assert teams_of(load(text, "Klaverjassen4")) == ((0, 2), (1, 3))


def test_a_game_that_cannot_be_dealt_has_none() -> None:
    """A game whose deal raises has no teams, and the list is answered."""

    class Broken:
        """A game whose rules raise."""

        info = GAMES.game("spades").info

        def options(self, seats: int) -> tuple[()]:
            return ()

        def start(self, setup: Setup) -> None:
            raise KeyError(setup.seats)

    broken: AnyGame = Broken()  # type: ignore[assignment]
    assert teams_of(broken) == ()
