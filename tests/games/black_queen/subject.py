"""Black Queen for the conformance suite, with worlds that a seat cannot tell apart."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from engine import MatchState, Setup, View, Viewer
from engine.cards import TOKENS, Token, card_text, suit_of
from engine.choices import Action
from engine.facts import ZoneId
from engine.games.black_queen import EMPTY, BlackQueen, State
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
    "hand": Sight.OWNER,
    "column": Sight.BY_FACE,
    "trick": Sight.EVERYBODY,
    "taken": Sight.EVERYBODY,
}

_FACE_DOWN = -1
"""The place of face-down cards, where any card may lie."""
_GRAMMAR = re.compile(rf"play ({'|'.join(TOKENS)})(@([1-9]|[1-9][0-9]))?")

_MALFORMED = (
    *("", "play", "play ", "play QS ", "PLAY QS", "play  QS", " play QS", "play QS\n", "bid 3"),
    *("play QS@", "play QS@0", "play QS@01", "play QS@100", "play QS@-1", "play QS@１", "play Q♠"),
    *("play 1S", "play QX", "play qs", "play QS KS", "pass QS", "play QS@1@1", "play 10S"),
)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Setups with any number of seats and columns, and one or two deals."""
    seats = draw(st.integers(2, 8))
    held = {2: 26, 3: 17, 4: 26, 5: 20, 6: 26, 7: 22, 8: 26}[seats]
    columns = draw(st.integers(0, held // 2))
    options = {"deals": draw(st.integers(1, 2)), "columns": columns}
    return Setup(seats, options, draw(shufflers()))


def lying(state: Deals) -> dict[ZoneId, list[Lying]]:
    deal = state.deal
    zones = {"deck": [], "trick": face_up(deal.trick)}
    for seat in range(deal.setup.seats):
        zones[f"hand/{seat}"] = face_down(deal.hands[seat])
        zones[f"taken/{seat}"] = face_up(deal.taken[seat])
        for place, pair in enumerate(zip(deal.down[seat], deal.up[seat], strict=True)):
            zones[f"column/{seat}/{place + 1}"] = [
                Lying(card_text(card), face_up)
                for card, face_up in zip(pair, (False, True), strict=True)
                if card != EMPTY
            ]
    return zones


def pack(setup: Setup) -> Counter[Token]:
    """The packs without the cards that the source removes."""
    removed = {3: ["2D"], 5: ["2D", "2D", "2C", "2S"], 7: ["2D", "2D"]}.get(setup.seats, [])
    cards = Counter(TOKENS * (setup.seats // 2))
    cards.subtract(removed)
    return +cards


def books(view: View) -> tuple[object, object]:
    """Each seat's points, from the view's values and counted from the cards it took."""
    seats = range(sum(1 for zone in view.zones if zone.startswith("taken/")))
    said = [view.values[f"points/{seat}"] for seat in seats]
    taken = [view.cards("taken", seat) for seat in seats]
    return said, [-sum(12 * (c == "QS") + (c[1] == "H") for c in cards) for cards in taken]


def plausible(state: Deals) -> Iterator[Action]:
    """Plausible texts of moves: every card from hand and columns, and much that is no move."""
    yield from _MALFORMED
    for token in TOKENS:
        yield f"play {token}"
        for column in (1, 2, len(state.deal.up[0]), len(state.deal.up[0]) + 1, 99):
            yield f"play {token}@{column}"


def scramble(played: Played[Deals], at: int, viewer: Viewer, rng: Random) -> Deals:
    """Shuffle the unseen cards of the current deal among their places, keeping known voids.

    Sometimes only the hands are, so that turning up a face-down card does not end the comparison.
    """
    state = played.steps[at].state
    hands, down = [list(pile) for pile in state.deal.hands], [list(row) for row in state.deal.down]
    spots = [
        Spot(hand, k, seat)
        for seat, hand in enumerate(hands)
        for k in range(len(hand))
        if seat != viewer
    ]
    if rng.random() < 0.7:
        spots += [
            Spot(row, k, _FACE_DOWN) for row in down for k in range(len(row)) if row[k] != EMPTY
        ]
    lacking = voids(played, at)
    exchange(spots, lambda place, card: suit_of(card) not in lacking[place], rng)
    deal = state.deal._replace(
        hands=tuple(tuple(sorted(pile)) for pile in hands),
        down=tuple(tuple(row) for row in down),
    )
    return state._replace(deal=deal)


def redeal(dealt: State, now: State, wanted: State) -> State:
    """The deal from which the moves from `dealt` to `now` lead to `wanted`."""
    down = tuple(
        tuple(first if other == EMPTY else other for first, other in zip(*rows, strict=True))
        for rows in zip(dealt.down, wanted.down, strict=True)
    )
    return dealt._replace(hands=redealt_hands(dealt.hands, now.hands, wanted.hands), down=down)


subject = subject_builder(
    BlackQueen,
    setups=setups(),
    sights=SIGHTS,
    lying=lying,
    pack=pack,
    books=books,
    plausible=plausible,
    grammar=_GRAMMAR,
    scramble=scramble,
    rebuild=rebuilt_with(redeal),
)
"""The subject of Black Queen, or of the variant that it is called with."""
