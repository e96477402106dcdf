"""A searching player for any game: random playouts of every move, the best mean wins.

For every playout the hidden cards are dealt afresh as what was seen allows, and all players go on
at random. This is the searching player by which statistics of card games have been published; it
knows nothing of any game and beats the random player at nearly all of them.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean

from bots.bot import Budget, Candidate, Decision, Position
from bots.generic.estimates import deal_of, estimates
from bots.generic.moves import listed
from bots.generic.worlds import Guesses, guesses_at
from bots.search.budget import Purse
from engine.catalogue import AnyGame
from engine.choices import Action
from engine.errors import IllegalAction
from engine.facts import Seat
from engine.game import Outcome

LEAD = "lead/"
"""In `Candidate.why`, before the number of a seat: how the deal stands for it after the move."""


class Searcher:
    """Settings: `playouts` for each move, `by` the mean ``rank`` or ``score``, `most` moves of a
    pattern such as "pass 3 of 13"; with `forced` a single legal move is weighed as well, for who
    wants to know how the deal stands.
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
        self._deal = deal_of(game)
        self._playouts = playouts
        self._by_rank = by == "rank"
        self._most = most
        self._forced = forced

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """A budget of samples is one of playouts, shared by the moves, at least one for each."""
        actions = listed(position.choices, rng, self._most)
        if len(actions) == 1 and not self._forced:
            return Decision(actions[0])
        played = self._play_out(position, actions, budget, rng)
        candidates = tuple(
            self._candidate(action, outcomes, position.seat)
            for action, outcomes in zip(actions, played, strict=True)
        )
        return Decision(max(candidates, key=lambda each: each.value).action, candidates)

    def _play_out(
        self, position: Position, actions: Sequence[Action], budget: Budget, rng: Random
    ) -> list[list[Outcome]]:
        """The ends of each action, in rounds, so that a clock stops all at about one number."""
        guess = guesses_at(self._deal, position.view, position.facts)
        played: list[list[Outcome]] = [[] for _ in actions]
        usual = Budget(samples=self._playouts * len(actions))
        purse = Purse(budget, usual, first=len(actions), most=len(actions))
        while purse.take():
            for action, outcomes in zip(actions, played, strict=True):
                outcomes.extend(_playout(guess, position.seat, action, rng))
        return played

    def _candidate(self, action: Action, outcomes: Sequence[Outcome], seat: Seat) -> Candidate:
        if not outcomes:
            return Candidate(action, float("-inf"), {"playouts": 0})
        leads = estimates(outcomes)
        score = fmean(outcome.scores[seat] for outcome in outcomes)
        why = {"score": score, "playouts": len(outcomes)}
        why |= {f"{LEAD}{other}": lead for other, lead in enumerate(leads)}
        by_score = score if self._deal.info.aim == "high" else -score
        return Candidate(action, leads[seat] if self._by_rank else by_score, why)


def _playout(guess: Guesses, seat: Seat, action: Action, rng: Random) -> tuple[Outcome, ...]:
    """The end of one guess at what is hidden after `action`.

    None where the guess does not allow it: rules may ask about cards that their player cannot
    see, and only the true ones answer as his choices say.
    """
    world = guess(rng)
    try:
        world.play(seat, action)
    except IllegalAction:
        return ()
    return (world.finish(rng),)
