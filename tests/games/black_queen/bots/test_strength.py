"""The search is worth its time: a few worlds are enough to beat the plain strengths."""

import pytest

from tests.bots.strength import sure_lead
from tests.counts import NIGHT, count


@pytest.mark.parametrize(("weak", "seats", "deals"), [("2", 2, 20), ("0", 3, 3)])
def test_a_few_worlds_beat_the_plain_strengths(weak: str, seats: int, deals: int) -> None:
    """With 32 worlds a move the 95 % interval of the lead lies above zero."""
    assert sure_lead("black_queen", weak, "3", samples=32, deals=count(deals), seats=seats) > 0


@pytest.mark.timeout(1200)
def test_a_busy_machine_does_not_take_the_strength() -> None:
    """With a millisecond a move it is no weaker than strength 2; 2,000 deals by night."""
    deals = 2000 if NIGHT else 6
    assert sure_lead("black_queen", "2", "3", milliseconds=1.0, deals=deals) > -0.3
