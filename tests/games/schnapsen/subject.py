"""Schnapsen for the conformance suite, with worlds that a seat cannot tell apart."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from engine import MatchState, Setup, View, Viewer
from engine.cards import Card, Token, card_text, card_texts
from engine.choices import Action
from engine.facts import Seat, ZoneId
from engine.game import OptionValue
from engine.games.schnapsen import EMPTY, Schnapsen, State
from tests.conformance.laying import Spot, exchange, rebuilt_with, shufflers, subject_builder
from tests.conformance.playing import Played
from tests.conformance.subject import Lying, Sight, face_down, face_up
from tests.games.schnapsen.reference import COUNTS

Deals: TypeAlias = MatchState[State]

PACK: tuple[Token, ...] = tuple(rank + suit for suit in "CDSH" for rank in "JQKTA")

SIGHTS: Mapping[str, Sight] = {
    "talon": Sight.NOBODY,
    "turned": Sight.EVERYBODY,
    "hand": Sight.OWNER_AND_FACES,
    "trick": Sight.EVERYBODY,
    "taken": Sight.EVERYBODY,
}

_GRAMMAR = re.compile("play [JQKTA][CDSH]|marry [KQ][CDSH]|exchange|close|claim|pass")

_MALFORMED = (
    *("", "play", "play ", "play QS ", "PLAY QS", "play  QS", " play QS", "play QS\n", "play 9S"),
    *("play Q♠", "play qs", "play QS KS", "play QS@1", "play 10S", "play 2C", "play JJ", "bid 3"),
    *("marry", "marry JS", "marry AS", "marry S", "marry QS KS", "marry 20", "marry qs", "marry "),
    *("exchange JS", "exchange ", "Close", "close!", "close now", "claim 66", "pass 1", "passe"),
)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Setups of short and whole matches under every option."""
    options: dict[str, OptionValue] = {
        "target": draw(st.sampled_from((1, 3, 7))),
        "min_talon": draw(st.sampled_from((2, 4, 6, 8, 10))),
        "freeze": draw(st.booleans()),
        "claim": draw(st.sampled_from(("auto", "manual"))),
    }
    return Setup(2, options, draw(shufflers()))


def lying(state: Deals) -> dict[ZoneId, list[Lying]]:
    deal = state.deal
    zones = {
        "talon": face_down(deal.talon),
        "turned": face_up(card for card in (deal.turned,) if card != EMPTY),
        "trick": face_up(deal.trick),
    }
    for seat in range(2):
        zones[f"hand/{seat}"] = [
            Lying(card_text(card), card in deal.shown[seat]) for card in deal.hands[seat]
        ]
        zones[f"taken/{seat}"] = face_up(deal.taken[seat])
    return zones


def books(view: View) -> tuple[object, object]:
    """Each seat's points, from the view's values and counted from the cards it took."""
    said = [view.values.get(f"points/{seat}") for seat in range(2)]
    if view.values["option/claim"] == "manual":
        return said, [None, None]
    counted = []
    for seat in range(2):
        taken = view.cards("taken", seat)
        married = view.number(f"marriages/{seat}") if taken else 0
        counted.append(sum(COUNTS[card[0]] for card in taken) + married)
    return said, counted


def plausible(state: Deals) -> Iterator[Action]:
    """Plausible texts of moves: every card, every marriage, and much that is no move."""
    for _ in range(3):
        yield from _MALFORMED
        yield from ("exchange", "close", "claim", "pass")
        yield from (f"marry {token}" for token in PACK)
        yield from (f"play {token}" for token in PACK)


def scramble(played: Played[Deals], at: int, viewer: Viewer, rng: Random) -> Deals:
    """Shuffle the unseen cards of the current deal among their places, keeping what hands lack."""
    state = played.steps[at].state
    deal = state.deal
    piles = [*map(list, deal.hands), list(deal.talon)]
    spots = [
        Spot(pile, k, place)
        for place, pile in enumerate(piles)
        for k, card in enumerate(pile)
        if place != viewer and not (place < 2 and card in deal.shown[place])
    ]
    lacking = _lacking(played, at)
    exchange(spots, lambda place, card: card_text(card) not in lacking.get(place, ()), rng)
    first, second, talon = map(tuple, piles)
    return state._replace(deal=deal._replace(hands=(first, second), talon=talon))


def _hidden(deal: State) -> list[Card]:
    """All cards that not everybody knows, hand by hand and then the talon."""
    hands = zip(deal.hands, deal.shown, strict=True)
    return [card for hand, shown in hands for card in hand if card not in shown] + [*deal.talon]


def _lacking(played: Played[Deals], at: int) -> Mapping[Seat, set[Token]]:
    """The cards that each seat is known to lack, since it would have had to play them."""
    lacking: dict[Seat, set[Token]] = {}
    number = played.steps[at].state.number
    for step, (seat, action) in zip(played.steps[:at], played.moves, strict=False):
        deal = step.state.deal
        open_talon = deal.closing is None and deal.turned != EMPTY
        if step.state.number != number or not deal.trick or open_talon:
            continue
        (led,), answer = card_texts(deal.trick), action.removeprefix("play ")
        trump = card_text(13 * deal.trump)[1]
        if answer[1] == led[1]:
            beaten = COUNTS[answer[0]] > COUNTS[led[0]]
            wanted = {c for c in PACK if c[1] == led[1] and COUNTS[c[0]] > COUNTS[led[0]]}
            lacking.setdefault(seat, set()).update(set() if beaten else wanted)
        else:
            wanted = {c for c in PACK if c[1] in (led[1], trump)}
            if answer[1] == trump:
                wanted = {c for c in PACK if c[1] == led[1]}
            lacking.setdefault(seat, set()).update(wanted)
    return lacking


def first_dealer(setup: Setup) -> Seat:
    """The first dealer, whom everybody knows."""
    return Schnapsen().start(setup).state.dealer


def redeal(dealt: State, now: State, wanted: State) -> State:
    """The deal from which the moves from `dealt` to `now` lead to `wanted`.

    A card that lies elsewhere now was dealt, or lay in the talon, where the other one did.
    """
    pairs = zip(_hidden(now), _hidden(wanted), strict=True)
    other: dict[Card, Card] = {here: there for here, there in pairs if here != there}
    return dealt._replace(
        hands=tuple(tuple(other.get(card, card) for card in hand) for hand in dealt.hands),
        talon=tuple(other.get(card, card) for card in dealt.talon),
    )


subject = subject_builder(
    Schnapsen,
    setups=setups(),
    sights=SIGHTS,
    lying=lying,
    pack=lambda setup: Counter(PACK),
    books=books,
    plausible=plausible,
    grammar=_GRAMMAR,
    scramble=scramble,
    rebuild=rebuilt_with(redeal, known=first_dealer),
)
"""The subject of Schnapsen, or of the variant that it is called with."""
