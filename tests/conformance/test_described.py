"""Games that are described in files keep the promises of the suite, too."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Setup, Shuffler, seed_from_int
from engine.recycle import load
from tests.conformance.checks import CHECKS, Check
from tests.conformance.described import GAMES, described
from tests.conformance.secrets import Leak, check_secrets
from tests.conformance.subject import Sight, Subject
from tests.counts import count

HEARTS = {
    "stock": Sight.NOBODY,
    "hand": Sight.OWNER,
    "trick": Sight.EVERYBODY,
    "taken": Sight.EVERYBODY,
}
PLAYED = {**HEARTS, "played": Sight.EVERYBODY, "turned": Sight.EVERYBODY}
# Subjects of one kind of state stand beside others in what the checks take.
SUBJECTS: tuple[Subject[Any], ...] = (
    described("Hearts4", HEARTS),
    described("Agram3", PLAYED),
    described("Whist4", PLAYED),
    described("Klaverjassen4", PLAYED),
    described("NinetyEight2", {**PLAYED, "pile": Sight.EVERYBODY}),
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@settings(max_examples=count(3), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_described_game_keeps_its_promises(
    check: Check, subject: Subject[Any], data: st.DataObject, seed: int
) -> None:
    """Each check holds for each game, from any setup and under random play."""
    check(subject, data.draw(subject.setups), Random(seed))


def test_a_description_that_leaks_is_caught() -> None:
    """Hearts whose description tells in public what the next player could follow with."""
    text = (GAMES / "Hearts4.rcy").read_text("utf-8")
    trick = "(end (all player 'P (== (size ('P vloc TRICK)) 1)))"
    spades = "(filter ((2 player) iloc HAND) 'C (== (cardatt SUIT 'C) SPADES))"
    tell = f"(do ((set (game sto LONG) (size {spades}))))"
    assert trick in text
    leaky = load(text.replace(trick, f"{trick} {tell}"), "Hearts4")
    with pytest.raises(Leak):
        _look_for_leaks(described("Hearts4", HEARTS, leaky))


def _look_for_leaks(subject: Subject[Any]) -> None:
    for seed in range(20):
        check_secrets(subject, _setup(seed), Random(seed))


def _setup(seed: int) -> Setup:
    options = {"deals": 1, "choices": 20_000, "steps": 200}
    return Setup(4, options, Shuffler(seed_from_int(seed)))
