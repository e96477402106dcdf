"""Worlds dealt by the kernel, compared with the engine's and with brute force."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.search.draws import draws_from
from bots.search.worlds import deal_world, plan_worlds
from engine.cards import Card, parse_cards
from engine.unseen import Deals, NoDeal, Place
from tests.chance import chi_square_limit
from tests.counts import count
from tests.engine.test_unseen import PUZZLES, every_deal, riddles

Deal = tuple[tuple[int, ...], ...]


def split(world: np.ndarray[tuple[int], np.dtype[np.int64]], places: list[Place]) -> Deal:
    """The cards of a world by place."""
    deal, at = [], 0
    for place in places:
        deal.append(tuple(map(int, world[at : at + place.size])))
        at += place.size
    return tuple(deal)


@given(riddle=riddles(), seed=st.integers(0, 2**32))
def test_whatever_can_lie_somewhere_is_dealt(
    riddle: tuple[list[Card], list[Place]], seed: int
) -> None:
    """Every card is dealt, sizes and constraints are kept, and known cards come first."""
    cards, places = riddle
    world = np.empty(len(cards), np.int64)
    deal_world(plan_worlds(cards, places), draws_from(Random(seed)), world)
    assert Counter(map(int, world)) == Counter(cards)
    for pile, place in zip(split(world, places), places, strict=True):
        known = len(place.holds)
        assert pile[:known] == place.holds
        assert all(place.takes(card) for card in pile[known:])


@given(
    cards=st.lists(st.integers(0, 51), min_size=6, max_size=6),
    voids=st.lists(st.frozensets(st.integers(0, 3)), min_size=3, max_size=3),
)
def test_what_the_engine_refuses_is_refused(cards: list[Card], voids: list[frozenset[int]]) -> None:
    """A contradiction that the engine refuses is refused by the kernel."""
    places = [Place(2, void) for void in voids]
    try:
        Deals(cards, places)
    except NoDeal:
        with pytest.raises(NoDeal):
            plan_worlds(cards, places)
    else:
        plan_worlds(cards, places)


@pytest.mark.parametrize("name", PUZZLES)
def test_every_way_is_as_likely_as_the_others(name: str) -> None:
    """Every possible deal comes up about equally often."""
    text, places = PUZZLES[name]
    cards = parse_cards(text)
    ways = list(every_deal(cards, places))
    plan, draws = plan_worlds(cards, places), draws_from(Random(19))
    world = np.empty(len(cards), np.int64)
    drawn = count(20 * len(ways))
    tally: Counter[tuple[frozenset[int], ...]] = Counter()
    for _ in range(drawn):
        deal_world(plan, draws, world)
        tally[tuple(map(frozenset, split(world, places)))] += 1
    assert set(tally) <= set(ways)
    each = drawn / len(ways)
    assert sum((tally[way] - each) ** 2 / each for way in ways) < chi_square_limit(len(ways) - 1)


def test_a_place_has_its_cards_in_any_order() -> None:
    """The order within a place is random too, as a talon needs it."""
    plan, draws = plan_worlds(parse_cards("2C 3C 2D"), [Place(3)]), draws_from(Random(5))
    world, drawn = np.empty(3, np.int64), count(600)
    tally: Counter[Deal] = Counter()
    for _ in range(drawn):
        deal_world(plan, draws, world)
        tally[split(world, [Place(3)])] += 1
    assert len(tally) == 6
    assert sum((seen - drawn / 6) ** 2 / (drawn / 6) for seen in tally.values()) < chi_square_limit(
        5
    )


def test_a_large_table_agrees_with_the_engine() -> None:
    """A large deal agrees with the engine: four hands of 40 cards with a void each."""
    cards = [suit * 13 + rank for suit in range(4) for rank in range(10)]
    places = [Place(8, frozenset({suit})) for suit in range(4)] + [Place(8)]
    plan, draws, rng = plan_worlds(cards, places), draws_from(Random(7)), Random(7)
    deals, world = Deals(cards, places), np.empty(40, np.int64)
    drawn = count(2000)
    clubs = np.zeros((2, 9))
    ace = np.zeros((2, 5))
    for _ in range(drawn):
        deal_world(plan, draws, world)
        for which, deal in enumerate((split(world, places), deals.draw(rng))):
            clubs[which, sum(card < 13 for card in deal[1])] += 1
            ace[which, next(at for at, pile in enumerate(deal) if 39 in pile)] += 1
    for tally in (clubs, ace):
        seen = tally[:, tally.sum(axis=0) > 20]
        statistic = ((seen[0] - seen[1]) ** 2 / seen.sum(axis=0)).sum()
        assert statistic < chi_square_limit(seen.shape[1] - 1)


def test_the_same_draws_give_the_same_world() -> None:
    """One seed gives one sequence of worlds."""
    plan = plan_worlds(range(8, 28), [Place(10, frozenset({0})), Place(10)])
    worlds = np.empty((2, 20), np.int64)
    for world in worlds:
        deal_world(plan, draws_from(Random(8)), world)
    assert (worlds[0] == worlds[1]).all()
