"""The refusals that are final.

A refusal is stored so that the command gets the same answer if it comes again, and is not carried
out because the table has moved on meanwhile. A final refusal need not be stored: sent again, the
command is refused again, perhaps with another code.

    act       of a turn that is over: turns only count up
              of this turn, from a seat that is not asked or has answered: only fewer are asked
              that the rules forbid to the only seat that is asked: nothing changes before it moves
    undo      to a turn that is over and cannot be gone back to: such a turn never can be again
    join      of a player whom the host has sent away: nobody is called back
    any       with a seat that the table does not have, or at a table that is closed
"""

from engine.errors import BadAction, EngineError, IllegalAction
from protocol.errors import ProtocolError
from protocol.to_server import Act, AddBot, Join, Kick, MakeHost, RemoveBot, Sit, StandIn, Undo
from server.names import Player
from server.table.decide import TableCommand
from server.table.state import TableState
from server.table.undo import turns_of


def is_final(
    state: TableState, command: TableCommand, player: Player, error: ProtocolError | EngineError
) -> bool:
    """Whether `command`, refused at `state` with `error`, would be refused at all later states."""
    if state.phase == "closed":
        return True
    match command:
        case Act(turn=turn):
            return turn < state.turn or (turn == state.turn and _vain(state, player, error))
        case Undo(turn=int(turn)):
            return turn < state.turn and not _can_go_back(state, player, turn)
        case Join(seat=seat):
            return player.id in state.banned or _no_such(state, seat)
        case AddBot(seat=seat) | Kick(seat=seat) | RemoveBot(seat=seat) | Sit(seat=seat):
            return _no_such(state, seat)
        case StandIn(seat=seat) | MakeHost(seat=seat):
            return _no_such(state, seat)
        case _:
            return False


def _vain(state: TableState, player: Player, error: ProtocolError | EngineError) -> bool:
    """Whether a move of the present turn can never be made."""
    seat = state.seat_of(player.id)
    if seat is None or state.phase != "playing":
        # A player who takes a bot's seat is asked in its place; a pause ends.
        return False
    if seat not in state.to_act:
        return True
    # If several seats are asked at once, another may answer first and change what is allowed.
    return state.asked == (seat,) and isinstance(error, BadAction | IllegalAction)


def _can_go_back(state: TableState, player: Player, turn: int) -> bool:
    seat = state.seat_of(player.id)
    return seat is not None and turn in turns_of(state.undo_points or (), seat)


def _no_such(state: TableState, seat: int | None) -> bool:
    return seat is not None and seat >= len(state.chairs)
