"""Engine and reference compared: side by side, and by perft."""

import copy
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Protocol, TypeVar

from engine.choices import Action, Choices
from engine.game import Game

S = TypeVar("S")


def perft(game: Game[S], state: S, depth: int) -> int:
    """The number of sequences of `depth` moves from `state`; shorter ones count if the game ends.

    Seats that may act at once do so in any order.
    """
    asked = game.to_act(state)
    if depth == 0 or not asked:
        return 1
    return sum(
        perft(game, game.apply(state, seat, action).state, depth - 1)
        for seat in asked
        for action in every_action(game.choices(state, seat))
    )


class Table(Protocol):
    """A reference implementation at which one player after the other acts."""

    def moves(self) -> set[Action]: ...

    def play(self, move: Action) -> None: ...


def ways(table: Table, depth: int) -> int:
    """The number of sequences by brute force: each move is made on a copy of the reference."""
    moves = table.moves() if depth else set()
    total = 0
    for move in moves:
        after = copy.deepcopy(table)
        after.play(move)
        total += ways(after, depth - 1)
    return total if moves else 1


def every_action(choices: Choices) -> Iterator[Action]:
    """Each single action, those of picks included, with equal cards once."""
    yield from choices.actions
    for pick in choices.picks:
        for size in range(pick.least, pick.most + 1):
            for cards in sorted(set(combinations(pick.cards, size))):
                yield " ".join((pick.verb, *cards))


class ScoredTable(Table, Protocol):
    """A reference implementation that gives each seat's score at the end."""

    def scores(self) -> list[int]: ...


T = TypeVar("T", bound=Table)
Scored = TypeVar("Scored", bound=ScoredTable)


def play_along(
    game: Game[S],
    state: S,
    table: T,
    agree: Callable[[S, T], None],
    pick: Callable[[tuple[Action, ...]], Action],
) -> S:
    """Play equal moves in both to the end, and check at every step that they `agree`."""
    agree(state, table)
    while asked := game.to_act(state):
        move = pick(game.choices(state, asked[0]).actions)
        state = game.apply(state, asked[0], move).state
        table.play(move)
        agree(state, table)
    return state


def agree_to_the_end(
    game: Game[S],
    state: S,
    table: Scored,
    agree: Callable[[S, Scored], None],
    pick: Callable[[tuple[Action, ...]], Action],
) -> None:
    """Check that both `agree` at every step, and on the scores."""
    outcome = game.outcome(play_along(game, state, table, agree, pick))
    assert outcome is not None
    assert list(outcome.scores) == table.scores()
