"""One decision: plans compared in possible worlds.

Without a talon to draw from, only the other player's hand is unknown and every hand is tried; this
holds for plans that close. The other plans race on common worlds, and against the best closing plan
at its exact value. A `PlayoutMix` says how a world is judged.

Source: Schnapsen document, "Basic Idea" (every assignment, or the smallest chance of losing) and
"Bayesian Estimates" (random assignments where there are too many).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from time import perf_counter

import numpy as np

from bots.bot import BEST, Budget, Candidate, Decision, Measure
from bots.schnapsen.bits import Floats
from bots.schnapsen.knowledge import Knowledge
from bots.schnapsen.plans import Plan
from bots.schnapsen.playout_mix import PlayoutMix
from bots.schnapsen.solver import Solver
from bots.schnapsen.tallies import Tally
from bots.schnapsen.worlds import Worlds, every_hand, every_world, sampled_worlds
from bots.search.budget import Batches
from bots.search.draws import draws_from
from bots.search.racing import Race
from engine.choices import Action
from engine.game import Options

_FIRST, _MOST = 16, 512
"""Worlds between two looks at the clock."""
_LEAST = 64
"""Worlds tried before a plan is dropped: the first few may all look alike.

So many are enough, too, beside a plan that wins for certain: nothing can be better."""
_LEAST_REST = 0.1
"""The share of the time that telling equals apart may always take."""


class PlanRace:
    """The plans of one decision, their results in the worlds, and the index of the `best`."""

    def __init__(
        self,
        known: Knowledge,
        plans: Sequence[Plan],
        options: Options,
        budget: Budget,
        rng: Random,
        *,
        by_score: bool,
        every: int,
        mix: PlayoutMix,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.best = 0
        self._known = known
        self._plans = plans
        self._solver = Solver(options, mix=mix)
        self._budget = budget
        self._by_score = by_score
        self._clock = clock
        self._started = clock()
        self._draws = draws_from(rng)
        self._hands = every_hand(known)
        self._all = None
        worlds = known.assignments()
        if mix.exact and not known.strict and worlds <= every:
            self._all = every_world(known).shuffled(self._draws)
        self._tallies = [
            Tally(len(self._hands) if self._closes(at) else worlds if self._all else None)
            for at in range(len(plans))
        ]

    def run(self) -> None:
        """Find the best plan, and among those no world tells from it the one of the best score."""
        everyone = range(len(self._plans))
        self.best = self._best_of(everyone, self._budget, by_score=self._by_score)
        if not self._by_score:
            best = self._tallies[self.best]
            tied = [at for at in everyone if self._tallies[at].equals(best)]
            if len(tied) > 1:
                self.best = self._best_of(tied, self._rest(), by_score=True)

    def decision(self, actions: Sequence[Action]) -> Decision:
        """The best plan's first move, and for each of `actions` the best plan starting with it."""
        candidates = []
        values = self._values_in_all() if self._budget.thorough else None
        for action in actions:
            begun = [at for at, plan in enumerate(self._plans) if plan.action == action]
            if begun:
                at = self.best if self.best in begun else max(begun, key=self._value)
                why = self._tallies[at].why(by_score=self._by_score)
                if values is not None:
                    best = values[begun].max(axis=0) == values.max(axis=0)
                    why[BEST] = float(best.mean())
                candidates.append(Candidate(action, self._value(at), why))
        measure: Measure = "score" if self._by_score else "chance"
        return Decision(self._plans[self.best].action, tuple(candidates), measure=measure)

    def _best_of(self, numbers: Sequence[int], budget: Budget, *, by_score: bool) -> int:
        """The index of the best plan: all that close are known exactly, the others race."""
        racers = [at for at in numbers if not self._closes(at)]
        closing = [at for at in numbers if self._closes(at)]
        if closing:
            self._try(closing, self._hands, by_score=by_score)
            racers.append(max(closing, key=lambda at: self._tallies[at].mean(by_score=by_score)))
        exact = (len(racers) - 1,) if closing else ()
        race = Race(len(racers), least=_LEAST, exact=exact)
        batches = Batches(budget, budget, first=_FIRST, most=_MOST, clock=self._clock)
        tried = 0
        won = bool(closing) and not by_score and self._tallies[racers[-1]].certain
        while not race.settled and not (won and tried >= _LEAST) and (count := batches.take()):
            worlds = self._worlds(tried, count)
            if not len(worlds):
                break
            tried += len(worlds)
            running = [racers[at] for at in race.running]
            race.add(self._values(running, worlds, by_score=by_score))
        return racers[race.best]

    def _values(self, running: Sequence[int], worlds: Worlds, *, by_score: bool) -> Floats:
        """The value of each of `running` in each world; a closing plan has its mean in all."""
        values = np.empty((len(running), len(worlds)))
        on = [row for row, at in enumerate(running) if not self._closes(at)]
        values[on] = self._try([running[row] for row in on], worlds, by_score=by_score)
        for row, at in enumerate(running):
            if self._closes(at):
                values[row] = self._tallies[at].mean(by_score=by_score)
        return values

    def _try(self, numbers: Sequence[int], worlds: Worlds, *, by_score: bool) -> Floats:
        """Solve these plans in `worlds` and record the results."""
        solve = self._solver.scores if by_score else self._solver.wins
        values = solve(self._known, [self._plans[at] for at in numbers], worlds)
        for at, row in zip(numbers, values, strict=True):
            self._tallies[at].add(row, by_score=by_score)
        return values

    def _values_in_all(self) -> Floats:
        """The value of every plan (a row each) in the same worlds (a column each)."""
        count = self._budget.samples or _MOST
        worlds = self._hands if self._known.strict else self._worlds(0, count)
        return self._solver.scores(self._known, self._plans, worlds)

    def _worlds(self, tried: int, count: int) -> Worlds:
        """The next untried worlds: none if there are no more."""
        if self._all is None:
            return sampled_worlds(self._known, count, self._draws)
        return self._all.part(tried, count)

    def _rest(self) -> Budget:
        """The part of the budget that is left."""
        limit = self._budget.milliseconds
        if limit is None:
            return self._budget
        spent = 1000 * (self._clock() - self._started)
        return replace(self._budget, milliseconds=max(limit - spent, _LEAST_REST * limit))

    def _closes(self, at: int) -> bool:
        return self._known.strict or self._plans[at].close

    def _value(self, at: int) -> float:
        return self._tallies[at].value(by_score=self._by_score)
