"""What each viewer sees of a deal of Schnapsen.

Zones:

    talon       what can still be drawn, face down for everybody
    turned      the trump that lies face up, drawn last
    trick       face up: the card led
    hand/SEAT   its owner sees the cards, the others those that were shown, and backs
    taken/SEAT  face up: whoever watched knows them

A card of a hand is shown when it was announced as part of a marriage, or taken up from the table.

Values: `dealer`, `leader` of the trick and `turn` are seats, `trump` is a suit as the legend
names it. A seat has the points of its `marriages`, counted or not yet; its `points`, unless
players have to count for themselves; and `closed` from when it closed the talon.
"""

from engine.cards import SYMBOLS, Card, card_text, card_texts
from engine.facts import OPEN, Seat, Value, Viewer, ZoneId
from engine.games.schnapsen.state import EMPTY, State
from engine.games.trick_games import hand, taken
from engine.layout import (
    BY_SEAT,
    DEALER,
    HAND,
    LEADER,
    PILE,
    TRICK,
    TRUMP,
    ValueHint,
    ZoneHint,
    laid_out,
)
from engine.views import View, Zone

LAYOUT = laid_out(
    (
        ZoneHint("talon", PILE, "talon", over="turned"),
        ZoneHint("turned", PILE, "turned"),
        ZoneHint("trick", TRICK, "trick"),
        ZoneHint("hand", HAND, "hand"),
        ZoneHint("taken", PILE, "taken"),
    ),
    (
        TRUMP,
        DEALER,
        LEADER,
        ValueHint("marriages", "marriages", BY_SEAT, zero=False),
        ValueHint("points", "points", BY_SEAT),
        ValueHint("closed", "closed", BY_SEAT),
    ),
)
"""How a client lays this out."""


def view_of(state: State, viewer: Viewer) -> View:
    """What `viewer` sees: the zones and values that this module lists."""
    zones: dict[ZoneId, Zone] = {
        "talon": Zone(card_texts(state.talon)) if viewer == OPEN else Zone(backs=len(state.talon)),
        "turned": Zone(() if state.turned == EMPTY else (card_text(state.turned),)),
        "trick": Zone(card_texts(state.trick)),
    }
    for seat, cards in enumerate(state.hands):
        seen = viewer in (seat, OPEN)
        zones[hand(seat)] = Zone(card_texts(cards)) if seen else _hand(cards, state.shown[seat])
        zones[taken(seat)] = Zone(card_texts(state.taken[seat]))
    values: dict[str, Value] = {
        "trump": SYMBOLS[state.trump],
        "dealer": state.dealer,
        "leader": state.leader,
        "turn": () if state.result else (state.turn,),
    }
    for seat in range(len(state.hands)):
        values |= counted(state, seat)
    if state.closing is not None:
        values[closed(state.closing.seat)] = True
    return View(zones, values)


def counted(state: State, seat: Seat) -> dict[str, Value]:
    """The values of a seat's points that are shown to everybody."""
    values: dict[str, Value] = {marriages(seat): state.marriages[seat]}
    if not state.manual:
        values[points(seat)] = state.points(seat)
    return values


def points(seat: Seat) -> str:
    """The key of the value for a seat's card points."""
    return f"points/{seat}"


def marriages(seat: Seat) -> str:
    """The key of the value for a seat's announced marriage points."""
    return f"marriages/{seat}"


def closed(seat: Seat) -> str:
    """The key of the value that says that `seat` closed the talon."""
    return f"closed/{seat}"


def _hand(cards: tuple[Card, ...], shown: tuple[Card, ...]) -> Zone:
    return Zone(card_texts(shown), len(cards) - len(shown))
