"""Perft: how many sequences of moves there are, which pins the rules as few other numbers do."""

from collections.abc import Iterator
from itertools import combinations
from typing import TypeVar

from engine.choices import Action, Choices
from engine.game import Game

S = TypeVar("S")


def perft(game: Game[S], state: S, depth: int) -> int:
    """Sequences of `depth` moves from `state`; shorter ones count where the game ends before.

    Seats that are asked at once may answer in any order.
    """
    asked = game.to_act(state)
    if depth == 0 or not asked:
        return 1
    return sum(
        perft(game, game.apply(state, seat, action).state, depth - 1)
        for seat in asked
        for action in every_action(game.choices(state, seat))
    )


def every_action(choices: Choices) -> Iterator[Action]:
    """Each action by itself, those of a pattern too, equal cards once."""
    yield from choices.actions
    for pick in choices.picks:
        for size in range(pick.least, pick.most + 1):
            for cards in sorted(set(combinations(pick.cards, size))):
                yield " ".join((pick.verb, *cards))
