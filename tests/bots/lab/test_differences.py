"""Differences between two plans, in words."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from bots.lab.differences import differences
from bots.lab.games import Source
from tests.bots.lab.made import small

PLAN = small("hearts", "r", 8, full=3)


def test_equal_plans_do_not_differ() -> None:
    """Equal plans have no differences."""
    assert list(differences(PLAN.as_json(), PLAN.as_json())) == []


def test_every_kind_of_difference_has_words() -> None:
    """Every kind of difference is told in the words of the command line."""
    other = replace(
        PLAN,
        source=Source("whist"),
        parts=PLAN.parts[:1],
        seed=2,
        options={"hook": True},
        watched=3,
        samples=7,
    )
    assert list(differences(PLAN.as_json(), other.as_json())) == [
        "the game is hearts there and whist here",
        "what is played is 8 games of r,r,r,r and 3 games of s,r,r,r, in each seat in turn and "
        "3 games of s,s,s,s there and 8 games of r,r,r,r here",
        "the seed is 1 there and 2 here",
        "the choice of options is rules=standard moon=others target=100 there and hook=true here",
        "--watch is 2 there and 3 here",
        "--samples is the default there and 7 here",
    ]


def test_two_texts_of_one_name_are_called_so() -> None:
    """Two descriptions of one name with other texts are said to differ, without digests."""
    one, other = (replace(PLAN, source=Source("Mine3", text)) for text in ("(a)", "(b)"))
    assert list(differences(one.as_json(), other.as_json())) == ["the game Mine3 has another text"]


@pytest.mark.parametrize("there", [{}, {"parts": [3], "source": [], "options": 1}])
def test_a_plan_that_was_written_by_another_hand_is_told_too(there: Mapping[str, object]) -> None:
    """Differences are told even if the stored plan has unexpected values."""
    told = "; ".join(differences(there, PLAN.as_json()))
    assert "what is played is" in told
    assert "the seed is the default there and 1 here" in told
