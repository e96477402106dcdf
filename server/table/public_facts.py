"""The public facts of each kind of log entry.

A field of an entry is sent only if it is named here. So a new field stays in the log until it is
declared public, and a new kind of entry does not type-check without a case.
"""

from typing import assert_never

from engine.facts import AddressedFact, Value, public
from protocol.visible_text import shown_name
from server.table.entries import (
    Acted,
    Body,
    BotAdded,
    BotRemoved,
    Closed,
    Configured,
    Dealt,
    HandedBack,
    HostPassed,
    Left,
    Moved,
    Opened,
    Paused,
    Readied,
    Reopened,
    Resumed,
    Seated,
    Started,
    TakenOver,
    TimedOut,
    Undone,
    Watched,
)
from server.table.state import TableState
from server.table.undo import turns_of


def public_facts(body: Body, before: TableState) -> tuple[AddressedFact, ...]:
    """Return the table's own facts of an entry; `before` is the table before it.

    A player who gives up a seat is named, because another player may sit there afterwards.
    """
    match body:
        case Opened():
            return (public("table_opened"),)
        case Seated(seat=seat, name=name, program=program):
            plays: dict[str, Value] = {"program": shown_name(program)} if program else {}
            return (public("player_seated", {"seat": seat, "name": shown_name(name), **plays}),)
        case Moved(seat=seat, to=to):
            return (public("player_moved", {"seat": seat, "to": to, "name": _name(before, seat)}),)
        case Left(seat=seat, kicked=kicked):
            verb = "player_kicked" if kicked else "player_left"
            return (public(verb, {"seat": seat, "name": _name(before, seat)}),)
        case HostPassed(player=player):
            return (public("host_changed", {"seat": before.seat_of(player)}),)
        case BotAdded(seat=seat, name=name, strength=strength):
            return (
                public("bot_added", {"seat": seat, "name": shown_name(name), "strength": strength}),
            )
        case BotRemoved(seat=seat):
            return (public("bot_removed", {"seat": seat, "name": _name(before, seat)}),)
        case Readied(seat=seat, ready=ready):
            return (public("player_ready", {"seat": seat, "ready": ready}),)
        case Configured():
            return (public("configured"),)
        case Started():
            return (public("match_started", {"match": before.match + 1}),)
        case TakenOver(seat=seat, strength=strength):
            return (public("taken_over", {"seat": seat, "strength": strength}),)
        case HandedBack(seat=seat):
            return (public("handed_back", {"seat": seat}),)
        case TimedOut(seat=seat):
            return (public("timed_out", {"seat": seat}),)
        case Paused():
            return (public("paused"),)
        case Resumed():
            return (public("resumed"),)
        case Undone(seat=seat, turn=turn):
            taken = [each for each in turns_of(before.undo_points or (), seat) if each >= turn]
            return (public("undone", {"seat": seat, "moves": len(taken)}),)
        case Reopened():
            return (public("rematch_opened"),)
        case Closed(reason=reason):
            return (public("table_closed", {"reason": reason}),)
        case Dealt() | Acted() | Watched():
            # The game says what a deal or a move shows, and to whom. That somebody watches is told
            # by a notice, with their number.
            return ()
        case _:
            assert_never(body)


def _name(table: TableState, seat: int) -> str:
    return shown_name(table.chairs[seat].name)
