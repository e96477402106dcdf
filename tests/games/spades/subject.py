"""Spades for the conformance suite, with worlds that a seat cannot tell apart."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from engine import MatchState, Setup, View, Viewer
from engine.cards import SPADES, TOKENS, suit_of
from engine.choices import Action
from engine.facts import Fact, Seat, ZoneId
from engine.games.spades import Spades, State
from tests.conformance.laying import (
    Spot,
    exchange,
    played_card,
    rebuilt_with,
    redealt_hands,
    shufflers,
    subject_builder,
)
from tests.conformance.playing import Played
from tests.conformance.subject import Lying, Sight, face_down, face_up
from tests.games.spades.hands import deal

Deals: TypeAlias = MatchState[State]

SIGHTS: Mapping[str, Sight] = {
    "deck": Sight.NOBODY,
    "hand": Sight.OWNER,
    "trick": Sight.EVERYBODY,
    "taken": Sight.EVERYBODY,
}

_GRAMMAR = re.compile(rf"look|blind nil|bid ([0-9]|[1-9][0-9])|play ({'|'.join(TOKENS)})")

_MALFORMED = (
    *("", "play", "play ", "bid", "bid ", "play QS ", "PLAY QS", "play  QS", " play QS", "play 1S"),
    *("bid -1", "bid 00", "bid 03", "bid 100", "bid ٣", "bid 3 ", "bid 3\n", "bid QS", "bid nil"),
    *("look ", "look 1", "Look", "looks", "blind", "blind  nil", "blind nil ", "nil", "blind 0"),
    *("play Q♠", "play qs", "play QS KS", "play QS@1", "play 10S", "pass QS"),
)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Setups with all options, one deal or several, and often with blind nil."""
    options: dict[str, int | bool | str] = {
        "target": draw(st.sampled_from((1, 100, 200))),
        "floor": draw(st.sampled_from((-1, -200, -400))),
        "bags": draw(st.booleans()),
        "nil": draw(st.sampled_from(("100", "100", "50", "off"))),
        "blind": draw(st.sampled_from(("always", "always", "behind", "never"))),
        "nil_tricks": draw(st.booleans()),
        "breaking": draw(st.sampled_from((True, True, False))),
    }
    return Setup(4, options, draw(shufflers()))


def lying(state: Deals) -> dict[ZoneId, list[Lying]]:
    """The place of every card; hands that nobody has seen lie in the deck."""
    deal = state.deal
    undealt = [card for seat in range(4) if not deal.looked[seat] for card in deal.hands[seat]]
    zones = {"deck": face_down(undealt), "trick": face_up(deal.trick)}
    for seat in range(4):
        zones[f"hand/{seat}"] = face_down(deal.hands[seat] if deal.looked[seat] else ())
        zones[f"taken/{seat}"] = face_up(deal.taken[seat])
    return zones


def books(view: View) -> tuple[object, object]:
    """Each seat's tricks, from the view's values and counted from the cards it took."""
    said = [view.values[f"tricks/{seat}"] for seat in range(4)]
    return said, [len(view.cards("taken", seat)) / 4 for seat in range(4)]


def plausible(state: Deals) -> Iterator[Action]:
    """Plausible texts of moves: every card, bids of every size, and much that is no move."""
    # The bids are tried as often as the many cards.
    for _ in range(4):
        yield from _MALFORMED
        yield from ("look", "blind nil", "look", "blind nil")
        yield from (f"bid {number}" for number in (*range(15), 52, 99))
    yield from (f"play {token}" for token in TOKENS)


def ends_of_deals() -> Iterator[Fact]:
    """The facts of a nil that is made, and of ten bags, at the end of a deal."""
    nil = deal("2C", "3C", "4C", "5C").bid(0, 1, 1, 1).play("2C", "3C", "4C", "5C")
    bags = deal("2C", "3C", "4C", "5C", before=(0, 9)).bid(1, 0, 1, 0)
    for end in (nil, bags.play("2C", "3C", "4C", "5C")):
        yield from (told.fact for told in end.facts)


def scramble(played: Played[Deals], at: int, viewer: Viewer, rng: Random) -> Deals:
    """Shuffle the unseen cards of the current deal among their places, keeping what seats lack."""
    state = played.steps[at].state
    hands = [list(hand) for hand in state.deal.hands]
    lacks = _lacks(played, at)
    spots = [
        Spot(hand, k, seat)
        for seat, hand in enumerate(hands)
        for k in range(len(hand))
        if seat != viewer or not state.deal.looked[seat]
    ]
    exchange(spots, lambda seat, card: suit_of(card) not in lacks[seat], rng)
    deal = state.deal._replace(hands=tuple(tuple(sorted(hand)) for hand in hands))
    return state._replace(deal=deal)


def _lacks(played: Played[Deals], at: int) -> Mapping[Seat, set[int]]:
    """The suits that each seat is known to lack in the deal in play at step `at`."""
    lacks: dict[Seat, set[int]] = defaultdict(set)
    number = played.steps[at].state.number
    for step, (seat, action) in zip(played.steps[:at], played.moves, strict=False):
        if step.state.number != number or not action.startswith("play "):
            continue
        deal, suit = step.state.deal, suit_of(played_card(action))
        if deal.trick:
            if suit != suit_of(deal.trick[0]):
                lacks[seat].add(suit_of(deal.trick[0]))
        elif suit == SPADES and played.setup.options["breaking"]:
            fallen = [card for pile in deal.taken for card in pile]
            if not any(suit_of(card) == SPADES for card in fallen):
                lacks[seat] |= {0, 1, 3}
    return lacks


def first_dealer(setup: Setup) -> Seat:
    """The first dealer, whom everybody knows."""
    return Spades().start(setup).state.dealer


def redeal(dealt: State, now: State, wanted: State) -> State:
    """The deal from which the moves from `dealt` to `now` lead to `wanted`."""
    return dealt._replace(hands=redealt_hands(dealt.hands, now.hands, wanted.hands))


subject = subject_builder(
    Spades,
    setups=setups(),
    sights=SIGHTS,
    lying=lying,
    books=books,
    plausible=plausible,
    grammar=_GRAMMAR,
    scramble=scramble,
    rebuild=rebuilt_with(redeal, known=first_dealer),
    rare_facts=ends_of_deals,
)
"""The subject of Spades, or of the variant that it is called with."""
