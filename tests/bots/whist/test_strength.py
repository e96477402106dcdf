"""Each strength of Whist is worth more than the plainer ones.

A lead whose 95 % interval lies above zero would be had once in forty times by a player who is no
better. So many deals are played that the lead is four to five standard errors or more: by another
seed the interval of who is as strong as now would touch zero once in two hundred times or less.
"""

import pytest

from bots import Budget, parse_spec
from bots.arena import arrange, play_deal
from bots.arena_statistics import summarise
from tests.counts import count

LARGE = (0, 1, 2)
"""The deals with most cards, where there is most to think about."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("weak", "strong", "numbers", "deals"), [("0", "1", None, 12), ("1", "3", LARGE, 24)]
)
def test_who_thinks_more_is_ahead(
    weak: str, strong: str, numbers: tuple[int, ...] | None, deals: int
) -> None:
    """The 95 % interval of the lead lies above zero, for the searcher with 32 worlds a move."""
    contest = arrange(
        "whist",
        (parse_spec(weak), parse_spec(strong)),
        seed=7,
        budgets=(Budget(), Budget(samples=32)),
        numbers=numbers,
    )
    lead = summarise(contest, [play_deal(contest, deal) for deal in range(count(deals))]).lead
    assert lead.low is not None
    assert lead.low > 0
