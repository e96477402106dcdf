"""What a seat knows in Hearts, and the worlds dealt from it."""

from collections.abc import Iterator
from random import Random

import numpy as np

from bots.hearts.knowledge import Knowledge, read
from bots.hearts.lay_out import alike, lay_out
from bots.hearts.open_deal import HAND, VOIDS
from bots.hearts.playout import put_world
from bots.search.draws import draws_from
from bots.search.worlds import deal_world, plan_worlds
from engine.cards import Card, parse_cards
from engine.facts import AddressedFact, Seat
from engine.games.hearts import State
from engine.games.hearts.state import receiver_of
from tests.counts import count
from tests.games.hearts.bots.positions import (
    GAME,
    any_deal,
    cards_in,
    laid_out,
    open_deal_of,
    position,
    random_walk,
    started,
)

Hands = tuple[tuple[Card, ...], ...]


def worlds_of(known: Knowledge, number: int) -> Iterator[Hands]:
    """Random worlds of the position: all hands by seat, the own one included."""
    plan, draws = plan_worlds(known.unseen, known.places), draws_from(Random(1))
    world = np.empty(len(known.unseen), np.int64)
    sizes = np.array([place.size for place in known.places])
    for _ in range(number):
        deal_world(plan, draws, world)
        deal = lay_out(known)
        put_world(deal, known.seat, sizes, world)
        yield tuple(cards_in(int(deal[HAND + seat])) for seat in range(4))


def could_have_been(state: State, hands: Hands, facts: tuple[AddressedFact, ...]) -> bool:
    """Whether the engine accepts the deal's history if these are the hands now.

    The cards played are put back, and everything is played again.
    """
    plays = [
        (int(str(fact.args["seat"])), str(fact.args["card"]))
        for fact in facts
        if fact.verb == "card_played"
    ]
    before = [set(hand) for hand in hands]
    for seat, card in plays:
        before[seat] |= set(parse_cards(card))
    again = state._replace(
        hands=tuple(tuple(sorted(hand)) for hand in before),
        leader=plays[0][0] if plays else state.leader,
        trick=(),
        taken=((),) * 4,
        broken=False,
    )
    for seat, card in plays:
        if seat != again.turn or f"play {card}" not in GAME.choices(again, seat).actions:
            return False
        again = GAME.apply(again, again.turn, f"play {card}").state
    return again.hands == hands


def test_every_world_could_have_been() -> None:
    """The engine accepts the history of random deals in every world, passes included."""
    for seed in range(count(6)):
        rng = Random(seed)
        for state, facts in random_walk(rng, any_deal(rng)):
            if state.over or state.passing:
                continue
            me = state.turn
            known = read(position(state, facts))
            for hands in worlds_of(known, 3):
                assert hands[me] == state.hands[me]
                assert could_have_been(state, hands, facts)
                if state.shift:
                    kept = set(state.passed[me]) & set(known.unseen)
                    assert kept <= set(hands[receiver_of(me, state.shift)])


def test_who_plays_a_heart_to_the_first_trick_has_nothing_else() -> None:
    """A heart in the first trick leaves only hearts and the queen of spades in that hand."""
    hearts = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    state = laid_out(("2C", hearts, "QS", "3C"), leader=0)
    state = state._replace(taken=((),) * 4, broken=False)
    facts = GAME.begin(state).facts
    for seat, card in enumerate(("2C", "5H")):
        step = GAME.apply(state, seat, f"play {card}")
        state, facts = step.state, facts + step.facts
    known = read(position(state, facts))
    assert set(parse_cards("3C AC 2D 2S KS")) <= known.places[2].barred
    assert not set(parse_cards("QS AH")) & known.places[2].barred


def test_the_table_is_the_one_that_is_seen() -> None:
    """The kernel deal with the true hands equals the state; without them it has the own hand."""
    rng = Random(4)
    for state, facts in random_walk(rng, any_deal(rng)):
        if state.over or state.passing:
            continue
        deal, me = lay_out(read(position(state, facts))), state.turn
        expected = open_deal_of(state)
        for seat in range(4):
            if seat != me:
                assert deal[HAND + seat] == 0
                deal[HAND + seat] = expected[HAND + seat]
        expected[VOIDS] = deal[VOIDS]
        if state.trick:
            assert list(deal) == list(expected)
        else:
            assert legal_part(deal) == legal_part(expected)


def legal_part(deal: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    """The part of a kernel deal that counts: between tricks its last trick is ignored."""
    return [int(value) for place, value in enumerate(deal) if place not in (6, 7)]


def test_while_passing_all_39_cards_are_unseen() -> None:
    """During passing the others hold 13 unseen cards each, whether they have chosen or not."""
    state, facts = started(Random(3), 0)
    for seat in (1, 2):
        step = GAME.apply(state, seat, _first_three(state, seat))
        state, facts = step.state, facts + step.facts
    known = read(position(state, facts, 0))
    assert known.leader is None
    assert len(known.unseen) == 39
    assert [place.size for place in known.places] == [13, 13, 13]


def _first_three(state: State, seat: Seat) -> str:
    return " ".join(("pass", *GAME.choices(state, seat).picks[0].cards[:3]))


def test_neighbours_are_alike() -> None:
    """Cards without an unseen card between them count as one, except the queen of spades."""
    mine = parse_cards("2C 3C 5C JS QS KS 2H 3H")
    state = laid_out(("2C 3C 5C JS QS KS 2H 3H", "4C 4H 5H", "6H", "7H"))
    same = alike(mine, read(position(state, GAME.begin(state).facts)))
    assert tuple(same) == mine
    assert tuple(same.values()) == parse_cards("2C 2C 5C JS QS KS 2H 2H")
