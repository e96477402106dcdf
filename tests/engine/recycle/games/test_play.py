"""Our games can be played: nothing to complain of, and random play comes to an end."""

import pytest

from engine.recycle.checking import check
from engine.recycle.games import description, names
from engine.recycle.reading.parser import parse
from tests.counts import count
from tests.engine.recycle.games.playing import game, played


@pytest.mark.parametrize("name", names())
def test_there_is_nothing_to_complain_of(name: str) -> None:
    """The checker finds neither errors nor anything to warn of, hidden cards included."""
    assert check(parse(description(name))) == ()


@pytest.mark.parametrize("name", names())
def test_random_games_come_to_their_end(name: str) -> None:
    """Every random game ends by its rules, with a score for everybody."""
    for seed in range(count(100)):
        assert len(played(name, seed).scores) == game(name).info.usual_seats
