"""The suite can fail: games that leak or break another promise on purpose are caught."""

from typing import Any

import pytest

from engine.errors import EngineError
from tests.conformance.checks import CHECKS, Check
from tests.conformance.faults import Faults
from tests.conformance.secrets import Leak, check_secrets
from tests.games.catalogue import BROKEN

LEAKS = [
    pytest.param(faults, variant, id=f"{game}-{variant.__name__}")
    for game, faults in BROKEN.items()
    for variant in faults.leaky
]
OTHERS = [
    pytest.param(faults, check, variant, id=f"{game}-{check.__name__}-{variant.__name__}")
    for game, faults in BROKEN.items()
    for check, variant in faults.faulty
]


@pytest.mark.parametrize(("faults", "leaky"), LEAKS)
def test_two_worlds_betray_every_leak(faults: Faults, leaky: type[Any]) -> None:
    """Whatever way a secret takes out of a game, some pair of worlds shows it."""
    with pytest.raises(Leak):
        faults.run(check_secrets, leaky)


@pytest.mark.parametrize(("faults", "check", "faulty"), OTHERS)
def test_every_other_check_can_fail(faults: Faults, check: Check, faulty: type[Any]) -> None:
    """Each check notices a game that breaks its promise."""
    with pytest.raises((AssertionError, EngineError)):
        faults.run(check, faulty)


def test_no_check_and_no_game_is_left_out() -> None:
    """Every game has variants that leak, and every check notices a variant of some game."""
    assert all(faults.leaky for faults in BROKEN.values())
    noticed = {check for faults in BROKEN.values() for check, _ in faults.faulty}
    assert noticed | {check_secrets} == set(CHECKS)
