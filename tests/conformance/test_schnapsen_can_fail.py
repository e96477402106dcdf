"""The suite watches what is peculiar to Schnapsen: a talon, shown cards, forced answers."""

from random import Random

import pytest

from engine import Setup, Shuffler, seed_from_int
from engine.errors import EngineError
from engine.games.schnapsen import Schnapsen
from tests.conformance.checks import Check, check_folds, check_sample, check_sights
from tests.conformance.schnapsen import schnapsen
from tests.conformance.schnapsen_faulty import LEAKY, Discreet, Forgetful, LoudTalon
from tests.conformance.secrets import Leak, check_secrets

MATCHES = 60


def run(check: Check, game: Schnapsen) -> None:
    """The check, on matches of `game` from several seeds."""
    subject = schnapsen(game)
    for number in range(MATCHES):
        check(subject, Setup(2, {}, Shuffler(seed_from_int(number))), Random(number))


@pytest.mark.parametrize("leaky", LEAKY)
def test_two_worlds_betray_every_leak(leaky: type[Schnapsen]) -> None:
    """Whatever way a secret takes out of the game, some pair of worlds shows it."""
    with pytest.raises(Leak):
        run(check_secrets, leaky())


@pytest.mark.parametrize(
    ("check", "faulty"),
    [
        (check_folds, LoudTalon),
        (check_folds, Discreet),
        (check_sights, Discreet),
        (check_sample, Forgetful),
    ],
)
def test_other_faults_are_noticed(check: Check, faulty: type[Schnapsen]) -> None:
    """What was shown stays shown, and what a hand lacks is not dealt to it."""
    with pytest.raises((AssertionError, EngineError)):
        run(check, faulty())
