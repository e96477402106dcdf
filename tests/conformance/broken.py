"""Variants of each game that break a promise on purpose. A new game joins by a line here."""

from collections.abc import Mapping

from tests.conformance import (
    black_queen_broken,
    hearts_broken,
    schnapsen_broken,
    whist_broken,
)
from tests.conformance.faults import Faults

BROKEN: Mapping[str, Faults] = {
    "black_queen": black_queen_broken.FAULTS,
    "hearts": hearts_broken.FAULTS,
    "whist": whist_broken.FAULTS,
    "schnapsen": schnapsen_broken.FAULTS,
}
