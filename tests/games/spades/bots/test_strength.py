"""Each strength of Spades is worth more than the plainer ones; the stronger team sits opposite.

What bags cost shows in whole matches alone, and there the search is ahead by more. So many deals
or matches are played that the lead is about five standard errors or more: by another seed the
interval of a player who is as strong as now would touch zero once in a thousand times.
"""

import pytest

from bots import Budget, parse_spec
from bots.arena import arrange, play_deal, summarise
from tests.bots.strength import sure_lead
from tests.counts import count


def test_rules_are_ahead_of_chance() -> None:
    """The 95 % interval of the lead lies above zero."""
    assert sure_lead("spades", "0", "1", deals=count(8)) > 0


@pytest.mark.timeout(180)
def test_search_is_ahead_of_rules() -> None:
    """So does that of the searcher with 32 worlds a move, in matches to 500."""
    budgets = (Budget(), Budget(samples=32))
    specs = (parse_spec("1"), parse_spec("2"))
    contest = arrange("spades", specs, seed=7, budgets=budgets, matches=True)
    lead = summarise(contest, [play_deal(contest, match) for match in range(count(14))]).lead
    assert lead.low is not None
    assert lead.low > 0
