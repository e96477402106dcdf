"""A searching bot for any game: random playouts of every move; the best mean wins.

For every playout the hidden cards are dealt afresh as what was seen allows, and all players go on
at random. Published statistics of card games use this searching player; it knows nothing of any
game and beats the random player at nearly all of them.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import fmean

from bots.bot import Budget, Candidate, Decision, Measure, Position
from bots.generic.moves import listed
from bots.generic.worlds import Determinizer, determinizer_of, estimates, single_deal_game
from bots.search.budget import Batches
from engine.catalogue import AnyGame
from engine.choices import Action
from engine.errors import IllegalAction
from engine.facts import Seat
from engine.game import Outcome

LEAD = "lead/"
"""In `Candidate.why`, before the number of a seat: how the deal stands for it after the move."""


class Searcher:
    """Plays the move with the best mean over random playouts.

    Settings: `playouts` for each move, `by` the mean ``rank`` or ``score``, `most` moves of a pick
    such as "pass 3 of 13". With `forced` a single legal move is valued as well, for callers that
    want to know the value of the position.
    """

    in_place = False
    needs_facts = True

    def __init__(
        self,
        game: AnyGame,
        playouts: int = 10,
        by: str = "rank",
        most: int = 24,
        forced: bool = False,
    ) -> None:
        if playouts < 1 or most < 1:
            raise ValueError("playouts and most are numbers from 1")
        if by not in ("rank", "score"):
            raise ValueError("by is rank or score")
        self._deal = single_deal_game(game)
        self._playouts = playouts
        self._by_rank = by == "rank"
        points: Measure = "score" if self._deal.info.aim == "high" else "cost"
        self._measure: Measure = "rank" if self._by_rank else points
        self._figure = "mean" if self._by_rank else "score"
        self._most = most
        self._forced = forced

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The best move; a budget of samples is shared by the moves, at least one playout each."""
        *_, last = self.improving(position, budget, rng)
        return last()

    def improving(
        self, position: Position, budget: Budget, rng: Random
    ) -> Iterator[Callable[[], Decision]]:
        """The decision after each round of playouts."""
        actions = listed(position.choices, rng, self._most)
        if len(actions) == 1 and not self._forced:
            yield lambda: Decision(actions[0])
            return
        played: list[list[Outcome]] = [[] for _ in actions]

        def decision() -> Decision:
            candidates = tuple(
                self._candidate(action, outcomes, position.seat)
                for action, outcomes in zip(actions, played, strict=True)
            )
            best = max(candidates, key=lambda each: each.value)
            return Decision(best.action, candidates, measure=self._measure, figure=self._figure)

        for _ in self._rounds(position, actions, played, budget, rng):
            yield decision

    def _rounds(
        self,
        position: Position,
        actions: Sequence[Action],
        played: list[list[Outcome]],
        budget: Budget,
        rng: Random,
    ) -> Iterator[None]:
        """Add playouts of each action in rounds, so that a clock stops all at about one number."""
        determinize = determinizer_of(self._deal, position.view, position.facts)
        usual = Budget(samples=self._playouts * len(actions))
        batches = Batches(budget, usual, first=len(actions), most=len(actions))
        while batches.take():
            for action, outcomes in zip(actions, played, strict=True):
                outcomes.extend(_playout(determinize, position.seat, action, rng))
            yield

    def _candidate(self, action: Action, outcomes: Sequence[Outcome], seat: Seat) -> Candidate:
        if not outcomes:
            return Candidate(action, float("-inf"), {"playouts": 0})
        leads = estimates(outcomes)
        score = fmean(outcome.scores[seat] for outcome in outcomes)
        why = {"score": score, "playouts": len(outcomes)}
        why |= {f"{LEAD}{other}": lead for other, lead in enumerate(leads)}
        by_score = score if self._deal.info.aim == "high" else -score
        return Candidate(action, leads[seat] if self._by_rank else by_score, why)


def _playout(
    determinize: Determinizer, seat: Seat, action: Action, rng: Random
) -> tuple[Outcome, ...]:
    """The outcome of `action` and random play in one determinization.

    The result is empty if the determinization does not allow the action: rules may depend on cards
    that their player cannot see, and only the true ones agree with the choices offered.
    """
    world = determinize(rng)
    try:
        world.play(seat, action)
    except IllegalAction:
        return ()
    return (world.finish(rng),)
