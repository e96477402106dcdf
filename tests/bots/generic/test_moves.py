"""The number of moves in choices, and which of them are tried."""

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bots.generic.moves import listed, moves_in
from engine.choices import Choices, Pick


@st.composite
def picks(draw: st.DrawFn) -> Pick:
    cards = draw(st.lists(st.sampled_from(("2C", "3D", "QS", "AH")), max_size=7))
    most = draw(st.integers(0, len(cards)))
    return Pick("pass", tuple(sorted(cards)), draw(st.integers(0, most)), most)


@given(picks())
def test_equal_cards_are_one_move(pick: Pick) -> None:
    """A pick counts as many moves as it allows different sets of cards."""
    sizes = range(pick.least, pick.most + 1)
    different = {cards for size in sizes for cards in combinations(pick.cards, size)}
    assert moves_in(Choices(("wait",), (pick,))) == 1 + len(different)


@given(picks(), st.integers(1, 200), st.integers(0, 5))
def test_listed_moves_are_legal_and_different(pick: Pick, most: int, seed: int) -> None:
    """Few moves are all listed; of many the given number of different ones is."""
    choices = Choices(("wait",), (pick,))
    found = listed(choices, Random(seed), most)
    assert found[0] == "wait"
    assert len(set(found)) == len(found) <= moves_in(choices)
    assert all(choices.allows(action) for action in found)
    assert len(found) == moves_in(choices) or 1 < len(found) <= 1 + most
