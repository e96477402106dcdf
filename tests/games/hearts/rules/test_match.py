"""Matches of Hearts: their options and how they end."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Match, MatchState, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import random_action
from engine.errors import BadOption, BadSetup
from engine.games.hearts import Hearts, State
from tests.counts import count

MATCH = Match(Hearts())


def played(seed: int, **options: object) -> list[MatchState[State]]:
    """The states of a match of random moves."""
    rng = Random(seed)
    chosen = complete_options(MATCH, 4, options)
    states = [MATCH.start(Setup(4, chosen, Shuffler(seed_from_int(seed)))).state]
    while asked := MATCH.to_act(states[-1]):
        action = random_action(MATCH.choices(states[-1], asked[0]), rng)
        states.append(MATCH.apply(states[-1], asked[0], action).state)
    return states


def test_the_passes_go_round() -> None:
    """The direction of passing goes left, right, across, hold, and starts again."""
    states = played(1, target=200)
    directions = {state.number: MATCH.view(state, -1).values["pass"] for state in states}
    assert len(directions) > 8
    for number, direction in directions.items():
        assert direction == ("left", "right", "across", "hold")[number % 4]


@settings(max_examples=count(25))
@given(seed=st.integers(0, 2**32), target=st.integers(1, 200))
def test_a_match_ends_when_somebody_has_reached_the_target(seed: int, target: int) -> None:
    """A match ends after the deal in which a total reaches the target; the lowest wins."""
    states = played(seed, target=target)
    end = states[-1]
    assert max(end.totals) >= target
    before = [sum(scores) for scores in zip(*end.played[:-1], strict=True)]
    assert max(before, default=0) < target
    outcome = MATCH.outcome(end)
    assert outcome is not None
    assert [rank == 1 for rank in outcome.ranks] == [
        total == min(end.totals) for total in end.totals
    ]


@given(seed=st.integers(0, 2**32))
def test_the_recycle_rules_play_one_deal(seed: int) -> None:
    """By the rules `recycle` a match is one deal without passing, led by seat 0."""
    states = played(seed, rules="recycle", target=1000)
    assert len(states) == 53
    assert len(states[-1].played) == 1
    assert MATCH.to_act(states[0]) == (0,)
    view = MATCH.view(states[0], -1)
    assert "pass" not in view.values
    assert not any(zone.startswith("passing") for zone in view.zones)


def test_the_options_and_their_bounds() -> None:
    """Options have listed words, the target is a number from 1 to 1000, and four play."""
    assert complete_options(MATCH, 4, {}) == {
        "rules": "standard",
        "moon": "others",
        "target": 100,
    }
    for wrong in ({"rules": "home"}, {"moon": "all"}, {"target": 0}, {"target": 1001}):
        with pytest.raises(BadOption):
            complete_options(MATCH, 4, wrong)
    for seats in (3, 5):
        with pytest.raises(BadSetup, match="takes 4 players"):
            complete_options(MATCH, seats, {})
