"""The tree search (ISMCTS) against which the other strengths are measured."""

from random import Random

import pytest

from bots import Budget
from bots.black_queen.ismcts import TreeSearcher
from tests.counts import count
from tests.games.black_queen.bots.played import PlayedDeal, random_moment
from tests.games.black_queen.bots.positions import Player, laid_out


@pytest.mark.parametrize("seed", range(count(20)))
def test_its_moves_are_legal_repeatable_and_counted(seed: int) -> None:
    """Every simulation visits one move of the root, and the most visited move is played."""
    asked = random_moment(Random(seed)).position()
    bot = TreeSearcher(simulations=60)
    decision = bot.choose(asked, Budget(), Random(1))
    assert bot.choose(asked, Budget(), Random(1)) == decision
    assert asked.choices.allows(decision.action)
    if len(decision.candidates) > 1:
        visits = {each.action: each.why["visits"] for each in decision.candidates}
        assert visits[decision.action] == max(visits.values())
        # Equal moves show the same visits, so there may seem to be more than were made.
        assert sum(visits.values()) >= 60


def test_it_finds_the_one_card_that_does_not_take_the_queen() -> None:
    """With two cards left and the queen on the table, ISMCTS plays the card that stays below."""
    state = laid_out(
        [Player("6D 3D"), Player("4D 5D"), Player("JS AS")], trick="KS QS", leader=0, rest_to=0
    )
    asked = PlayedDeal(state, ()).position()
    assert TreeSearcher().choose(asked, Budget(), Random(1)).action == "play JS"


def test_its_tree_grows_beyond_one_batch() -> None:
    """The tree has room for thousands of simulations."""
    asked = random_moment(Random(4)).position()
    decision = TreeSearcher(simulations=3000).choose(asked, Budget(), Random(1))
    assert sum(each.why["visits"] for each in decision.candidates) >= 3000
