"""The effects of bots and time on a table: entries for the log, and bots to ask."""

from bots import strength_of
from engine.choices import Action
from engine.facts import Seat
from server.table.clocks import Clocks
from server.table.decide import Decider
from server.table.effects import AskBot
from server.table.entries import (
    Acted,
    Body,
    Closed,
    HandedBack,
    HostPassed,
    Paused,
    Resumed,
    TakenOver,
    TimedOut,
)
from server.table.state import TableState


def entries_due(decider: Decider, state: TableState, clocks: Clocks, now: float) -> list[Body]:
    """Return the entries that are due: a close, a return, a new host, a pause, stand-ins."""
    reason = clocks.closing(state, now)
    if reason is not None:
        return [Closed(reason)]
    if state.phase == "lobby":
        # A player who is away from the lobby for too long loses their seat.
        overdue = clocks.overdue(state, now)
        return decider.leave(state, overdue[0], clocks.is_away) if overdue else []
    back: list[Body] = [HandedBack(seat) for seat in clocks.returned(state)]
    if clocks.resumes(state):
        back.append(Resumed())
    if back:
        return back
    heir = clocks.next_host(state)
    passed: list[Body] = []
    if heir is not None and now >= heir.at:
        passed.append(HostPassed(state.chairs[heir.seat].player))
    if state.phase != "playing":
        return passed
    overdue = clocks.overdue(state, now)
    if overdue and len(overdue) == len(state.humans()):
        return [Paused()]
    strength = strength_of(state.game, "medium")
    absent = [seat for seat in overdue if not state.chairs[seat].stand_in]
    return [*passed, *(TakenOver(seat, strength) for seat in absent)]


def bots_to_ask(state: TableState, clocks: Clocks, now: float) -> list[AskBot]:
    """Return the bots to ask now, for their own seats or for one whose clock ran out."""
    if state.phase != "playing":
        return []
    return [_ask_bot(state, seat) for seat in clocks.to_ask(state, now)]


def _ask_bot(state: TableState, seat: Seat) -> AskBot:
    chair = state.chairs[seat]
    if chair.strength is None or not chair.played_by_bot:
        return AskBot(seat, state.turn, strength_of(state.game, "medium"), "clock")
    return AskBot(seat, state.turn, chair.strength)


def entries_of_choice(state: TableState, ask: AskBot, action: Action, strength: int) -> list[Body]:
    """Return the entries of a bot's choice, of its `strength`; none if its question is over."""
    chair = state.chairs[ask.seat]
    if state.phase != "playing" or ask.turn != state.turn or ask.seat not in state.to_act:
        return []
    if ask.purpose == "clock":
        return [TimedOut(ask.seat), Acted(ask.seat, action, "clock", strength)]
    if not chair.played_by_bot:
        return []
    return [Acted(ask.seat, action, "stand_in" if chair.stand_in else "bot", strength)]
