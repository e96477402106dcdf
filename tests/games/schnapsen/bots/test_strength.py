"""Each strength of Schnapsen is worth more than the plainer ones, and than one unlike them all.

A lead whose 95 % interval lies above zero would be had once in forty times by a player who is no
better. So many deals are played that the lead is four to five standard errors or more: by another
seed the interval of who is as strong as now would touch zero once in two hundred times or less.
"""

import pytest

from tests.bots.strength import sure_lead
from tests.counts import count


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("weak", "strong", "deals"), [("0", "1", 20), ("1", "3", 100), ("sampling", "3", 40)]
)
def test_who_thinks_more_is_ahead(weak: str, strong: str, deals: int) -> None:
    """The 95 % interval of the lead lies above zero, for the searcher with 32 worlds a move."""
    assert sure_lead("schnapsen", weak, strong, samples=32, deals=count(deals)) > 0
