"""The suite fails for Hearts where it should: each hole and each fault is caught."""

from functools import cache
from random import Random

import pytest
from hypothesis import Phase, given, settings

from engine import Setup
from engine.errors import EngineError
from engine.games.hearts import Hearts
from tests.conformance.checks import (
    Check,
    check_conserved,
    check_folds,
    check_offered,
    check_play_ends,
    check_replay,
    check_sample,
    check_sights,
)
from tests.conformance.hearts import hearts, setups
from tests.conformance.hearts_broken import (
    ChattyRefusal,
    ForgetsGifts,
    ForgetsLead,
    ForgetsPlay,
    Gambler,
    Impatient,
    LoudExchange,
    OpenPasses,
    Pickpocket,
    ShownHand,
    Sluggard,
    Soft,
    Unsorted,
    Whisper,
)
from tests.conformance.secrets import Leak, check_secrets

MATCHES = 60
"""From each setup, so that something is seen of the few moves in which cards are passed."""


@cache
def some_setups() -> tuple[Setup, ...]:
    """A few dozen setups, always the same."""
    drawn = []

    @settings(max_examples=60, derandomize=True, database=None, phases=[Phase.generate])
    @given(setups())
    def draw(setup: Setup) -> None:
        drawn.append(setup)

    draw()
    return tuple(drawn)


def run(check: Check, game: Hearts) -> None:
    """The check, on many matches of `game` from each of the setups."""
    subject = hearts(game)
    for number in range(MATCHES):
        for setup in some_setups():
            check(subject, setup, Random(number))


@pytest.mark.parametrize(
    "leaky", [OpenPasses, Whisper, LoudExchange, Impatient, ChattyRefusal, ShownHand]
)
def test_two_worlds_betray_every_leak(leaky: type[Hearts]) -> None:
    """Whatever way a passed card takes out of the game, some pair of worlds shows it."""
    with pytest.raises(Leak):
        run(check_secrets, leaky())


@pytest.mark.parametrize(
    ("check", "broken"),
    [
        (check_play_ends, Sluggard),
        (check_conserved, Pickpocket),
        (check_replay, Gambler),
        (check_offered, Soft),
        (check_folds, Unsorted),
        (check_sights, OpenPasses),
        (check_sights, ShownHand),
        (check_sample, ForgetsGifts),
        (check_sample, ForgetsPlay),
        (check_sample, ForgetsLead),
    ],
)
def test_every_other_check_can_fail(check: Check, broken: type[Hearts]) -> None:
    """Each check notices a game that breaks its promise."""
    with pytest.raises((AssertionError, EngineError)):
        run(check, broken())
