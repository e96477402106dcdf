"""One factor raises the counts of every test: `make test` uses small ones, `make nightly` large."""

import os
from collections.abc import Iterable
from typing import TypeVar

_T = TypeVar("_T")

FACTOR = int(os.environ.get("BLACKQUEEN_FACTOR", "1"))
NIGHT = FACTOR > 1
"""Whether this run has time for what a promise counts in full: every call, every game."""


def count(small: int) -> int:
    """`small` times the factor of this run."""
    return small * FACTOR


def some(every: Iterable[_T], by_day: int = 1) -> list[_T]:
    """The variants of a test: all by night, the first `by_day` of them by day."""
    return list(every) if NIGHT else list(every)[:by_day]
