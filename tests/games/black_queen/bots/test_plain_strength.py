"""The strengths are in the order of their numbers."""

import pytest

from bots import make_bot
from bots.arena import Summary, arrange, play_deal, summarise
from tests.counts import count


def contested(first: int, second: int, deals: int) -> Summary:
    contest = arrange("black_queen", (first, second), seed=11)
    return summarise(contest, [play_deal(contest, deal) for deal in range(deals)])


@pytest.mark.parametrize(("weak", "strong", "deals"), [(0, 1, 20), (0, 2, 20), (1, 2, 90)])
def test_the_higher_strength_wins(weak: int, strong: int, deals: int) -> None:
    """Over these deals the 95 % interval of the lead lies above zero."""
    lead = contested(weak, strong, count(deals)).lead
    assert lead.low is not None
    assert lead.low > 0


@pytest.mark.parametrize("strength", [1, 2])
def test_a_move_takes_less_than_a_millisecond(strength: int) -> None:
    """A bot that says it may run in the server's loop does not hold it up."""
    contest = arrange("black_queen", (0, strength), seed=1)
    summary = summarise(contest, [play_deal(contest, deal) for deal in range(count(3))])
    assert make_bot("black_queen", strength).in_place
    assert summary.ms_per_move()[str(strength)] < 1
