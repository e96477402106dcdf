"""A few samples of the hidden cards, and a few random moves in each.

It knows no more of the game than its rules and that card points are good: the simplest player that
looks ahead, and so an opponent that has nothing in common with the solver.
"""

from random import Random
from statistics import fmean

from bots.bot import Budget, Candidate, Decision, Position
from bots.random_bot import random_action
from engine.choices import Action
from engine.facts import Seat
from engine.games.schnapsen import Schnapsen, State
from engine.games.schnapsen.sampling import sample_of

_GAME = Schnapsen()


class SamplingPlayer:
    """Plays the move with the best mean over `samples`, with `depth` random moves in each.

    The value of such a line is the share of the card points that the seat has then, or if the deal
    has ended the game points that it won or lost.
    """

    in_place = False
    needs_facts = True

    def __init__(self, *, samples: int = 12, depth: int = 6) -> None:
        if samples < 1 or depth < 1:
            raise ValueError("samples and depth must be at least 1")
        self._samples = samples
        self._depth = depth

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move with the best mean over all samples."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0])
        states = [
            sample_of(position.view, position.facts, position.options, rng)
            for _ in range(self._samples)
        ]
        candidates = tuple(
            Candidate(
                action,
                fmean(self._worth(state, position.seat, action, rng) for state in states),
                {"worlds": float(len(states))},
            )
            for action in actions
        )
        return Decision(max(candidates, key=lambda each: each.value).action, candidates)

    def _worth(self, state: State, seat: Seat, action: Action, rng: Random) -> float:
        """The value for `seat` some random moves after `action`, which counts as the first."""
        state = _GAME.apply(state, seat, action).state
        for _ in range(self._depth - 1):
            if state.result is not None:
                break
            move = random_action(_GAME.choices(state, state.turn), rng)
            state = _GAME.apply(state, state.turn, move).state
        if state.result is not None:
            score = state.result.score
            return float(score if state.result.winner == seat else -score)
        own, others = state.points(seat), state.points(1 - seat)
        return own / (own + others) if own + others else 0.5
