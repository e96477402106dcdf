"""The partners in a game before any match of it, from the view of a first deal."""

from typing import TypeAlias

from engine import SPECTATOR, AnyGame, Setup, Shuffler, complete_options, seed_from_int
from engine.facts import Seat
from engine.teams import teams_in

Teams: TypeAlias = tuple[tuple[Seat, ...], ...]
"""The seats of each team."""

_MOST = 256


class KnownTeams:
    """Caches the teams of games by id, because dealing a described game takes a while."""

    def __init__(self) -> None:
        self._by_id: dict[str, Teams] = {}

    def of(self, game: AnyGame) -> Teams:
        """Return the teams of a game; described games of one id have equal texts."""
        id = game.info.id
        if id not in self._by_id:
            if len(self._by_id) >= _MOST:
                self._by_id.clear()
            self._by_id[id] = teams_of(game)
        return self._by_id[id]


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
