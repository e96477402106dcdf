"""Reviews of every game, which tell a player nothing that their seat did not see."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.described_subjects import SUBJECTS as DESCRIBED
from tests.conformance.described_subjects import WITHOUT_HISTORY
from tests.conformance.reviewing import check_review, check_review_secrets
from tests.conformance.subject import Subject
from tests.counts import count
from tests.games.catalogue import SUBJECTS

ALL = (*SUBJECTS, *DESCRIBED, *WITHOUT_HISTORY)


@pytest.mark.parametrize("subject", ALL, ids=lambda subject: subject.name)
@settings(max_examples=count(1), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_game_can_be_reviewed(subject: Subject[Any], data: st.DataObject, seed: int) -> None:
    """Each decision of a seat can be judged, twice with one result."""
    check_review(subject, data.draw(subject.setups), Random(seed))


@pytest.mark.parametrize("subject", ALL, ids=lambda subject: subject.name)
@settings(max_examples=count(1), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_review_knows_what_the_seat_knew(
    subject: Subject[Any], data: st.DataObject, seed: int
) -> None:
    """Two worlds that a seat cannot tell apart give equal reviews."""
    check_review_secrets(subject, data.draw(subject.setups), Random(seed))
