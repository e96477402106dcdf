"""Dealing unseen cards into the places where they may be."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, card_texts, parse_cards, suit_of
from engine.unseen import Deals, NoDeal, Place, deal_unseen
from tests.chance import chi_square_limit
from tests.counts import count

CARDS = st.integers(0, 51)
VOIDS = st.frozensets(st.integers(0, 3), max_size=3)


@st.composite
def riddles(draw: st.DrawFn, most: int = 8) -> tuple[list[Card], list[Place]]:
    """Random dealing problems with a solution: piles with sizes, excluded suits, known cards."""
    piles = draw(st.lists(st.lists(CARDS, max_size=most), min_size=1, max_size=6))
    cards = [card for pile in piles for card in pile]
    places = []
    for pile in piles:
        missing = frozenset(range(4)) - {suit_of(card) for card in pile}
        barred = frozenset(draw(st.sets(st.sampled_from(cards)))) if cards else frozenset()
        known = draw(st.integers(0, len(pile)))
        places.append(
            Place(
                len(pile),
                frozenset(draw(VOIDS)) & missing,
                barred - set(pile),
                tuple(pile[:known]),
            )
        )
    return cards, places


def every_deal(
    cards: Sequence[Card], places: Sequence[Place]
) -> Iterator[tuple[frozenset[Card], ...]]:
    """All ways of putting different cards into places, by brute force."""
    if not places:
        yield ()
        return
    place, *others = places
    for picked in itertools.combinations(cards, place.size):
        fits = all(card in place.holds or place.takes(card) for card in picked)
        if fits and set(place.holds) <= set(picked):
            rest = [card for card in cards if card not in picked]
            yield from ((frozenset(picked), *deal) for deal in every_deal(rest, others))


@given(riddle=riddles(), seed=st.integers(0, 2**32))
def test_whatever_can_lie_somewhere_is_dealt(
    riddle: tuple[list[Card], list[Place]], seed: int
) -> None:
    """A deal is found whenever one exists, with every card used and every constraint kept."""
    cards, places = riddle
    dealt = deal_unseen(cards, places, Random(seed))
    assert [len(pile) for pile in dealt] == [place.size for place in places]
    assert Counter(itertools.chain.from_iterable(dealt)) == Counter(cards)
    for pile, place in zip(dealt, places, strict=True):
        known = len(place.holds)
        assert pile[:known] == place.holds
        assert all(place.takes(card) for card in pile[known:])


def test_cards_make_room_for_each_other() -> None:
    """A card with only one possible place gets it."""
    places = [Place(1, frozenset({0})), Place(1, frozenset({1})), Place(6)]
    cards = parse_cards("2C 2D 3D 4D 5D 6D 7D 8D")
    for seed in range(50):
        dealt = deal_unseen(cards, places, Random(seed))
        assert card_texts(dealt[1]) == ("2C",)


def test_contradictions_are_refused() -> None:
    """Contradictory constraints are refused."""
    with pytest.raises(NoDeal, match="2 cards for 1 places"):
        deal_unseen(parse_cards("2C 3C"), [Place(1)], Random(1))
    with pytest.raises(NoDeal, match="cannot lie"):
        deal_unseen(parse_cards("2C 3D"), [Place(1, frozenset({0, 1})), Place(1)], Random(1))
    no_clubs = Place(1, frozenset({0}))
    with pytest.raises(NoDeal, match="cannot lie"):
        deal_unseen(parse_cards("2C 3C 4C"), [Place(1), Place(1), no_clubs], Random(1))
    with pytest.raises(NoDeal, match="not among the unseen"):
        deal_unseen(parse_cards("2C 3C"), [Place(2, holds=parse_cards("4C"))], Random(1))
    with pytest.raises(NoDeal, match="more than fit"):
        deal_unseen(parse_cards("2C 3C"), [Place(1, holds=parse_cards("2C 3C"))], Random(1))


def test_nothing_unseen_is_dealt_in_one_way() -> None:
    """If nothing is unseen there is exactly one deal."""
    deals = Deals((), [Place(0), Place(0, frozenset({1}))])
    assert deals.ways == 1
    assert deals.draw(Random(1)) == [(), ()]


PUZZLES = {
    "two hands, one without clubs": ("2C 2D 3D 4D", [Place(1, frozenset({0})), Place(3)]),
    "voids that depend on each other": (
        "2C 3C 2D 3D 2S 3S",
        [Place(2, frozenset({0})), Place(2, frozenset({1})), Place(2)],
    ),
    "a card that must be elsewhere, and one that is known": (
        "2C 3C 2D 3D 2S 3S 2H",
        [
            Place(2, barred=frozenset(parse_cards("2S 3S"))),
            Place(2, frozenset({0}), holds=parse_cards("2D")),
            Place(1),
            Place(2),
        ],
    ),
    "many classes, few places": (
        "2C 3C 2D 3D 2S 3S 2H 3H",
        [Place(4, frozenset({0})), Place(4, barred=frozenset(parse_cards("2D 3S")))],
    ),
    "few classes, many places": (
        "2C 3C 4C 2D 3D 4D",
        [Place(1), Place(1, frozenset({0})), Place(2, frozenset({1})), Place(1), Place(1)],
    ),
    "no shuffle in very many would fit": (
        "2C 3C 4C 5C 6C 2D 3D 4D 5D 6D",
        [Place(4, frozenset({1})), Place(4, frozenset({0})), Place(2)],
    ),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_every_way_is_as_likely_as_the_others(name: str) -> None:
    """Every possible deal comes up about equally often."""
    text, places = PUZZLES[name]
    cards = parse_cards(text)
    ways = list(every_deal(cards, places))
    deals = Deals(cards, places)
    assert deals.ways == len(ways)
    rng = Random(17)
    drawn = count(10 * len(ways))
    tally = Counter(tuple(map(frozenset, deals.draw(rng))) for _ in range(drawn))
    assert set(tally) <= set(ways)
    each = drawn / len(ways)
    assert sum((tally[way] - each) ** 2 / each for way in ways) < chi_square_limit(len(ways) - 1)


def test_a_place_has_its_cards_in_any_order() -> None:
    """The order within a place is random too, as a talon needs it."""
    deals = Deals(parse_cards("2C 3C 2D"), [Place(3)])
    rng = Random(3)
    drawn = count(600)
    tally = Counter(deals.draw(rng)[0] for _ in range(drawn))
    assert len(tally) == 6
    assert sum((seen - drawn / 6) ** 2 / (drawn / 6) for seen in tally.values()) < chi_square_limit(
        5
    )


@given(riddle=riddles(most=2))
def test_ways_are_counted_exactly(riddle: tuple[list[Card], list[Place]]) -> None:
    """The number of deals equals that found by brute force, if all cards differ."""
    cards, places = riddle
    if len(set(cards)) == len(cards):
        assert Deals(cards, places).ways == sum(1 for _ in every_deal(cards, places))
