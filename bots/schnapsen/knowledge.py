"""A seat's knowledge of a deal of Schnapsen, as the solver's bit sets.

All worlds share this: the seat's own hand, the points, and the state of the talon. It is made from
a seat's view and facts or, for open hands, from a full state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, factorial

import numpy as np

from bots.bot import Position
from bots.schnapsen.bits import Ints, mask_of, place_of
from bots.schnapsen.solver_memory import TALON
from bots.schnapsen.targets import Closed, Side, game_points, targets
from engine.cards import SYMBOLS, Card, Suit, parse_card, parse_cards
from engine.facts import Seat
from engine.games.schnapsen import PACK, Closing, State, values
from engine.games.schnapsen.memory import barred, closing

NOTHING = -1
"""In place of a card that is not there."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What all worlds share, for the seat to play.

    `shown` are the cards of the other hand that were shown; `unseen` are the places of the cards
    that lie face down, of which the other player holds `missing`, and none that is `barred`.
    `stage` is how many cards of the talon were drawn; `turned` is the upturned trump, `led` the
    card to answer, each NOTHING if there is none.
    """

    trump: Suit
    hand: int
    shown: int
    unseen: tuple[int, ...]
    missing: int
    barred: int
    stage: int
    turned: int
    led: int
    seat: Side
    other: Side
    closed: Closed | None

    @property
    def strict(self) -> bool:
        """Whether nothing can be drawn any more, so that leads are followed and beaten."""
        return self.closed is not None or self.stage == TALON

    @property
    def possible(self) -> tuple[int, ...]:
        """The places of `unseen` that the other player may hold."""
        return tuple(place for place in self.unseen if not self.barred >> place & 1)

    def hands(self) -> int:
        """The number of possible hands of the other player: all that matters without a talon."""
        return comb(len(self.possible), self.missing)

    def assignments(self) -> int:
        """The number of worlds that agree with the seat's knowledge: hands and talon orders."""
        face_down = 0 if self.strict else TALON - 1 - self.stage
        return self.hands() * factorial(face_down)

    def situation(self) -> Ints:
        """The knowledge as an array for the kernels (`bots.schnapsen.plan_values`)."""
        tricks = self.seat.has_trick + 2 * self.other.has_trick
        return np.array([self.hand, self.led, self.stage, self.strict, tricks], np.int64)

    def targets(self) -> Ints:
        """The targets that together give the score, a row each (`bots.schnapsen.targets`)."""
        return targets(self.seat, self.other, self.closed)


def read_position(position: Position) -> Knowledge:
    """The knowledge of the seat of `position`; the position must hold the facts of the deal."""
    view, seat = position.view, position.seat
    trump = SYMBOLS.index(str(view.values["trump"]))
    other = view.zones[f"hand/{1 - seat}"]
    taken = tuple(parse_cards(" ".join(view.cards("taken", each))) for each in (0, 1))
    seen = {parse_card(token) for zone in view.zones.values() for token in zone.cards}
    turned = view.cards("turned")
    trick = view.cards("trick")
    return Knowledge(
        trump=trump,
        hand=_mask(view.cards("hand", seat), trump),
        shown=_mask(other.cards, trump),
        unseen=tuple(sorted(place_of(card, trump) for card in PACK if card not in seen)),
        missing=other.backs,
        barred=mask_of(barred(position.facts, trump)[1 - seat], trump),
        stage=TALON - view.zones["talon"].backs - len(turned),
        turned=place_of(parse_card(turned[0]), trump) if turned else NOTHING,
        led=place_of(parse_card(trick[0]), trump) if trick else NOTHING,
        seat=_side(taken[seat], view.number(f"marriages/{seat}")),
        other=_side(taken[1 - seat], view.number(f"marriages/{1 - seat}")),
        closed=_closed(closing(position.facts, taken), seat, bool(position.options["freeze"])),
    )


def read_open_state(state: State) -> Knowledge:
    """The knowledge of the seat to act if all cards lay open."""
    seat, trump = state.turn, state.trump
    freeze = bool(state.setup.options["freeze"])
    return Knowledge(
        trump=trump,
        hand=mask_of(state.hands[seat], trump),
        shown=mask_of(state.hands[1 - seat], trump),
        unseen=tuple(place_of(card, trump) for card in state.talon),
        missing=0,
        barred=0,
        stage=TALON - state.stock,
        turned=NOTHING if state.turned == -1 else place_of(state.turned, trump),
        led=place_of(state.trick[0], trump) if state.trick else NOTHING,
        seat=_side(state.taken[seat], state.marriages[seat]),
        other=_side(state.taken[1 - seat], state.marriages[1 - seat]),
        closed=_closed(state.closing, seat, freeze),
    )


def _mask(tokens: Sequence[str], trump: Suit) -> int:
    return mask_of(map(parse_card, tokens), trump)


def _side(taken: Sequence[Card], marriages: int) -> Side:
    return Side(values(taken) + marriages, bool(taken))


def _closed(closing: Closing | None, seat: Seat, freeze: bool) -> Closed | None:
    if closing is None:
        return None
    has_trick = closing.tricks > 0
    worth = game_points(closing.points, has_trick=has_trick) if freeze else None
    return Closed(closing.seat == seat, worth, 2 if has_trick else 3)
