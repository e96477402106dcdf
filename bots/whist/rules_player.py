"""Strength 1 of Whist: bids its high cards and trumps, and plays to take exactly that many."""

from random import Random

from bots.bot import Budget, Candidate, Decision, Position
from bots.whist.knowledge import Knowledge, read_position
from bots.whist.plain import nearest_bid, plain_card, worth_of
from engine.cards import Card, card_text, suit_of
from engine.games.whist import NO_BID


class RulesPlayer:
    """Plays by the rules that beginners learn first (`plain.py`): by the position alone."""

    in_place = True
    needs_facts = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The bid or card of the plain rules, with the tricks it expects or needs."""
        known = read_position(position)
        if known.bids[known.seat] == NO_BID:
            worth = worth_of(known.hand, known.trump)
            barred = known.barred if known.seat == known.dealer else -1
            bid = nearest_bid(worth, known.dealt, barred, known.nil_score, known.certain)
            chosen = f"bid {bid}"
            candidate = Candidate(chosen, worth, {"expected": worth})
            return Decision(chosen, (candidate,), measure="tricks")
        need = known.bids[known.seat] - known.taken[known.seat]
        chosen = f"play {card_text(card_of(known, need))}"
        candidate = Candidate(chosen, 0.0, {"tricks_needed": float(need)})
        return Decision(chosen, (candidate,), measure="needed", figure="tricks_needed")


def card_of(known: Knowledge, need: int) -> Card:
    """The card of a seat that needs so many tricks."""
    trick = known.line[len(known.line) - known.trick :]
    return plain_card(
        known.hand,
        known.unseen,
        suit_of(trick[0]) if trick else -1,
        known.best,
        known.trump,
        need,
        known.seats - 1 - known.trick,
    )
