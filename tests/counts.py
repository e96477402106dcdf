"""One factor raises the counts of every test: `make test` runs small ones, `make nightly` large."""

import os

FACTOR = int(os.environ.get("BLACKQUEEN_FACTOR", "1"))
NIGHT = FACTOR > 1
"""Whether this run has time for what a promise counts in full: every call, every game."""


def count(small: int) -> int:
    """`small` times the factor of this run."""
    return small * FACTOR
