"""Choices: single actions, and picks that stand for many actions."""

from random import Random

import pytest

from engine import NO_CHOICES, Choices, Pick
from engine.choices import random_action


@pytest.mark.parametrize(
    "action", ["pass 2C 4H", "pass 2C 3D", "pass 3D 3D 4H", "pass 2C 3D 3D", "pass 3D 4H"]
)
def test_a_pick_allows_its_cards_in_its_order(action: str) -> None:
    """Two or three of the listed cards, equal ones as often as they are listed."""
    assert Pick("pass", ("2C", "3D", "3D", "4H"), least=2, most=3).allows(action)


@pytest.mark.parametrize(
    "action",
    [
        "pass",
        "pass 2C",
        "pass 2C 3D 3D 4H",
        "pass 4H 2C",
        "pass 2C 2C",
        "pass 2C 5H",
        "pass  2C 3D",
        "play 2C 3D",
        "pass 2C 3D ",
    ],
)
def test_a_pick_allows_nothing_else(action: str) -> None:
    """A pick refuses actions with wrong counts, order, cards, verb or spaces."""
    assert not Pick("pass", ("2C", "3D", "3D", "4H"), least=2, most=3).allows(action)


def test_a_pick_of_none_is_the_verb_alone() -> None:
    """A pick that may be empty allows its verb alone."""
    assert Pick("keep", ("2C",), least=0, most=1).allows("keep")


def test_choices_allow_their_actions_and_what_their_picks_do() -> None:
    """Choices allow their listed actions and those of their picks."""
    choices = Choices(("close",), (Pick("pass", ("2C", "3D"), 1, 1),))
    assert choices.allows("close")
    assert choices.allows("pass 3D")
    assert not choices.allows("pass 2C 3D")


def test_no_choices_are_false() -> None:
    """Empty choices are false in a boolean context."""
    assert not NO_CHOICES
    assert Choices(("close",))
    assert Choices(picks=(Pick("pass", ("2C",), 1, 1),))


def test_random_actions_are_allowed_and_miss_none() -> None:
    """Random actions are always allowed, and every allowed action comes up."""
    choices = Choices(("close", "bid 3"), (Pick("pass", ("2C", "3D", "3D"), 1, 2),))
    drawn = {random_action(choices, Random(seed)) for seed in range(300)}
    assert all(choices.allows(action) for action in drawn)
    passes = {"pass 2C", "pass 3D", "pass 2C 3D", "pass 3D 3D"}
    assert drawn == {"close", "bid 3"} | passes
