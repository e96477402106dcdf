"""Choices: single actions, and patterns that stand for many."""

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
    """Too few, too many, out of order, not listed, another verb, stray spaces."""
    assert not Pick("pass", ("2C", "3D", "3D", "4H"), least=2, most=3).allows(action)


def test_a_pick_of_none_is_the_verb_alone() -> None:
    """Where nothing need be picked, the verb says so."""
    assert Pick("keep", ("2C",), least=0, most=1).allows("keep")


def test_choices_allow_their_actions_and_what_their_picks_do() -> None:
    """Both kinds can be offered together."""
    choices = Choices(("close",), (Pick("pass", ("2C", "3D"), 1, 1),))
    assert choices.allows("close")
    assert choices.allows("pass 3D")
    assert not choices.allows("pass 2C 3D")


def test_no_choices_are_false() -> None:
    """Whether there is anything to do can be asked plainly."""
    assert not NO_CHOICES
    assert Choices(("close",))
    assert Choices(picks=(Pick("pass", ("2C",), 1, 1),))


def test_random_actions_are_allowed_and_miss_none() -> None:
    """Every single action and every way to fill a pattern comes up, and nothing else."""
    choices = Choices(("close", "bid 3"), (Pick("pass", ("2C", "3D", "3D"), 1, 2),))
    drawn = {random_action(choices, Random(seed)) for seed in range(300)}
    assert all(choices.allows(action) for action in drawn)
    passes = {"pass 2C", "pass 3D", "pass 2C 3D", "pass 3D 3D"}
    assert drawn == {"close", "bid 3"} | passes
