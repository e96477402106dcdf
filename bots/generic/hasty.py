"""Strength 1 for described games: random playouts of every move, for a few milliseconds.

It answers if a search never had its turn, in the process of a server, so its time is bounded
whatever a description does: every playout stops when its share of the time is over, and is scored
as the game stands by then.
"""

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

from bots.bot import Budget, Candidate, Decision, Position
from bots.generic.described import DescribedDeterminizer
from bots.generic.moves import listed
from bots.generic.worlds import estimate, single_deal_game
from engine.catalogue import AnyGame
from engine.choices import Action
from engine.errors import IllegalAction
from engine.game import Outcome
from engine.recycle import Description

MILLISECONDS = 20.0
_MOST = 24


class HastyPlayer:
    """Plays the move with the best mean rank, among equals the one with the best mean lead.

    Only for described games, whose worlds can be stopped after any choice.
    """

    in_place = True
    needs_facts = True

    def __init__(self, game: AnyGame, clock: Callable[[], float] = perf_counter) -> None:
        deal: Any = single_deal_game(game)
        if not isinstance(deal, Description):
            raise ValueError(f"{game.info.id} is not a described game")
        self._deal = deal
        self._clock = clock

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The best move found in `budget.milliseconds`; every move gets an equal share of them.

        A move without a playout is chosen only if no move had one.
        """
        actions = list(listed(position.choices, rng, _MOST))
        if len(actions) == 1:
            return Decision(actions[0])
        rng.shuffle(actions)
        until = self._clock() + (budget.milliseconds or MILLISECONDS) / 1000
        determinize = DescribedDeterminizer(self._deal, position.view, position.facts)
        ends: dict[Action, list[tuple[float, float]]] = {action: [] for action in actions}
        while True:
            for left, action in zip(range(len(actions), 0, -1), actions, strict=True):
                now = self._clock()
                if now >= until:
                    return self._decision(ends)
                end = self._played(
                    determinize, position.seat, action, now + (until - now) / left, rng
                )
                if end is not None:
                    ends[action].append(end)

    def _played(
        self,
        determinize: DescribedDeterminizer,
        seat: int,
        action: Action,
        until: float,
        rng: Random,
    ) -> tuple[float, float] | None:
        """The result of a playout that stops at `until`; None if its world forbids the move."""
        world = determinize(rng)
        try:
            world.play(seat, action)
        except IllegalAction:
            return None
        return self._worth(world.outcome_after(rng, lambda: self._clock() < until), seat)

    def _worth(self, outcome: Outcome, seat: int) -> tuple[float, float]:
        """The estimate by rank, and the lead over the others' mean score."""
        scores, seats = outcome.scores, len(outcome.scores)
        lead = scores[seat] - (sum(scores) - scores[seat]) / max(seats - 1, 1)
        good = lead if self._deal.info.aim == "high" else -lead
        return estimate(outcome.ranks[seat], seats), good

    def _decision(self, ends: dict[Action, list[tuple[float, float]]]) -> Decision:
        means = {
            action: (
                sum(rank for rank, _ in each) / len(each),
                sum(lead for _, lead in each) / len(each),
            )
            for action, each in ends.items()
            if each
        }
        best = max(means or ends, key=lambda action: means.get(action, (0.0, 0.0)))
        candidates = tuple(
            Candidate(action, mean, {"playouts": len(ends[action])})
            for action, (mean, _) in means.items()
        )
        return Decision(best, candidates, measure="rank")
