"""How people and bots take and leave the chairs of a table."""

from engine.facts import AddressedFact, Seat, public
from server.table.entries import Left
from server.table.state import EMPTY_CHAIR, Chair, TableState


def sit(state: TableState, seat: Seat, chair: Chair) -> TableState:
    """The table when a player has taken a seat, in a match perhaps as its second person."""
    state = set_chair(state, seat, chair)
    # Somebody who comes and goes at one seat has seen it once.
    if state.phase in ("playing", "paused") and (chair.player, seat) not in state.seen:
        state = state._replace(seen=(*state.seen, (chair.player, seat)))
        if any(who != chair.player for who, _ in state.seen):
            state = state._replace(moments=None)
    return state._replace(host=seat if state.host is None else state.host)


def leave(state: TableState, body: Left) -> tuple[TableState, tuple[AddressedFact, ...]]:
    """The table when a player has left, and what that tells beside it: who the host is now."""
    gone = state.chairs[body.seat]
    bot = EMPTY_CHAIR
    if body.strength is not None:
        bot = Chair("bot", name=body.bot, strength=body.strength)
    state = set_chair(state, body.seat, bot)
    if body.kicked:
        state = state._replace(banned=state.banned | {gone.player})
    if state.host != body.seat:
        return state, ()
    humans = state.humans()
    heir = next((seat for seat in humans if seat > body.seat), humans[0] if humans else None)
    facts = () if heir is None else (public("host_changed", {"seat": heir}),)
    return state._replace(host=heir), facts


def set_chair(state: TableState, seat: Seat, chair: Chair) -> TableState:
    """The table with another chair at a seat."""
    chairs = (*state.chairs[:seat], chair, *state.chairs[seat + 1 :])
    return state._replace(chairs=chairs)
