"""The search is worth its time: a few worlds are enough to beat the plain strengths."""

import pytest

from bots import Budget, parse_spec
from bots.arena import arrange, play_deal
from bots.arena_statistics import summarise
from tests.counts import count


@pytest.mark.parametrize(("weak", "seats", "deals"), [("2", 2, 20), ("0", 3, 3)])
def test_a_few_worlds_beat_the_plain_strengths(weak: str, seats: int, deals: int) -> None:
    """With 32 worlds a move the 95 % interval of the lead lies above zero."""
    contest = arrange(
        "black_queen",
        (parse_spec(weak), parse_spec("3")),
        seed=7,
        seats=seats,
        budgets=(Budget(), Budget(samples=32)),
    )
    lead = summarise(contest, [play_deal(contest, deal) for deal in range(count(deals))]).lead
    assert lead.low is not None
    assert lead.low > 0
