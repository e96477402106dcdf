"""Who wins a deal of Schnapsen, and how many game points."""

from engine.facts import Seat
from engine.games.schnapsen.state import ENOUGH, Closing, Result, State

_HALF = 33


def reached(state: State, seat: Seat) -> Result:
    """The result when `seat` has 66: the less the opponent has, the more it wins.

    A closer's win was fixed at closing, unless the table counts at the end; the opponent wins as
    much as if the closer had failed.
    """
    loser, closing = 1 - seat, state.closing
    if closing is None:
        return Result(seat, _worth(state.points(loser), state.tricks(loser)))
    if closing.seat != seat:
        return failed(closing)
    if state.setup.options["freeze"]:
        return Result(seat, _worth(closing.points, closing.tricks))
    return Result(seat, _worth(state.points(loser), state.tricks(loser)))


def failed(closing: Closing) -> Result:
    """The result when the talon was closed and the closer is not the first with 66."""
    return Result(1 - closing.seat, 2 if closing.tricks else 3)


def played_out(state: State) -> Result:
    """The result when all cards are played without 66; the taker of the last trick leads."""
    return failed(state.closing) if state.closing else Result(state.leader, 1)


def claimed(state: State, seat: Seat) -> Result:
    """The result of a claim by `seat` to have 66; if it is false the opponent wins.

    A closer cannot save a point by a false claim.
    """
    if state.points(seat) >= ENOUGH:
        return reached(state, seat)
    if state.closing and state.closing.seat == seat:
        return failed(state.closing)
    return Result(1 - seat, 2 if state.tricks(1 - seat) else 3)


def _worth(points: int, tricks: int) -> int:
    """The game points won against a loser with these card points and tricks."""
    if not tricks:
        return 3
    return 2 if points < _HALF else 1
