"""Strength 2 of Whist: max^n over sampled worlds, judging positions by classes of cards.

In each world every move is searched to a depth, and the move that most worlds prefer is made. The
improvements that the method's author suggested are settings, so that the arena can measure each.

Source: Whist document, slides 14 to 17 (max^n, Monte Carlo deals, depth) and 20 to 22.
"""

from dataclasses import dataclass
from random import Random
from typing import Annotated, ClassVar

import numpy as np

from bots.bot import Budget, Candidate, Decision, Measure, Position
from bots.search.budget import Batches
from bots.search.racing import Race
from bots.spec import Amount, Range, Share
from bots.whist.choosing import decision_of, moves_to_try, never_too_low
from bots.whist.classes import WEIGHTS, Weights
from bots.whist.knowledge import Knowledge, paranoia_of, read_position
from bots.whist.maxn import BY_CLASSES, BY_PLAYOUT, Search, new_search
from bots.whist.move_values import values_of_bids, values_of_cards
from bots.whist.open_deal import Floats
from bots.whist.policy import POLICY_WEIGHTS
from bots.whist.policy_player import bid_of
from bots.whist.simulation import BID
from bots.whist.worlds import Beliefs, Worlds
from engine.games.whist import NO_BID

_BATCH = 16
_NEVER = 1 << 30
_DEPTHS = {7: 1, 6: 1, 5: 2, 4: 3, 3: 99, 2: 99}
"""By cards left, at how many further moves with a choice a world is searched; with more cards to
the end of the trick. Fewer cards want depth, more want worlds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxnPlayer:
    """A max^n player, whose fields are its settings, named as in the arena.

    `votes`: play what most worlds prefer, and not what is best on average. `playouts`: judge leaves
    by playing them out by judgement, not by classes. `depth`: None lets it depend on the number of
    cards left. `searched_bids`: bid by the values of the search, not by judgement; then `short`,
    `long` and `lead` are counted too. bots/whist/README.md describes the others.
    """

    in_place: ClassVar[bool] = False
    needs_facts: ClassVar[bool] = True

    milliseconds: float = 40.0
    worlds: int | None = None
    votes: bool = True
    playouts: bool = False
    depth: Annotated[int | None, Range(0)] = None
    searched_bids: bool = True
    spoil: Amount = 0.0
    paranoia: Amount = 0.0
    winner: Share = WEIGHTS.winner
    loser: Share = WEIGHTS.loser
    neutral: Share = WEIGHTS.neutral
    slope: Share = WEIGHTS.slope
    ranked: bool = WEIGHTS.ranked
    trumped: Share = WEIGHTS.trumped
    protected: Share = WEIGHTS.protected
    short: Amount = WEIGHTS.short
    long: Amount = WEIGHTS.long
    lead: Amount = WEIGHTS.lead
    believe_bids: bool = False
    believe_plays: bool = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move that most worlds prefer, or without `votes` the best on average."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0])
        known = read_position(position)
        bidding = known.bids[known.seat] == NO_BID
        if bidding and not self.searched_bids:
            bid, expected = bid_of(known, POLICY_WEIGHTS)
            candidate = Candidate(f"bid {bid}", expected)
            return Decision(candidate.action, (candidate,), measure="tricks")
        worlds = Worlds(known, Beliefs(self.believe_bids, self.believe_plays), rng)
        search = self._search(worlds, position, bidding)
        moves = moves_to_try(actions, worlds)
        usual = Budget(self.milliseconds) if self.worlds is None else Budget(samples=self.worlds)
        batches = Batches(budget, usual, first=_BATCH)
        # A vote is among all moves, so then none may leave.
        least = _NEVER if self.votes else _BATCH
        race = Race(len(moves), least=least, thorough=batches.thorough)
        while not race.settled and (batch := batches.take()):
            running = np.array([moves[at] for at in race.running], dtype=np.int64)
            hands, values = worlds.hands(batch), np.empty((batch, running.size))
            if bidding:
                values_of_bids(
                    worlds.deal,
                    hands,
                    running - BID,
                    worlds.order,
                    known.hook,
                    known.turned,
                    self._depth(known),
                    search,
                    worlds.work,
                    values,
                )
            else:
                depth = self._depth(known)
                values_of_cards(worlds.deal, hands, running, depth, search, worlds.work, values)
            race.add(_votes(values).T if self.votes else values.T)
        points: Measure = "lead" if self.spoil else "score"
        decision = decision_of(actions, moves, race, "votes" if self.votes else points)
        return never_too_low(decision, known)

    def _search(self, worlds: Worlds, position: Position, bidding: bool) -> Search:
        weights = Weights(
            winner=self.winner,
            loser=self.loser,
            neutral=self.neutral,
            slope=self.slope,
            ranked=self.ranked,
            trumped=self.trumped,
            protected=self.protected,
        )
        if bidding:
            weights = weights._replace(short=self.short, long=self.long, lead=self.lead)
        return new_search(
            worlds.deal,
            BY_PLAYOUT if self.playouts else BY_CLASSES,
            me=position.seat,
            weights=weights,
            spoil=self.spoil,
            paranoia=paranoia_of(position.view, position.seat, self.paranoia),
        )

    def _depth(self, known: Knowledge) -> int:
        if self.depth is not None:
            return self.depth
        return 0 if self.playouts else _DEPTHS.get(known.sizes[known.seat], 0)


def _votes(values: Floats) -> Floats:
    """Each world's vote for the best move in it, shared by equals."""
    best = values == values.max(axis=1, keepdims=True)
    votes: Floats = best / best.sum(axis=1, keepdims=True)
    return votes
