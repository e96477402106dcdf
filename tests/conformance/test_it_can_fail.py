"""The suite can fail: games that leak or break another promise on purpose are caught."""

from functools import cache
from random import Random

import pytest
from hypothesis import Phase, given, settings

from engine import Setup
from engine.errors import EngineError
from engine.games.black_queen import BlackQueen
from tests.conformance.black_queen import black_queen, setups
from tests.conformance.checks import (
    Check,
    check_conserved,
    check_folds,
    check_offered,
    check_play_ends,
    check_replay,
    check_sample,
    check_sights,
    check_spectator,
)
from tests.conformance.faulty import Forgetful, Gambler, Pickpocket, Staller
from tests.conformance.leaky import (
    LEAKY,
    HelpfulChoices,
    LoudDealer,
    OpenHand,
    OpenStands,
    Peeker,
)
from tests.conformance.secrets import Leak, check_secrets


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


def run(check: Check, game: BlackQueen) -> None:
    """The check, on a match of `game` from each of the setups."""
    subject = black_queen(game)
    for number, setup in enumerate(some_setups()):
        check(subject, setup, Random(number))


@pytest.mark.parametrize("leaky", LEAKY)
def test_two_worlds_betray_every_leak(leaky: type[BlackQueen]) -> None:
    """Whatever way a secret takes out of a game, some pair of worlds shows it."""
    with pytest.raises(Leak):
        run(check_secrets, leaky())


@pytest.mark.parametrize(
    ("check", "faulty"),
    [
        (check_play_ends, Staller),
        (check_conserved, Pickpocket),
        (check_replay, Gambler),
        (check_offered, HelpfulChoices),
        (check_folds, OpenHand),
        (check_folds, LoudDealer),
        (check_sights, OpenHand),
        (check_sights, Peeker),
        (check_spectator, OpenStands),
        (check_sample, Forgetful),
    ],
)
def test_every_other_check_can_fail(check: Check, faulty: type[BlackQueen]) -> None:
    """Each check notices a game that breaks its promise."""
    with pytest.raises((AssertionError, EngineError)):
        run(check, faulty())
