"""What each viewer sees of a deal of Black Queen.

Zones, with columns numbered from 1 as people count them:

    deck               empty once the cards are dealt
    trick              face up, in the order of play
    hand/SEAT          its owner sees the cards, the others their number
    taken/SEAT         face up: whoever watched knows them
    column/SEAT/K      a face-up card, and below it the back of a face-down one
"""

from functools import cache

from engine.cards import Card, card_text, card_texts
from engine.facts import OPEN, Seat, Value, Viewer, ZoneId
from engine.games.black_queen.cards import points
from engine.games.black_queen.state import EMPTY, State
from engine.games.trick_games import hand, taken, zone
from engine.layout import (
    BY_SEAT,
    HAND,
    HIDDEN,
    LEADER,
    PILE,
    SLOTS,
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
        ZoneHint("column", SLOTS, "column"),
        ZoneHint("taken", PILE, "taken"),
    ),
    (LEADER, ValueHint("points", "points", BY_SEAT)),
)
"""How a client lays this out."""


def view_of(state: State, viewer: Viewer) -> View:
    """What `viewer` sees: the zones and values that this module lists."""
    zones: dict[ZoneId, Zone] = {"deck": Zone(), "trick": Zone(card_texts(state.trick))}
    for seat in range(state.setup.seats):
        zones[hand(seat)] = zone(state.hands[seat], viewer in (seat, OPEN))
        zones[taken(seat)] = Zone(card_texts(state.taken[seat]))
        rows = zip(state.up[seat], state.down[seat], strict=True)
        for number, (up, down) in enumerate(rows, start=1):
            zones[column(seat, number)] = _column(up, down, viewer == OPEN)
    values: dict[str, Value] = {
        "leader": state.leader,
        "turn": () if state.over else (state.turn,),
    }
    values |= {f"points/{seat}": points(pile) for seat, pile in enumerate(state.taken)}
    return View(zones, values)


@cache
def column(seat: Seat, number: int) -> ZoneId:
    """The zone of column `number`, from 1, of `seat`."""
    return f"column/{seat}/{number}"


@cache
def _column(up: Card, down: Card, seen: bool) -> Zone:
    above = () if up == EMPTY else (card_text(up),)
    if down == EMPTY:
        return Zone(above)
    return Zone((card_text(down), *above)) if seen else Zone(above, backs=1)
