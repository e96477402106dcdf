"""Perft: how many sequences of moves there are, which pins the rules as few other numbers do."""

from typing import TypeVar

from engine.game import Game

S = TypeVar("S")


def perft(game: Game[S], state: S, depth: int) -> int:
    """Sequences of `depth` moves from `state`; shorter ones count where the game ends before.

    Only for games that offer every action singly.
    """
    asked = game.to_act(state)
    if depth == 0 or not asked:
        return 1
    return sum(
        perft(game, game.apply(state, seat, action).state, depth - 1)
        for seat in asked
        for action in game.choices(state, seat).actions
    )
