"""Worlds for one decision: the unseen cards where they may lie, by their likelihood."""

from dataclasses import dataclass
from random import Random

import numpy as np

from bots.search.draws import Draws, draws_from
from bots.search.worlds import plan_worlds
from bots.whist.bits import members
from bots.whist.knowledge import Knowledge
from bots.whist.likelihoods import add_bid_likelihoods, add_play_likelihoods, deal_worlds, resample
from bots.whist.maxn import distinct
from bots.whist.open_deal import Deal, Ints, copy_deal, new_deal
from bots.whist.policy import POLICY_WEIGHTS, PolicyWeights
from engine.cards import Card
from engine.games.whist import NO_BID
from engine.tricks import trick_winner


@dataclass(frozen=True, slots=True)
class Beliefs:
    """How far the others' bids and plays are believed, beyond the suits they have shown to lack.

    With either, each world is picked from `pool` by how likely it makes their moves. `blur` is how
    far a bid lies from a hand's value (a standard deviation, in tricks), `slips` the share of bids
    that say nothing, and `trust` how often a card is the one of the policy.
    """

    bids: bool
    plays: bool
    pool: int = 8
    blur: float = 0.8
    slips: float = 0.05
    trust: float = 0.6


NO_BELIEFS = Beliefs(bids=False, plays=False)


class Worlds:
    """Worlds that agree with `known`, dealt on demand.

    `deal` is what the seat knows, with empty hands for the others.
    """

    def __init__(
        self,
        known: Knowledge,
        beliefs: Beliefs,
        rng: Random,
        policy_weights: PolicyWeights = POLICY_WEIGHTS,
    ) -> None:
        self.known = known
        self.deal = lay_out(known)
        self.order = _ints(known.bidders)
        self.work = new_deal(known.seats, known.trump, known.nil_score, 0, 0)
        self.draws: Draws = draws_from(rng)
        self._policy_weights = policy_weights
        self._beliefs = beliefs
        self.plan = plan_worlds(list(members(known.unseen)), known.places())
        self._hidden = _ints(known.hidden)
        self._played = _ints(known.played)
        bids = (bid for seat, bid in enumerate(known.bids) if seat != known.seat)
        self._by_bids = beliefs.bids and any(bid != NO_BID for bid in bids)
        self._by_plays = beliefs.plays and bool(known.line)

    def cards(self) -> list[Card]:
        """The legal own cards, without those that are equivalent to a higher one.

        No world is considered here, so that every unseen card between two makes them differ.
        """
        copy_deal(self.deal, self.work)
        self.work.hands[(self.known.seat + 1) % self.known.seats] = self.known.unseen
        return list(members(int(distinct(self.work))))

    def hands(self, number: int) -> Ints:
        """The hands of so many worlds, a row each, with a set of cards for each seat."""
        beliefs, known = self._beliefs, self.known
        believing = self._by_bids or self._by_plays
        pool = number * beliefs.pool if believing else number
        hands = np.zeros((pool, known.seats), dtype=np.int64)
        hands[:, known.seat] = known.hand
        deal_worlds(self.plan, self._hidden, self.draws, hands)
        if not believing:
            return hands
        logs = np.zeros(pool)
        if self._by_bids:
            add_bid_likelihoods(
                self.deal,
                hands,
                self._played,
                self.order,
                known.seat,
                known.turned,
                beliefs.blur,
                beliefs.slips,
                self._policy_weights,
                logs,
            )
        if self._by_plays:
            add_play_likelihoods(
                self.deal,
                hands,
                self._played,
                known.seat,
                known.bidders[0],
                beliefs.trust,
                self.work,
                self._policy_weights,
                logs,
            )
        picked = np.empty(number, dtype=np.int64)
        resample(logs, self.draws, picked)
        return hands[picked]


def lay_out(known: Knowledge) -> Deal:
    """The deal as this seat knows it: the others' hands are empty."""
    deal = new_deal(known.seats, known.trump, known.nil_score, known.leader, known.seen)
    deal.hands[known.seat] = known.hand
    deal.bids[:] = known.bids
    deal.taken[:] = known.taken
    deal.line[: len(known.line)] = known.line
    start = len(known.line) - known.trick
    best = known.leader
    if known.trick:
        best = (known.leader + trick_winner(known.line[start:], trump=known.trump)) % known.seats
    deal.at[:] = (known.leader, start, len(known.line), best, known.seen)
    return deal


def _ints(numbers: tuple[int, ...]) -> Ints:
    return np.array(numbers, dtype=np.int64)
