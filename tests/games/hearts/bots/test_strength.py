"""Each strength of Hearts is worth more than the one below it, and so is knowing how to pass."""

import pytest

from tests.bots.strength import sure_lead
from tests.counts import count

HOLD = 3
"""The deal of a match in which nobody passes."""


@pytest.mark.parametrize(
    ("weak", "strong", "numbers", "deals"),
    [("0", "1", (HOLD,), 10), ("ducker", "1", (HOLD,), 60), ("1", "2", (0, 1, 2), 12)],
)
def test_who_thinks_more_is_ahead(
    weak: str, strong: str, numbers: tuple[int, ...], deals: int
) -> None:
    """The 95 % interval of the lead lies above zero, for the searcher with 16 worlds a move."""
    assert sure_lead("hearts", weak, strong, samples=16, deals=count(deals), numbers=numbers) > 0
