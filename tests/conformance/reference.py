"""Engine and reference side by side."""

from collections.abc import Callable
from typing import TypeVar

from engine.choices import Action
from engine.game import Game
from tests.conformance.perft import Table

S = TypeVar("S")
T = TypeVar("T", bound=Table)


def play_along(
    game: Game[S],
    state: S,
    table: T,
    agree: Callable[[S, T], None],
    pick: Callable[[tuple[Action, ...]], Action],
) -> S:
    """Make the same moves at both to the end, and see at every step that they `agree`."""
    agree(state, table)
    while asked := game.to_act(state):
        move = pick(game.choices(state, asked[0]).actions)
        state = game.apply(state, asked[0], move).state
        table.play(move)
        agree(state, table)
    return state
