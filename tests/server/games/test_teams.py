"""The teams of a game, known before a match."""

from importlib.resources import files

import pytest

from engine import GAMES, AnyGame, Setup
from engine.recycle import load
from server.games import teams
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


def test_a_game_is_dealt_once_for_its_teams(monkeypatch: pytest.MonkeyPatch) -> None:
    """The teams of a game are computed once and cached."""
    dealt: list[str] = []

    def deal(game: AnyGame) -> Teams:
        dealt.append(game.info.id)
        return ()

    monkeypatch.setattr(teams, "teams_of", deal)
    monkeypatch.setattr(teams, "_MOST", 1)
    known = teams.KnownTeams()
    for id in ("spades", "spades", "hearts", "spades"):
        assert known.of(GAMES.game(id)) == ()
    assert dealt == ["spades", "hearts", "spades"]
