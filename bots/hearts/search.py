"""Strength 2 of Hearts: cards and passes tried in worlds that agree with all that was seen.

Each candidate is a move with a plan for the rest of the deal: to avoid points, or, while nobody
else has any, to shoot the moon. All are played to the end in the same worlds by careful players
with whims, and race each other by the mean of (the others' mean score − the own score).
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.bot import Budget, Candidate, Decision, Position, equally_good
from bots.hearts.careful import WEIGHTS
from bots.hearts.exchange import values_of_passes
from bots.hearts.knowledge import Knowledge, read
from bots.hearts.lay_out import alike, ints, lay_out, set_of
from bots.hearts.passing import PASS_WEIGHTS, likely_passes
from bots.hearts.playout import AVOID, SHOOT, values_of_cards
from bots.hearts.shooting import can_shoot
from bots.search.budget import Batches
from bots.search.draws import draws_from
from bots.search.racing import Race
from bots.search.worlds import Ints, plan_worlds
from bots.spec import Amount
from engine.choices import Action
from engine.games.hearts.cards import parse_action, pass_text
from engine.games.trick_games import play_text

BATCH = 16
MOST_IN_A_BATCH = 128

Values: TypeAlias = NDArray[np.float64]
Try: TypeAlias = Callable[[Ints, Ints, int], Values]
"""The values of moves, each with its plan, in so many new worlds: a row for each move."""

PLANS: Mapping[int, str] = {AVOID: "avoid", SHOOT: "shoot"}


class Searcher:
    """Searches with `milliseconds` or `worlds` a move, unless the budget says otherwise.

    `noise` are the whims of the players in the playouts, `passes` how many passes are tried;
    without `moon` it never plans to shoot.
    """

    in_place = False
    needs_facts = True

    def __init__(
        self,
        *,
        milliseconds: float = 10.0,
        worlds: int | None = None,
        noise: Amount = 0.3,
        passes: int = 16,
        moon: bool = True,
    ) -> None:
        self._usual = (
            Budget(milliseconds=milliseconds) if worlds is None else Budget(samples=worlds)
        )
        self._passes = passes
        self._plans = (AVOID, SHOOT) if moon else (AVOID,)
        self._weights = WEIGHTS._replace(noise=noise)
        self._pass_weights = PASS_WEIGHTS._replace(noise=noise)

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move that wins the race; its value is its mean lead over the others in points."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0])
        known, batches = read(position), self._batches(budget)
        if known.leader is None:
            return self._pass(known, actions, batches, rng)
        return self._play(known, actions, batches, rng)

    def _batches(self, budget: Budget) -> Batches:
        return Batches(budget, self._usual, first=BATCH, most=MOST_IN_A_BATCH)

    def _play(
        self, known: Knowledge, actions: Sequence[Action], batches: Batches, rng: Random
    ) -> Decision:
        deal, draws = lay_out(known), draws_from(rng)
        worlds = plan_worlds(known.unseen, known.places)
        sizes = ints(place.size for place in known.places)

        def attempt(cards: Ints, plans: Ints, number: int) -> Values:
            values = np.empty((cards.size, number))
            values_of_cards(deal, worlds, sizes, cards, plans, self._weights, draws, values)
            return values

        same = alike([parse_action(action)[0] for action in actions], known)
        kinds = list(dict.fromkeys(same.values()))
        if len(kinds) == 1:
            return equally_good(actions, "lead")
        plans = self._plans if can_shoot(deal, known.seat) else (AVOID,)
        valued = _evaluate(kinds, plans, attempt, batches)
        return _decision({play_text(card): valued[kind] for card, kind in same.items()})

    def _pass(
        self, known: Knowledge, actions: Sequence[Action], batches: Batches, rng: Random
    ) -> Decision:
        """The best of likely passes, or of `actions` if they are listed and not a pick."""
        deal, draws = lay_out(known), draws_from(rng)
        worlds = plan_worlds(known.unseen, known.places)
        sizes = ints(place.size for place in known.places)

        def attempt(passes: Ints, plans: Ints, number: int) -> Values:
            values = np.empty((passes.size, number))
            values_of_passes(
                deal,
                known.seat,
                known.shift,
                worlds,
                sizes,
                passes,
                plans,
                self._weights,
                self._pass_weights,
                draws,
                values,
            )
            return values

        sets = [parse_action(action) for action in actions]
        sets = sets or likely_passes(known.hand, self._passes)
        if len(sets) == 1:
            return Decision(pass_text(sets[0]))
        valued = _evaluate([set_of(cards) for cards in sets], self._plans, attempt, batches)
        return _decision({pass_text(cards): valued[set_of(cards)] for cards in sets})


def _evaluate(
    moves: Sequence[int], plans: Sequence[int], attempt: Try, batches: Batches
) -> dict[int, tuple[float, dict[str, float]]]:
    """The value of each move by the better of its plans, and the numbers behind it."""
    arms = [(move, plan) for move in moves for plan in plans]
    same = [move for move, _ in arms]
    race = Race(len(arms), least=BATCH, thorough=batches.thorough, alike=same)
    while not race.settled and (number := batches.take()):
        running = [arms[arm] for arm in race.running]
        tried, by = ints(move for move, _ in running), ints(plan for _, plan in running)
        race.add(attempt(tried, by, number))
    valued: dict[int, tuple[float, dict[str, float]]] = {}
    for (move, plan), standing in zip(arms, race.standings(), strict=True):
        before = valued.get(move, (-np.inf, {}))
        numbers = {**before[1], PLANS[plan]: standing.mean}
        if standing.worth > before[0]:
            valued[move] = (standing.worth, {**numbers, **standing.why()})
        else:
            valued[move] = (before[0], numbers)
    # A candidate dropped early may look better than it is; the one that won the race is the best.
    winner = arms[race.best][0]
    best = max(worth for worth, _ in valued.values())
    valued[winner] = (best, valued[winner][1])
    return valued


def _decision(valued: Mapping[Action, tuple[float, dict[str, float]]]) -> Decision:
    candidates = tuple(Candidate(action, *numbers) for action, numbers in valued.items())
    best = max(candidates, key=lambda candidate: candidate.value)
    return Decision(best.action, candidates, measure="lead")
