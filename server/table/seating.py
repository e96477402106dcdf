"""Lets people and bots take and leave the chairs of a table."""

from collections.abc import Callable

from engine.facts import AddressedFact, Seat, public
from server.table.entries import Left
from server.table.state import EMPTY_CHAIR, Chair, TableState


def sit(state: TableState, seat: Seat, chair: Chair) -> TableState:
    """Seat a player, in a match perhaps as its second person."""
    state = set_chair(state, seat, chair)
    # Somebody who comes and goes at one seat has seen it once.
    if state.phase in ("playing", "paused") and (chair.player, seat) not in state.seen:
        state = state._replace(seen=(*state.seen, (chair.player, seat)))
        if any(who != chair.player for who, _ in state.seen):
            state = state._replace(undo_points=None)
    return state._replace(host=chair.player if state.host is None else state.host)


def leave(state: TableState, body: Left) -> tuple[TableState, tuple[AddressedFact, ...]]:
    """Remove a player; return the table, and the facts of a new host.

    A host who leaves makes another player host by an entry of its own (`heir`). In older logs the
    next human in the order of seats is the host.
    """
    gone = state.chairs[body.seat]
    bot = EMPTY_CHAIR
    if body.strength is not None:
        bot = Chair("bot", name=body.bot, strength=body.strength)
    state = set_chair(state, body.seat, bot)
    if body.kicked:
        state = state._replace(banned=state.banned | {gone.player})
    if state.host != gone.player:
        return state, ()
    humans = state.humans()
    heir = next((seat for seat in humans if seat > body.seat), humans[0] if humans else None)
    facts = () if heir is None else (public("host_changed", {"seat": heir}),)
    return state._replace(host=None if heir is None else state.chairs[heir].player), facts


def heir(state: TableState, is_away: Callable[[Seat], bool]) -> Seat | None:
    """Return the next host: the present player who has sat longest.

    Programs come after people, and absent players after present ones; None if nobody else sits
    here.
    """

    def rank(seat: Seat) -> tuple[bool, bool, int]:
        chair = state.chairs[seat]
        return bool(chair.program), is_away(seat), chair.since

    others = [seat for seat in state.humans() if seat != state.host_seat]
    return min(others, key=rank, default=None)


def set_chair(state: TableState, seat: Seat, chair: Chair) -> TableState:
    """Return the table with another chair at a seat."""
    chairs = (*state.chairs[:seat], chair, *state.chairs[seat + 1 :])
    return state._replace(chairs=chairs)
