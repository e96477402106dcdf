"""Changed and invented descriptions neither crash nor hang the program, nor reveal secrets.

Our games are changed at random, others are invented, and what comes out is checked, loaded and
played. Most changes make a mistake that is reported; the others make games that nobody has thought
of. `make fuzz` does this for as long as one likes.
"""

from random import Random
from time import process_time

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from engine.recycle import BadDescription, load
from engine.recycle.checking import check
from engine.recycle.games import names
from engine.recycle.problems import Code
from engine.recycle.reading.parser import parse
from tests.counts import NIGHT, count
from tests.engine.recycle.games.inventing import invented
from tests.engine.recycle.games.mutating import mutated
from tests.engine.recycle.games.secrets import play_watched

# By night some thousand games are looked at; what one may take is asked of each.
pytestmark = [pytest.mark.no_cover, pytest.mark.timeout(900)]

LOOKS = count(600 if NIGHT else 60)
INVENTIONS = count(400 if NIGHT else 40)
PATIENCE = 30.0
"""Seconds of work that a short game may take at the very most, on a machine under load."""


@settings(max_examples=LOOKS, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(names()),
    other=st.sampled_from(names()),
    times=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)
def test_a_changed_game_does_no_harm(name: str, other: str, times: int, seed: int) -> None:
    """A mutated game is refused with reasons, or can be played and keeps its secrets."""
    begun = process_time()
    text = mutated(name, Random(seed), times, other)
    look_at(text, name, Random(seed))
    assert process_time() - begun < PATIENCE


@settings(max_examples=INVENTIONS, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_an_invented_game_does_no_harm(seed: int) -> None:
    """An invented description is refused with reasons, or can be played and keeps its secrets."""
    begun, rng = process_time(), Random(seed)
    look_at(invented(rng), "Invented", rng)
    assert process_time() - begun < PATIENCE


def test_most_inventions_can_be_played() -> None:
    """Most invented descriptions can be played."""
    played = [seed for seed in range(30) if not errors(invented(Random(seed)))]
    assert len(played) > 25


def look_at(text: str, name: str, rng: Random) -> None:
    """Check, load and play a description."""
    problems = check(parse(text))
    try:
        game = load(text, name)
    except BadDescription:
        event("refused")
        return
    assert not errors(text), "an error that does not keep it from play"
    event("played")
    codes = {problem.code for problem in problems}
    play_watched(game, rng, Code.HIDDEN_READ not in codes, Code.DRAWN_OPTIONS in codes)


def errors(text: str) -> list[str]:
    return [str(problem) for problem in check(parse(text)) if not problem.warning]
