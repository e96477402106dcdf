"""The reasons of a table's refusals: each with its code, its English and its phrase.

The English is for programs, which count seats from 0 and know the numbers of turns; if it need not
differ from the phrase, it is made from it (`server.refusals`).
"""

from collections.abc import Mapping

from engine.facts import Seat, Value
from engine.phrases import Phrase
from protocol.errors import ErrorCode, ProtocolError
from server.refusals import refusal, reworded
from server.table.state import TableState

_PHASES = {
    "lobby": "still in the lobby",
    "dealing": "dealing",
    "playing": "in the middle of a match",
    "paused": "paused until a player is back",
    "finished": "done with its match; the host may ask for a rematch",
    "stopped": "stopped: its game cannot go on",
    "closed": "closed",
}


def wrong_phase(state: TableState, advice: str = "") -> ProtocolError:
    """The command is for another phase; `advice` is added to the reason."""
    reason = f"the table is {_PHASES[state.phase]}{advice}"
    return _refused("wrong_phase", reason, "wrong_phase", {"phase": state.phase})


def stale_turn(state: TableState, turn: int) -> ProtocolError:
    """The move answers a question that is over."""
    return _refused("stale_turn", f"turn {turn} is over; it is {state.turn}", "too_late")


def turn_over(turn: int) -> ProtocolError:
    """The request belongs to a question that is over."""
    return _refused("stale_turn", f"turn {turn} is over", "too_late")


def stopped() -> ProtocolError:
    """The rules have failed at the table's match."""
    reason = "the table is stopped: its game cannot go on"
    return _refused("wrong_phase", reason, "wrong_phase", {"phase": "stopped"})


def just_closed() -> ProtocolError:
    """The table was closed a moment ago."""
    return refusal("unknown_table", "refused_just_closed")


def answered_already(state: TableState) -> ProtocolError:
    """The seat has answered, and others have not yet."""
    reason = f"you have answered turn {state.turn} already"
    return _refused("stale_turn", reason, "answered_already")


def not_your_turn() -> ProtocolError:
    """Another player is to move."""
    reason = "another player is asked; wait for your turn"
    return _refused("not_your_turn", reason, "not_your_turn")


def host_only() -> ProtocolError:
    """The player is not the host."""
    return _refused("forbidden", "only the table's host may do that", "host_only")


def not_seated() -> ProtocolError:
    """The player has no seat."""
    reason = "you have no seat at this table; join it first"
    return _refused("not_seated", reason, "not_seated")


def already_seated() -> ProtocolError:
    """The player has a seat."""
    reason = "you already sit at this table; 'sit' moves you"
    return _refused("already_seated", reason, "already_seated")


def removed() -> ProtocolError:
    """The host has removed the player for good."""
    return _refused("forbidden", "the host of this table has asked you to leave", "removed")


def player_is_away(seat: Seat) -> ProtocolError:
    """The host may not hand the table to a player whose connection is gone."""
    reason = f"the player at seat {seat} is away; the host is somebody who is here"
    return _refused("forbidden", reason, "player_is_away", {"place": seat})


def match_is_closed() -> ProtocolError:
    """The table's settings let nobody join a match."""
    reason = "this table lets nobody into a match; watch instead"
    return _refused("forbidden", reason, "match_is_closed")


def no_open_seat() -> ProtocolError:
    """No bot's seat is open to a player who joins a match."""
    reason = "no seat of this match is open to you; watch instead"
    return _refused("table_full", reason, "no_open_seat")


def undo_not_alone() -> ProtocolError:
    """Another person has had a seat in this match."""
    reason = "moves are taken back only where one person plays with bots"
    return _refused("forbidden", reason, "undo_not_alone")


def undo_watched() -> ProtocolError:
    """The match has had a spectator."""
    reason = "somebody has watched this match; its moves can no longer be taken back"
    return _refused("forbidden", reason, "undo_watched")


def undo_too_often(most: int) -> ProtocolError:
    """Moves of this match have been taken back too often."""
    reason = f"moves of a match are taken back {most} times at most"
    return _refused("forbidden", reason, "undo_too_often", {"most": most})


def nothing_to_undo(kept: int | None) -> ProtocolError:
    """The player has made no move in this deal, or none of the last ones that are `kept`."""
    if kept is not None:
        reason = f"you can go back at most {kept} moves, and none of these is yours"
        return _refused("nothing_to_undo", reason, "nothing_to_undo_of", {"most": kept})
    reason = "you have made no move in this deal that can be taken back"
    return _refused("nothing_to_undo", reason, "nothing_to_undo")


def no_such_turn(turn: int, turns: tuple[int, ...]) -> ProtocolError:
    """The player has made no move in this turn, or it was taken back."""
    reason = f"turn {turn} is none of yours in this deal; yours are {', '.join(map(str, turns))}"
    return _refused("nothing_to_undo", reason, "no_such_turn", {"turn": turn, "turns": turns})


def table_full() -> ProtocolError:
    """No seat is free."""
    return _refused("table_full", "every seat is taken; watch instead", "table_full")


def seats_are_free(free: int) -> ProtocolError:
    """The match cannot start while seats are free."""
    reason = f"{free} seats are free; fill them with bots"
    return _refused("wrong_phase", reason, "seats_are_free", {"free": free})


def seat_taken(seat: Seat) -> ProtocolError:
    """Somebody has the seat."""
    return _refused("seat_taken", f"seat {seat} is taken", "seat_taken", {"place": seat})


def no_such_seat(seat: Seat, seats: int) -> ProtocolError:
    """The table has fewer seats."""
    reason = f"seats are 0 to {seats - 1}, not {seat}"
    return _refused("no_such_seat", reason, "no_such_seat", {"place": seat})


def no_bot_there(seat: Seat) -> ProtocolError:
    """There is no bot at the seat."""
    reason = f"no bot sits at seat {seat}"
    return _refused("no_such_seat", reason, "no_bot_there", {"place": seat})


def no_player_there(seat: Seat) -> ProtocolError:
    """The seat is free or a bot's."""
    reason = f"no other person sits at seat {seat}"
    return _refused("no_such_seat", reason, "no_player_there", {"place": seat})


def time_is_left(seat: Seat) -> ProtocolError:
    """The player still has time, or is not to move."""
    reason = f"the time of seat {seat} is not up"
    return _refused("forbidden", reason, "time_is_left", {"place": seat})


def no_such_strength(strength: int, offered: tuple[int, ...]) -> ProtocolError:
    """The game has no bots of this strength."""
    reason = f"strength {strength}: there are {', '.join(map(str, offered))}"
    args: Mapping[str, Value] = {"strength": strength, "strengths": offered}
    return _refused("unknown_strength", reason, "no_such_strength", args)


def _refused(
    code: ErrorCode, reason: str, phrase: str, args: Mapping[str, Value] | None = None
) -> ProtocolError:
    return reworded(code, reason, Phrase(phrase, args or {}))
