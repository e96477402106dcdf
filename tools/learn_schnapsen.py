"""Learn the weights of Schnapsen's playouts again: prints `bots/schnapsen/weights.py`.

.venv/bin/python -m tools.learn_schnapsen [--deals 4000] [--worlds 200] [--seed 1]

The bot plays against itself, and makes some moves at random so that it also meets worse positions.
At each decision with an open talon every card is tried in worlds that the current weights play on.
The new weights are fitted to prefer the cards that won most: a softmax of the cards' features
against a softmax of how often they won. With the new weights the next round learns from better
play; after some rounds little changes any more.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from types import ModuleType

import numpy as np

from bots import Position
from bots.schnapsen import answer_features, bits, lead_features
from bots.schnapsen.answer_features import ANSWER_FEATURES, describe_answer
from bots.schnapsen.bits import JACK_OF_TRUMPS, Floats
from bots.schnapsen.knowledge import NOTHING, Knowledge, read_position
from bots.schnapsen.lead_features import LEAD_FEATURES, describe_lead
from bots.schnapsen.plans import Plan, plans_of
from bots.schnapsen.playout_mix import PlayoutMix
from bots.schnapsen.search import OTHERS_TEMPERATURE, OWN_TEMPERATURE
from bots.schnapsen.solver import Solver
from bots.schnapsen.solver_memory import TALON
from bots.schnapsen.worlds import every_hand, sampled_worlds
from bots.search.draws import draws_from
from engine.choices import Action
from engine.facts import seen_by
from engine.game import Setup, complete_options
from engine.games.schnapsen import ENOUGH, Schnapsen
from engine.shuffle import Shuffler, seed_from_int

GAME = Schnapsen()
OPTIONS = complete_options(GAME, 2, {})
AT_RANDOM = 0.1
"""The share of moves that are made at random."""
TENDS = 0.03
"""A card that wins so much less often should be chosen e times less."""
PRIOR = 1e-5
"""Keeps weights small that hardly matter."""
CARDS = 5
RANKS = tuple(
    rank + suit for suit in ("", " of trumps") for rank in ("jack", "queen", "king", "ten", "ace")
)


@dataclass(slots=True)
class Lessons:
    """Decisions of one kind: what each card had about it, and how often it won."""

    described: list[Floats] = field(default_factory=list)
    won: list[Floats] = field(default_factory=list)

    def add(self, described: Floats, won: Floats) -> None:
        """Add one decision: a row of features for each card, and how often each card won."""
        missing = CARDS - won.size
        self.described.append(np.pad(described, ((0, missing), (0, 0))))
        self.won.append(np.pad(won, (0, missing), constant_values=-np.inf))

    def weights(self, rounds: int = 12) -> Floats:
        """Multinomial logistic regression by Newton's method."""
        cards, won = np.array(self.described), np.array(self.won)
        aims = _softmax((won - won.max(axis=1, keepdims=True)) / TENDS)
        closed = np.where(np.isinf(won), -np.inf, 0.0)
        weights = np.zeros(cards.shape[2])
        for _ in range(rounds):
            chances = _softmax(cards @ weights + closed)
            mean = np.einsum("ij,ijk->ik", chances, cards)
            slope = np.einsum("ij,ijk->k", aims - chances, cards) / len(won) - 2 * PRIOR * weights
            bend = np.tensordot(cards * chances[..., None], cards, axes=((0, 1), (0, 1)))
            bend = (bend - mean.T @ mean) / len(won) + 2 * PRIOR * np.eye(weights.size)
            weights = weights + np.linalg.solve(bend, slope)
        return weights


def _softmax(worth: Floats) -> Floats:
    powers: Floats = np.exp(worth - worth.max(axis=1, keepdims=True))
    chances: Floats = powers / powers.sum(axis=1, keepdims=True)
    return chances


class Learner:
    """Plays deals and keeps the decisions to learn from.

    `leads` and `answers` are pairs: with a talon for more than one trick, and at its last.
    """

    def __init__(self, worlds: int, seed: int) -> None:
        self.leads = (Lessons(), Lessons())
        self.answers = (Lessons(), Lessons())
        self._worlds = worlds
        self._rng = Random(seed)
        self._solver = Solver(OPTIONS, mix=PlayoutMix(1.0, OWN_TEMPERATURE, OTHERS_TEMPERATURE))

    def play(self, seed: int) -> None:
        """One deal, from its first lead to its end."""
        step = GAME.start(Setup(2, OPTIONS, Shuffler(seed_from_int(seed))))
        state, facts = step.state, step.facts
        while state.result is None:
            seat, choices = state.turn, GAME.choices(state, state.turn)
            view = GAME.view(state, seat)
            asked = Position("schnapsen", seat, view, choices, OPTIONS, seen_by(facts, seat))
            step = GAME.apply(state, seat, self._chosen(asked))
            state, facts = step.state, facts + step.facts

    def _chosen(self, asked: Position) -> Action:
        actions = asked.choices.actions
        known = read_position(asked)
        plans = plans_of(known, actions)
        best = plans[0].action if len(plans) == 1 else self._best(known, plans)
        if not known.strict and self._rng.random() < AT_RANDOM:
            return self._rng.choice([action for action in actions if action != "close"])
        return best

    def _best(self, known: Knowledge, plans: Sequence[Plan]) -> Action:
        self._solver.begin()
        closing = [plan for plan in plans if known.strict or plan.close]
        # A player who can exchange does, in playouts too.
        exchanges = any(plan.exchange for plan in plans)
        on = [plan for plan in plans if plan not in closing and plan.exchange == exchanges]
        tried = list(zip(closing, self._share_won(known, closing, by_hand=True), strict=True))
        if on:
            won = self._share_won(known, on, by_hand=False)
            tried += zip(on, won, strict=True)
            kind = self.leads if known.led == NOTHING else self.answers
            described = np.array([_described(known, plan) for plan in on])
            kind[known.stage == TALON - 2].add(described, won)
        return max(tried, key=lambda each: each[1])[0].action

    def _share_won(self, known: Knowledge, plans: Sequence[Plan], *, by_hand: bool) -> Floats:
        draws = draws_from(self._rng)
        worlds = every_hand(known) if by_hand else sampled_worlds(known, self._worlds, draws)
        shares: Floats = self._solver.wins(known, plans, worlds).mean(axis=1)
        return shares


def _described(known: Knowledge, plan: Plan) -> Floats:
    hand, turned = known.hand, 1 << known.turned
    if plan.exchange:
        hand, turned = hand ^ JACK_OF_TRUMPS | turned, JACK_OF_TRUMPS
    out = known.shown | sum(1 << place for place in known.unseen)
    need, bar = ENOUGH - known.seat.points, ENOUGH - known.other.points
    card = 1 << plan.card
    if known.led == NOTHING:
        found = np.empty(LEAD_FEATURES)
        describe_lead(card, hand, out, turned, need, bar, found)
    else:
        found = np.empty(ANSWER_FEATURES)
        has_trick = known.seat.has_trick
        describe_answer(card, known.led, hand, out, turned, need, bar, has_trick, found)
    return found


def _lines(
    name: str, ranks: Sequence[str], features: ModuleType, kinds: tuple[Lessons, Lessons]
) -> Iterator[str]:
    """A table of weights as Python has it; its rows are called as in the module of `features`."""
    own = [each for each in vars(features) if each.isupper() and each not in vars(bits)]
    names = [*ranks, *(each for each in own if not each.startswith("_"))]
    rows = np.stack([lessons.weights() for lessons in kinds], axis=1)
    yield f"{name} = ("
    # The last name is that of how many there are.
    for each, (early, last) in zip(names[:-1], rows, strict=True):
        yield f"    ({early:.2f}, {last:.2f}),  # {each.lower().replace('_', ' ')}"
    yield ")"


def main(words: list[str]) -> int:
    """Learn from the deals that the command line asks for and print the weights."""
    parser = argparse.ArgumentParser(prog="learn_schnapsen", description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=4000, help="deals to learn from (4000)")
    parser.add_argument("--worlds", type=int, default=200, help="worlds a decision (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the first deal (1)")
    arguments = parser.parse_args(words)
    learner = Learner(arguments.worlds, arguments.seed)
    for deal in range(arguments.deals):
        learner.play(arguments.seed + deal)
    print("\n".join(_lines("LEADS", RANKS, lead_features, learner.leads)))
    ranks = (*RANKS, *(f"{rank} that takes" for rank in RANKS))
    print("\n".join(_lines("ANSWERS", ranks, answer_features, learner.answers)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
