"""The policy of the playouts as a player of its own: no search, and no Numba needed."""

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from bots.bot import Budget, Candidate, Decision, Position
from bots.spec import Amount, Share
from bots.whist.knowledge import Knowledge, read_position
from bots.whist.policy import POLICY_WEIGHTS, PolicyWeights, choose_bid, choose_card, estimate
from engine.cards import card_text, suit_of
from engine.games.whist import NO_BID


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPlayer:
    """Plays by `bots.whist.policy`: a function of the position alone.

    Its settings are the weights of the policy that the arena may measure.
    """

    in_place: ClassVar[bool] = True
    needs_facts: ClassVar[bool] = True

    guard: Share = POLICY_WEIGHTS.guard
    short: Amount = POLICY_WEIGHTS.short
    long: Amount = POLICY_WEIGHTS.long
    lead: Amount = POLICY_WEIGHTS.lead
    crowd: Amount = POLICY_WEIGHTS.crowd

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The bid or card of the policy, with the tricks it expects or needs."""
        known = read_position(position)
        weights = self._weights()
        if known.bids[known.seat] == NO_BID:
            bid, expected = bid_of(known, weights)
            action = f"bid {bid}"
            candidate = Candidate(action, expected, {"expected": expected})
            return Decision(action, (candidate,), measure="tricks")
        card = card_of(known, weights)
        need = known.bids[known.seat] - known.taken[known.seat]
        action = f"play {card_text(card)}"
        candidate = Candidate(action, 0.0, {"tricks_needed": need})
        return Decision(action, (candidate,), measure="needed", figure="tricks_needed")

    def _weights(self) -> PolicyWeights:
        return POLICY_WEIGHTS._replace(
            guard=self.guard, short=self.short, long=self.long, lead=self.lead, crowd=self.crowd
        )


def bid_of(known: Knowledge, weights: PolicyWeights) -> tuple[int, float]:
    """The bid of the policy, and the tricks it expects."""
    expected = estimate(known.hand, known.unseen, known.trump, known.seats - 1, weights)
    made = [bid for bid in known.bids if bid != NO_BID]
    barred = known.barred if known.seat == known.dealer else -1
    bid = choose_bid(
        expected,
        known.dealt,
        known.seats,
        len(made),
        sum(made),
        barred,
        known.nil_score,
        known.certain,
        weights,
    )
    return bid, expected


def card_of(known: Knowledge, weights: PolicyWeights) -> int:
    """The card of the policy."""
    trick = known.line[len(known.line) - known.trick :]
    behind = [(known.seat + step) % known.seats for step in range(1, known.seats - known.trick)]
    eager = sum(known.taken[seat] < known.bids[seat] for seat in behind)
    return choose_card(
        known.hand,
        known.unseen,
        suit_of(trick[0]) if trick else -1,
        known.best,
        known.trump,
        known.bids[known.seat] - known.taken[known.seat],
        known.seats - 1,
        eager,
        len(behind) - eager,
        weights,
    )
