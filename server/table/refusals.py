"""The refusals of a table: the code and the English of each phrase, and those that need more.

The English is for programs, which count seats from 0 and know the numbers of turns; if it need not
differ from the phrase, it is made from it (`server.refusals`).
"""

from collections.abc import Mapping

from engine.facts import Seat, Value
from engine.phrases import Phrase
from protocol.errors import ErrorCode, ProtocolError
from server.refusals import refusal, reworded
from server.table.state import TableState

REASONS: Mapping[str, tuple[ErrorCode, str]] = {
    "already_seated": ("already_seated", "you already sit at this table; 'sit' moves you"),
    "host_only": ("forbidden", "only the table's host may do that"),
    "match_is_closed": ("forbidden", "this table lets nobody into a match; watch instead"),
    "no_bot_there": ("no_such_seat", "no bot sits at seat {place}"),
    "no_open_seat": ("table_full", "no seat of this match is open to you; watch instead"),
    "no_player_there": ("no_such_seat", "no other person sits at seat {place}"),
    "not_seated": ("not_seated", "you have no seat at this table; join it first"),
    "not_your_turn": ("not_your_turn", "another player is asked; wait for your turn"),
    "nothing_to_undo": (
        "nothing_to_undo",
        "you have made no move in this deal that can be taken back",
    ),
    "nothing_to_undo_of": (
        "nothing_to_undo",
        "you can go back at most {most} moves, and none of these is yours",
    ),
    "player_is_away": (
        "forbidden",
        "the player at seat {place} is away; the host is somebody who is here",
    ),
    "removed": ("forbidden", "the host of this table has asked you to leave"),
    "seat_taken": ("seat_taken", "seat {place} is taken"),
    "seats_are_free": ("wrong_phase", "{free} seats are free; fill them with bots"),
    "table_full": ("table_full", "every seat is taken; watch instead"),
    "time_is_left": ("forbidden", "the time of seat {place} is not up"),
    "undo_not_alone": ("forbidden", "moves are taken back only where one person plays with bots"),
    "undo_too_often": ("forbidden", "moves of a match are taken back {most} times at most"),
    "undo_watched": (
        "forbidden",
        "somebody has watched this match; its moves can no longer be taken back",
    ),
}
"""The code of each phrase, and its English for programs with the phrase's arguments."""

_PHASES = {
    "lobby": "still in the lobby",
    "dealing": "dealing",
    "playing": "in the middle of a match",
    "paused": "paused until a player is back",
    "finished": "done with its match; the host may ask for a rematch",
    "stopped": "stopped: its game cannot go on",
    "closed": "closed",
}


def of(phrase: str, **args: Value) -> ProtocolError:
    """Return the refusal with this phrase of `REASONS` and its arguments."""
    code, reason = REASONS[phrase]
    return reworded(code, reason.format_map(args), Phrase(phrase, args))


def wrong_phase(phase: str, advice: str = "") -> ProtocolError:
    """The command is for another phase; `advice` is added to the reason."""
    reason = f"the table is {_PHASES[phase]}{advice}"
    return reworded("wrong_phase", reason, Phrase("wrong_phase", {"phase": phase}))


def turn_over(turn: int, now: int | None = None) -> ProtocolError:
    """The command belongs to a question that is over; `now` is the present one."""
    reason = f"turn {turn} is over" if now is None else f"turn {turn} is over; it is {now}"
    return reworded("stale_turn", reason, Phrase("too_late"))


def just_closed() -> ProtocolError:
    """The table was closed a moment ago."""
    return refusal("unknown_table", "refused_just_closed")


def answered_already(state: TableState) -> ProtocolError:
    """The seat has answered, and others have not yet."""
    reason = f"you have answered turn {state.turn} already"
    return reworded("stale_turn", reason, Phrase("answered_already"))


def no_such_turn(turn: int, turns: tuple[int, ...]) -> ProtocolError:
    """The player has made no move in this turn, or it was taken back."""
    reason = f"turn {turn} is none of yours in this deal; yours are {', '.join(map(str, turns))}"
    phrase = Phrase("no_such_turn", {"turn": turn, "turns": turns})
    return reworded("nothing_to_undo", reason, phrase)


def no_such_seat(seat: Seat, seats: int) -> ProtocolError:
    """The table has fewer seats."""
    reason = f"seats are 0 to {seats - 1}, not {seat}"
    return reworded("no_such_seat", reason, Phrase("no_such_seat", {"place": seat}))


def no_such_strength(strength: int, offered: tuple[int, ...]) -> ProtocolError:
    """The game has no bots of this strength."""
    reason = f"strength {strength}: there are {', '.join(map(str, offered))}"
    phrase = Phrase("no_such_strength", {"strength": strength, "strengths": offered})
    return reworded("unknown_strength", reason, phrase)
