"""Whist for the conformance suite, with worlds that a seat cannot tell apart."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from engine import MatchState, Setup, View, Viewer
from engine.cards import TOKENS, suit_of
from engine.choices import Action
from engine.facts import Seat, ZoneId
from engine.games.whist import State, Whist
from tests.conformance.laying import (
    Spot,
    exchange,
    rebuilt_with,
    redealt_hands,
    shufflers,
    subject_builder,
    voids,
)
from tests.conformance.playing import Played
from tests.conformance.subject import Lying, Sight, face_down, face_up

Deals: TypeAlias = MatchState[State]

SIGHTS: Mapping[str, Sight] = {
    "deck": Sight.NOBODY,
    "turned": Sight.EVERYBODY,
    "hand": Sight.OWNER,
    "trick": Sight.EVERYBODY,
    "taken": Sight.EVERYBODY,
}

_GRAMMAR = re.compile(rf"bid ([0-9]|[1-9][0-9])|play ({'|'.join(TOKENS)})")

_MALFORMED = (
    *("", "play", "play ", "bid", "bid ", "play QS ", "PLAY QS", "play  QS", " play QS", "play 1S"),
    *("bid -1", "bid 00", "bid 03", "bid 100", "bid ٣", "bid 3 ", "bid 3\n", "bid QS", "bid 1.5"),
    *("play Q♠", "play qs", "play QS KS", "play QS@1", "play 10S", "pass QS", "bid", "nil"),
)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Setups with any number of seats, and matches of up to four or of the most cards."""
    seats = draw(st.integers(3, 7))
    most = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}[seats]
    options = {
        "cards": draw(st.integers(1, 4) | st.just(most)),
        "hook": draw(st.booleans()),
        "nil_score": draw(st.integers(0, 20)),
    }
    return Setup(seats, options, draw(shufflers()))


def lying(state: Deals) -> dict[ZoneId, list[Lying]]:
    deal = state.deal
    zones = {
        "deck": face_down(deal.stock),
        "turned": face_up([deal.turned]),
        "trick": face_up(deal.trick),
    }
    for seat in range(deal.setup.seats):
        zones[f"hand/{seat}"] = face_down(deal.hands[seat])
        zones[f"taken/{seat}"] = face_up(deal.taken[seat])
    return zones


def books(view: View) -> tuple[object, object]:
    """Each seat's tricks, from the view's values and counted from the cards it took."""
    seats = range(sum(1 for zone in view.zones if zone.startswith("taken/")))
    said = [view.values[f"tricks/{seat}"] for seat in seats]
    return said, [len(view.cards("taken", seat)) / len(seats) for seat in seats]


def plausible(state: Deals) -> Iterator[Action]:
    """Plausible texts of moves: every card, bids of every size, and much that is no move."""
    # The bids are tried as often as the many cards.
    for _ in range(4):
        yield from _MALFORMED
        yield from (f"bid {number}" for number in (*range(12), 52, 99))
    yield from (f"play {token}" for token in TOKENS)


def scramble(played: Played[Deals], at: int, viewer: Viewer, rng: Random) -> Deals:
    """Shuffle the unseen cards of the current deal among their places, keeping known voids."""
    state = played.steps[at].state
    piles = [*map(list, state.deal.hands), list(state.deal.stock)]
    lacking = voids(played, at)
    spots = [
        Spot(pile, k, place)
        for place, pile in enumerate(piles)
        for k in range(len(pile))
        if place != viewer
    ]
    exchange(spots, lambda place, card: suit_of(card) not in lacking[place], rng)
    *hands, stock = piles
    deal = state.deal._replace(
        hands=tuple(tuple(sorted(hand)) for hand in hands), stock=tuple(stock)
    )
    return state._replace(deal=deal)


def first_dealer(setup: Setup) -> Seat:
    """The first dealer, whom everybody knows."""
    return Whist().start(setup).state.dealer


def redeal(dealt: State, now: State, wanted: State) -> State:
    """The deal from which the moves from `dealt` to `now` lead to `wanted`."""
    hands = redealt_hands(dealt.hands, now.hands, wanted.hands)
    return dealt._replace(hands=hands, stock=wanted.stock)


subject = subject_builder(
    Whist,
    setups=setups(),
    sights=SIGHTS,
    lying=lying,
    books=books,
    plausible=plausible,
    grammar=_GRAMMAR,
    scramble=scramble,
    rebuild=rebuilt_with(redeal, known=first_dealer),
)
"""The subject of Whist, or of the variant that it is called with."""
