"""What each viewer sees of a deal of Hearts.

Zones:

    deck           empty once the cards are dealt
    trick          face up, in the order of play
    hand/SEAT      its owner sees the cards, the others their number
    passing/SEAT   laid aside until all have chosen: its owner sees the cards, the others their
                   number; only in deals in which cards are passed
    taken/SEAT     face up: whoever watched knows them

Values: `pass` is left, right, across or hold, and missing where the rules know no passing;
`broken` tells whether a heart has been played; `turn` are the seats that are asked; `leader` of
the trick is missing while cards are passed. A seat has its `points` so far.
"""

from engine.cards import card_texts
from engine.facts import OPEN, Seat, Value, Viewer, ZoneId
from engine.games.hearts.cards import points
from engine.games.hearts.rule_sets import DIRECTIONS
from engine.games.hearts.state import NOBODY, SEATS, State
from engine.games.trick_games import hand, taken, zone
from engine.layout import (
    BY_SEAT,
    HAND,
    HIDDEN,
    LEADER,
    ON_TABLE,
    PILE,
    ROW,
    TRICK,
    ValueHint,
    ZoneHint,
    laid_out,
)
from engine.views import View, Zone

LAYOUT = laid_out(
    (
        ZoneHint("deck", HIDDEN, "deck"),
        ZoneHint("trick", TRICK, "trick"),
        ZoneHint("hand", HAND, "hand"),
        ZoneHint("passing", ROW, "passing"),
        ZoneHint("taken", PILE, "taken"),
    ),
    (
        ValueHint("pass", "pass", ON_TABLE),
        ValueHint("broken", "hearts broken", ON_TABLE),
        LEADER,
        ValueHint("points", "points", BY_SEAT),
    ),
)
"""How a client lays this out."""


def view_of(state: State, viewer: Viewer) -> View:
    """What `viewer` sees: the zones and values that this module lists."""
    zones: dict[ZoneId, Zone] = {"deck": Zone(), "trick": Zone(card_texts(state.trick))}
    for seat in range(SEATS):
        seen = viewer in (seat, OPEN)
        zones[hand(seat)] = zone(state.hands[seat], seen)
        if state.shift:
            zones[passing(seat)] = zone(state.passed[seat] if state.passing else (), seen)
        zones[taken(seat)] = Zone(card_texts(state.taken[seat]))
    return View(zones, values_of(state))


def values_of(state: State) -> dict[str, Value]:
    """The values of a view, which are equal for all viewers."""
    values: dict[str, Value] = {"broken": state.broken, "turn": asked(state)}
    if len(state.rules.shifts) > 1:
        values["pass"] = DIRECTIONS[state.shift]
    if not state.passing:
        values["leader"] = state.leader
    values |= {f"points/{seat}": points(pile) for seat, pile in enumerate(state.taken)}
    return values


def asked(state: State) -> tuple[Seat, ...]:
    """The seats that may act now."""
    # Asked several times a move, so `passing`, `over` and `turn` are written out.
    leader, trick = state.leader, state.trick
    if leader == NOBODY:
        return state.choosing
    return ((leader + len(trick)) % SEATS,) if trick or state.hands[leader] else ()


def passing(seat: Seat) -> ZoneId:
    """The zone of the cards that `seat` has chosen to pass."""
    return f"passing/{seat}"
