"""The suite fails for Whist where it should: each hole and each fault is caught."""

from functools import cache
from random import Random

import pytest
from hypothesis import Phase, given, settings

from engine import Setup
from engine.errors import EngineError
from engine.games.whist import Whist
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
from tests.conformance.secrets import Leak, check_secrets
from tests.conformance.whist import setups, whist
from tests.conformance.whist_broken import (
    Braggart,
    Drawn,
    Endless,
    Forgetful,
    LooseTongue,
    Omen,
    SeenStock,
    SoftHook,
    StickyBids,
    WiseBids,
)


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


def run(check: Check, game: Whist) -> None:
    """The check, on a match of `game` from each of the setups."""
    subject = whist(game)
    for number, setup in enumerate(some_setups()):
        check(subject, setup, Random(number))


@pytest.mark.parametrize("leaky", [SeenStock, Omen, LooseTongue, WiseBids])
def test_two_worlds_betray_every_leak(leaky: type[Whist]) -> None:
    """Whatever way a card takes out of the game, some pair of worlds shows it."""
    with pytest.raises(Leak):
        run(check_secrets, leaky())


@pytest.mark.parametrize(
    ("check", "broken"),
    [
        (check_play_ends, Endless),
        (check_conserved, Braggart),
        (check_replay, Drawn),
        (check_offered, SoftHook),
        (check_offered, WiseBids),
        (check_folds, StickyBids),
        (check_sights, SeenStock),
        (check_sample, Forgetful),
    ],
)
def test_every_other_check_can_fail(check: Check, broken: type[Whist]) -> None:
    """Each check notices a game that breaks its promise."""
    with pytest.raises((AssertionError, EngineError)):
        run(check, broken())
