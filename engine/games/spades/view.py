"""What each viewer sees of a deal of Spades.

Zones:

    deck        the hands of players who have yet to decide about blind nil: backs for everybody
    trick       face up, in the order of play
    hand/SEAT   its owner sees the cards, the others their number
    taken/SEAT  face up: everybody has seen them fall

Values: `dealer`, `leader` of the trick and `turn` are seats, `trump` is always spades, `broken`
tells whether a spade has been played. A seat has the number of its `team`, its `tricks` so far,
its `bid` from when it was
made, `blind` if that was a blind nil, and, where bags cost points, the `bags` that its team brings
into the deal.
"""

from engine.cards import SPADES, SYMBOLS, card_texts
from engine.facts import OPEN, Seat, Value, Viewer, ZoneId
from engine.games.spades.state import NO_BID, SEATS, TEAMS, State, team_of
from engine.games.trick_games import hand, taken, zone
from engine.layout import (
    BY_SEAT,
    BY_TEAM,
    DEALER,
    HAND,
    LEADER,
    ON_TABLE,
    PILE,
    TRICK,
    TRUMP,
    ValueHint,
    ZoneHint,
    laid_out,
)
from engine.teams import team_values
from engine.views import View, Zone

LAYOUT = laid_out(
    (
        ZoneHint("deck", PILE, "deck"),
        ZoneHint("trick", TRICK, "trick"),
        ZoneHint("hand", HAND, "hand"),
        ZoneHint("taken", PILE, "taken"),
    ),
    (
        TRUMP,
        ValueHint("broken", "spades broken", ON_TABLE),
        DEALER,
        LEADER,
        ValueHint("bid", "bid", BY_SEAT),
        ValueHint("blind", "blind", BY_SEAT),
        ValueHint("tricks", "tricks", BY_SEAT),
        # A team's number is that of its first seat, so its bags are that seat's.
        ValueHint("bags", "bags", BY_TEAM),
    ),
    TEAMS,
)
"""How a client lays this out."""


def view_of(state: State, viewer: Viewer) -> View:
    """The view of a seat, of spectators, or the open one."""
    undealt = [
        card for seat in range(SEATS) if not state.looked[seat] for card in state.hands[seat]
    ]
    zones: dict[ZoneId, Zone] = {
        "deck": zone(tuple(undealt), viewer == OPEN),
        "trick": Zone(card_texts(state.trick)),
    }
    for seat in range(SEATS):
        cards = state.hands[seat] if state.looked[seat] else ()
        zones[hand(seat)] = zone(cards, viewer in (seat, OPEN))
        zones[taken(seat)] = Zone(card_texts(state.taken[seat]))
    return View(zones, values_of(state))


def values_of(state: State) -> dict[str, Value]:
    """The values of a view, which are equal for all viewers."""
    values: dict[str, Value] = {
        "trump": SYMBOLS[SPADES],
        "broken": state.broken,
        "dealer": state.dealer,
        "leader": state.leader,
        "turn": asked(state),
    }
    values |= team_values(TEAMS)
    if state.setup.options["bags"]:
        values |= {bags(seat): state.bags[team_of(seat)] for seat in range(SEATS)}
    values |= {bid(seat): made for seat, made in enumerate(state.bids) if made != NO_BID}
    values |= {blind(seat): True for seat, so in enumerate(state.blind) if so}
    values |= {tricks(seat): state.tricks(seat) for seat in range(SEATS)}
    return values


def asked(state: State) -> tuple[Seat, ...]:
    """The seat to move; none once the deal is over."""
    return () if state.over else (state.turn,)


def bags(seat: Seat) -> str:
    """The name of the value that holds the bags of a seat's team."""
    return f"bags/{seat}"


def bid(seat: Seat) -> str:
    """The name of the value that holds a seat's bid."""
    return f"bid/{seat}"


def blind(seat: Seat) -> str:
    """The name of the value that says that a seat's nil was bid blind."""
    return f"blind/{seat}"


def tricks(seat: Seat) -> str:
    """The name of the value that counts a seat's tricks."""
    return f"tricks/{seat}"
