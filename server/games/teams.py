"""The partners in a game before any match of it, from the view of a first deal."""

from typing import TypeAlias

from engine import SPECTATOR, AnyGame, Setup, Shuffler, complete_options, seed_from_int
from engine.facts import Seat
from engine.teams import teams_in

Teams: TypeAlias = tuple[tuple[Seat, ...], ...]
"""The seats of each team."""


def teams_of(game: AnyGame) -> Teams:
    """Return the seats of each team at the usual number of seats; empty without partners."""
    seats = game.info.usual_seats
    try:
        options = complete_options(game, seats, {})
        state = game.start(Setup(seats, options, Shuffler(seed_from_int(0)))).state
        return teams_in(game.view(state, SPECTATOR).values)
    except Exception:
        # A game that cannot be dealt says so when a match of it is started.
        return ()
