"""Every game of the catalogue keeps every promise of the suite."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import GAMES
from tests.conformance.checks import CHECKS, Check
from tests.conformance.subject import Subject
from tests.counts import count
from tests.games.catalogue import SUBJECTS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@settings(max_examples=count(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_game_keeps_its_promises(
    check: Check, subject: Subject[Any], data: st.DataObject, seed: int
) -> None:
    """Each check holds for each game, from any setup and under random play."""
    check(subject, data.draw(subject.setups), Random(seed))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_a_game_is_found_by_its_id(subject: Subject[Any]) -> None:
    """The folder in the tests, the game in the catalogue and the subject have one name."""
    assert GAMES.game(subject.name).info == subject.game.info
