"""Variants of a game with one deliberate fault each, with which the suite must fail."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from hypothesis import Phase, given, settings

from engine import Setup
from tests.conformance.checks import Check
from tests.conformance.subject import Subject


@dataclass(frozen=True)
class Faults:
    """A game's faults: `leaky` variants tell a secret, and `faulty` ones each fail a check.

    A check plays a variant in `matches` matches for each of some setups, until it fails.
    """

    # A variant is a class of the game, whatever its state.
    subject: Callable[[Any], Subject[Any]]
    leaky: tuple[type[Any], ...]
    faulty: tuple[tuple[Check, type[Any]], ...]
    matches: int = 1

    def run(self, check: Check, variant: type[Any]) -> None:
        """Run the check on matches of a game of this class."""
        subject = self.subject(variant())
        setups = some_setups(self.subject) * self.matches
        for number, setup in enumerate(setups):
            check(subject, setup, Random(number))


@cache
def some_setups(subject: Callable[[None], Subject[Any]]) -> tuple[Setup, ...]:
    """A few dozen setups of the game itself, always the same."""
    drawn = []

    @settings(max_examples=60, derandomize=True, database=None, phases=[Phase.generate])
    @given(subject(None).setups)
    def draw(setup: Setup) -> None:
        drawn.append(setup)

    draw()
    return tuple(drawn)
