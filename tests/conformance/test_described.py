"""Described games keep the promises of the suite."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Setup, Shuffler, seed_from_int
from engine.recycle import load
from engine.recycle.games import names
from tests.conformance.checks import (
    CHECKS,
    Check,
    check_conserved,
    check_folds,
    check_sample,
    check_sample_as_it_is,
)
from tests.conformance.described import GAMES, described
from tests.conformance.described_games import SIGHTS
from tests.conformance.described_subjects import SUBJECTS, WITHOUT_HISTORY, ours
from tests.conformance.secrets import Leak, check_secrets
from tests.conformance.subject import Subject
from tests.counts import count

# The pack of Carnival grows. Its cards go back into the stock unseen and are shuffled again among
# new ones with other backs, so no exchange in the first shuffle gives a second world for every
# past; `tests/engine/recycle/games/test_secrets.py` checks its facts and options.
CARNIVAL = ours("Carnival4")
LESS: list[tuple[Check, Subject[Any]]] = [
    *((check, subject) for subject in WITHOUT_HISTORY for check in CHECKS if check != check_sample),
    *(
        (check, CARNIVAL)
        for check in CHECKS
        if check not in (check_sample, check_conserved, check_secrets)
    ),
    *((check_sample_as_it_is, subject) for subject in (*WITHOUT_HISTORY, CARNIVAL)),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@settings(max_examples=count(3), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_described_game_keeps_its_promises(
    check: Check, subject: Subject[Any], data: st.DataObject, seed: int
) -> None:
    """Every check of the suite holds for each described game, under random play."""
    check(subject, data.draw(subject.setups), Random(seed))


@pytest.mark.parametrize(
    ("check", "subject"), LESS, ids=[f"{check.__name__}-{subject.name}" for check, subject in LESS]
)
@settings(max_examples=count(1), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_the_other_games_keep_all_but_some(
    check: Check, subject: Subject[Any], data: st.DataObject, seed: int
) -> None:
    """The other described games pass all checks but those on complete samples."""
    check(subject, data.draw(subject.setups), Random(seed))


def test_a_second_deal_forgets_the_first() -> None:
    """Piles created in the first deal of Rummy do not exist in the second."""
    options = {"deals": 2, "choices": 20_000, "steps": 200}
    check_folds(ours("Rummy2"), Setup(2, options, Shuffler(seed_from_int(1))), Random(1))


def test_no_description_is_left_out() -> None:
    """A game of every family of descriptions is a subject."""
    subjects = (*SUBJECTS, *WITHOUT_HISTORY, CARNIVAL)
    assert {subject.name.rstrip("0123456789") for subject in subjects} == {
        name.rstrip("0123456789").lower() for name in names()
    }


def test_a_description_that_leaks_is_caught() -> None:
    """The suite fails for a Hearts description that reveals the next player's hand."""
    text = (GAMES / "Hearts4.rcy").read_text("utf-8")
    trick = "(end (all player 'P (== (size ('P vloc TRICK)) 1)))"
    spades = "(filter ((2 player) iloc HAND) 'C (== (cardatt SUIT 'C) SPADES))"
    tell = f"(do ((set (game sto LONG) (size {spades}))))"
    assert trick in text
    leaky = load(text.replace(trick, f"{trick} {tell}"), "Hearts4")
    with pytest.raises(Leak):
        _look_for_leaks(described("Hearts4", SIGHTS["Hearts"], leaky))


def test_a_card_shown_in_passing_is_no_secret() -> None:
    """Whist's dealer's last card, open for a moment only, may differ in the second world."""
    options = {"deals": 2, "choices": 20_000, "steps": 200}
    check_secrets(ours("Whist4"), Setup(4, options, Shuffler(seed_from_int(0x19B))), Random(7))


def _look_for_leaks(subject: Subject[Any]) -> None:
    for seed in range(20):
        check_secrets(subject, _setup(seed), Random(seed))


def _setup(seed: int) -> Setup:
    options = {"deals": 1, "choices": 20_000, "steps": 200}
    return Setup(4, options, Shuffler(seed_from_int(seed)))
