"""The question for a seat, as a phrase beside the choices, for clients that know no rules.

A native game says it by a method `prompt`; a described game has its own words for it in its view
(``now/choice``). Like the choices it is told to the seat that is asked, and to nobody else.
"""

from collections.abc import Callable
from typing import Any

from engine.facts import Seat
from engine.match import Match
from engine.phrases import Phrase


def prompt_of(game: Any, state: Any, seat: Seat) -> Phrase | None:
    """The question for `seat` at `state` of any `game`; None if the game has no phrase for it."""
    if isinstance(game, Match):
        return None if state.over else prompt_of(game.game, state.deal, seat)
    prompt: Callable[[Any, Seat], Phrase | None] | None = getattr(game, "prompt", None)
    return None if prompt is None else prompt(state, seat)
