"""What a game offers to show that the suite can fail: variants of it with one fault each."""

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
    """The `leaky` variants tell a secret; each of the `faulty` is one that a check must notice.

    A variant is looked at in so many `matches` from each of some setups, until it is caught.
    """

    # A variant is a class of the game, whatever its state.
    subject: Callable[[Any], Subject[Any]]
    leaky: tuple[type[Any], ...]
    faulty: tuple[tuple[Check, type[Any]], ...]
    matches: int = 1

    def run(self, check: Check, variant: type[Any]) -> None:
        """The check, on matches of a game of this class."""
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
