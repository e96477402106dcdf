"""What each viewer sees of a deal of Whist.

Zones:

    deck        the cards left over: backs for everybody
    turned      the card that was turned up for trumps
    trick       face up, in the order of play
    hand/SEAT   its owner sees the cards, the others their number
    taken/SEAT  face up: whoever watched knows them

Values: `dealer`, `leader` of the trick and `turn` are seats, `cards` is what each was dealt,
`deals` how many deals the match has, `trump` a suit as the legend names it. A seat has its
`tricks` so far, and its `bid` from when it was made.
"""

from engine.cards import SYMBOLS, card_text, card_texts
from engine.facts import OPEN, Seat, Value, Viewer, ZoneId
from engine.games.trick_games import hand, taken, zone
from engine.games.whist.state import NO_BID, State, ladder
from engine.layout import (
    BY_SEAT,
    DEALER,
    HAND,
    LEADER,
    NOBODY,
    ON_TABLE,
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
        ZoneHint("deck", PILE, "deck"),
        ZoneHint("turned", PILE, "turned", over="deck"),
        ZoneHint("trick", TRICK, "trick"),
        ZoneHint("hand", HAND, "hand"),
        ZoneHint("taken", PILE, "taken"),
    ),
    (
        ValueHint("deals", "deals", NOBODY),
        ValueHint("cards", "cards", ON_TABLE),
        TRUMP,
        DEALER,
        LEADER,
        ValueHint("bid", "bid", BY_SEAT),
        ValueHint("tricks", "tricks", BY_SEAT),
    ),
)
"""How a client lays this out."""


def view_of(state: State, viewer: Viewer) -> View:
    """What `viewer` sees: the zones and values that this module lists."""
    zones: dict[ZoneId, Zone] = {
        "deck": zone(state.stock, viewer == OPEN),
        "turned": Zone((card_text(state.turned),)),
        "trick": Zone(card_texts(state.trick)),
    }
    for seat in range(state.setup.seats):
        zones[hand(seat)] = zone(state.hands[seat], viewer in (seat, OPEN))
        zones[taken(seat)] = Zone(card_texts(state.taken[seat]))
    values: dict[str, Value] = {
        "deals": len(ladder(int(state.setup.options["cards"]))),
        "cards": state.cards,
        "trump": SYMBOLS[state.trump],
        "dealer": state.dealer,
        "leader": state.leader,
        "turn": () if state.over else (state.turn,),
    }
    values |= {tricks(seat): state.tricks(seat) for seat in range(state.setup.seats)}
    values |= {bid(seat): made for seat, made in enumerate(state.bids) if made != NO_BID}
    return View(zones, values)


def bid(seat: Seat) -> str:
    """The key of the bid of `seat`."""
    return f"bid/{seat}"


def tricks(seat: Seat) -> str:
    """The key of the number of tricks that `seat` has taken."""
    return f"tricks/{seat}"
