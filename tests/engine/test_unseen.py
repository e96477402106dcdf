"""Dealing unseen cards into the places where they can be."""

import itertools
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, card_texts, parse_cards, suit_of
from engine.unseen import NoDeal, Place, deal_unseen
from tests.counts import count

CARDS = st.integers(0, 51)
VOIDS = st.frozensets(st.integers(0, 3), max_size=3)


@st.composite
def riddles(draw: st.DrawFn) -> tuple[list[Card], list[Place]]:
    """Piles that exist, told only by their sizes and by suits they lack."""
    piles = draw(st.lists(st.lists(CARDS, max_size=8), min_size=1, max_size=6))
    places = []
    for pile in piles:
        missing = frozenset(range(4)) - {suit_of(card) for card in pile}
        places.append(Place(len(pile), frozenset(draw(VOIDS)) & missing))
    return [card for pile in piles for card in pile], places


@given(riddle=riddles(), seed=st.integers(0, 2**32))
def test_whatever_can_lie_somewhere_is_dealt(
    riddle: tuple[list[Card], list[Place]], seed: int
) -> None:
    """Where there is a way, one is found: every card used, every size met, no void broken."""
    cards, places = riddle
    dealt = deal_unseen(cards, places, Random(seed))
    assert [len(pile) for pile in dealt] == [place.size for place in places]
    assert Counter(itertools.chain.from_iterable(dealt)) == Counter(cards)
    for pile, place in zip(dealt, places, strict=True):
        assert not place.without & {suit_of(card) for card in pile}


def test_a_deal_hardly_any_shuffle_would_hit_is_found() -> None:
    """Ten places that each lack all suits but one leave one way in very many."""
    cards = parse_cards("2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 4S 5S 2H 3H 4H 5H")
    places = [Place(4, frozenset(range(4)) - {suit}) for suit in (3, 1, 0, 2)]
    dealt = deal_unseen(cards, places, Random(1))
    assert [{suit_of(card) for card in pile} for pile in dealt] == [{3}, {1}, {0}, {2}]


def test_cards_make_room_for_each_other() -> None:
    """A card with one place to go gets it, though others were there first."""
    places = [Place(1, frozenset({0})), Place(1, frozenset({1})), Place(6)]
    cards = parse_cards("2C 2D 3D 4D 5D 6D 7D 8D")
    for seed in range(50):
        dealt = deal_unseen(cards, places, Random(seed))
        assert card_texts(dealt[1]) == ("2C",)


def test_contradictions_are_refused() -> None:
    """Too few places, places that no card may lie in, cards that may lie nowhere."""
    with pytest.raises(NoDeal, match="2 cards for 1 places"):
        deal_unseen(parse_cards("2C 3C"), [Place(1)], Random(1))
    with pytest.raises(NoDeal, match="cannot lie"):
        deal_unseen(parse_cards("2C 3D"), [Place(1, frozenset({0, 1})), Place(1)], Random(1))
    with pytest.raises(NoDeal, match="cannot lie"):
        deal_unseen(
            parse_cards("2C 3C 4C"), [Place(1), Place(1), Place(1, frozenset({0}))], Random(1)
        )


def test_ways_are_equally_likely_where_a_shuffle_soon_fits() -> None:
    """Two hands, one without clubs: each of the six ways comes up as often."""
    cards = parse_cards("2C 2D 3D 4D")
    places = [Place(1, frozenset({0})), Place(3)]
    tally = Counter(deal_unseen(cards, places, Random(seed))[0] for seed in range(count(900)))
    assert len(tally) == 3
    expected = count(900) / 3
    # Chi-square with 2 degrees of freedom at p = 0.001.
    assert sum((seen - expected) ** 2 / expected for seen in tally.values()) < 13.82


def test_every_way_stays_possible_where_shuffles_do_not_fit() -> None:
    """Where cards are laid one by one, no way is left out: here there are 49."""
    cards = parse_cards("2C 3C 4C 5C 6C 7C 8C 2D 3D 4D 5D 6D 7D 8D")
    places = [Place(6, frozenset({1})), Place(6, frozenset({0})), Place(2)]
    dealt = [deal_unseen(cards, places, Random(seed))[2] for seed in range(count(500))]
    assert len({frozenset(pile) for pile in dealt}) == 49
