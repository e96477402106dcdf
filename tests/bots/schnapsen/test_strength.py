"""Each strength of Schnapsen is worth more than the plainer ones, and than one unlike them all.

A lead whose 95 % interval lies above zero would be had once in forty times by a player who is no
better. So many deals are played that the lead is four to five standard errors or more: by another
seed the interval of who is as strong as now would touch zero once in two hundred times or less.
"""

import pytest

from bots import Budget, parse_spec
from bots.arena import arrange, play_deal
from bots.arena_statistics import summarise
from tests.counts import count


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("weak", "strong", "deals"), [("0", "1", 20), ("1", "3", 100), ("sampling", "3", 40)]
)
def test_who_thinks_more_is_ahead(weak: str, strong: str, deals: int) -> None:
    """The 95 % interval of the lead lies above zero, for the searcher with 32 worlds a move."""
    contest = arrange(
        "schnapsen",
        (parse_spec(weak), parse_spec(strong)),
        seed=7,
        budgets=(Budget(), Budget(samples=32)),
    )
    lead = summarise(contest, [play_deal(contest, deal) for deal in range(count(deals))]).lead
    assert lead.low is not None
    assert lead.low > 0
