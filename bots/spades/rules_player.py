"""Strength 1 of Spades: bids by its hand's value, covers and sets nils, counts cards."""

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from bots.bot import Budget, Candidate, Decision, Position
from bots.spades.bidding import BID_WEIGHTS, choose_bid, expected_tricks, nil_risk
from bots.spades.bits import legal_cards, members
from bots.spades.knowledge import Knowledge, read_position
from bots.spades.policy import (
    FREE_BAGS,
    POLICY_WEIGHTS,
    PolicyWeights,
    card_worth,
    policy_card,
    trick_worth,
)
from engine.cards import card_text
from engine.games.spades import BLIND_NIL, LOOK, NIL, NO_BID, partner_of
from engine.games.trick_games import bid_text

DESPERATE = 250
"""So many points behind, a team bids nil blind."""


@dataclass(frozen=True, slots=True)
class RulesPlayer:
    """Plays by the rules of `bidding` and `policy`: a function of the position alone."""

    in_place: ClassVar[bool] = True
    needs_facts: ClassVar[bool] = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move of the rules; budget and random source change nothing."""
        if LOOK in position.choices.actions:
            return decide_blind(position)
        known = read_position(position)
        if known.bids[known.seat] == NO_BID:
            bid = bid_of(known)
            why = {
                "expected": expected_tricks(known.hand, BID_WEIGHTS),
                "nil_risk": nil_risk(known.hand, BID_WEIGHTS),
            }
            candidate = Candidate(bid_text(bid), float(bid), why)
            if bid == NIL:
                return Decision(
                    candidate.action, (candidate,), measure="nil_risk", figure="nil_risk"
                )
            return Decision(candidate.action, (candidate,), measure="tricks", figure="expected")
        sight = known.sight()
        legal = legal_cards(known.hand, sight.led, known.spades_free)
        weights = weights_for(known)
        trick = trick_worth(sight, weights)
        why = {"tricks_needed": float(sight.need), "trick": trick}
        candidates = tuple(
            Candidate(f"play {card_text(card)}", card_worth(card, sight, trick, weights), why)
            for card in members(legal)
        )
        chosen = f"play {card_text(policy_card(sight, legal, weights))}"
        return Decision(chosen, candidates, measure="team_gain")


def weights_for(known: Knowledge) -> PolicyWeights:
    """The weights of the rules player at a table with these rules."""
    return POLICY_WEIGHTS if known.rules.bags else FREE_BAGS


def decide_blind(position: Position) -> Decision:
    """Decide about blind nil, which mostly fails and so is only for teams far behind."""
    totals = [position.view.values.get(f"total/{seat}", 0) for seat in range(4)]
    own, theirs = totals[position.seat], totals[(position.seat + 1) % 4]
    assert isinstance(own, int)
    assert isinstance(theirs, int)
    partner_nil = position.view.values.get(f"bid/{partner_of(position.seat)}") == 0
    behind = theirs - own
    action = BLIND_NIL if behind >= DESPERATE and not partner_nil else LOOK
    candidate = Candidate(action, 0.0, {"behind": float(behind)})
    return Decision(action, (candidate,), measure="far_behind", figure="behind")


def bid_of(known: Knowledge, *, nil: bool = True) -> int:
    """The bid of a seat that has seen its cards; without `nil`, at least one."""
    made = [bid for bid in known.bids if bid != NO_BID]
    return choose_bid(
        known.hand,
        known.bids[partner_of(known.seat)],
        len(made),
        sum(made),
        nil and known.rules.nil > 0,
        BID_WEIGHTS,
    )
