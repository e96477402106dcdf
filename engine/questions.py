"""What a seat is asked, as a phrase: for clients that know no rules, beside the choices.

A native game says it by a method `prompt`; a described game has its own words for it in its view
(``now/choice``). Like the choices it is told to the seat that is asked, and to nobody else.
"""

from typing import Any, Protocol, runtime_checkable

from engine.facts import Seat
from engine.match import Match
from engine.phrases import Phrase


@runtime_checkable
class Asking(Protocol):
    """A game that says what it asks."""

    def prompt(self, state: Any, seat: Seat) -> Phrase | None:
        """What `seat` is asked; None if it is not."""
        ...


def prompt_of(game: Any, state: Any, seat: Seat) -> Phrase | None:
    """What `seat` is asked at `state` of any `game`; None where the game has no phrase for it."""
    if isinstance(game, Match):
        return None if state.over else prompt_of(game.game, state.deal, seat)
    return game.prompt(state, seat) if isinstance(game, Asking) else None
