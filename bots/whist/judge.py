"""The judgement of the playouts as a player of its own: no search, and no Numba needed."""

from random import Random

from bots.bot import Budget, Candidate, Decision, Position
from bots.whist.bits import beats
from bots.whist.knowledge import Knowledge, read_position
from bots.whist.policy import TASTE, Taste, choose_bid, choose_card, estimate
from engine.cards import card_text, suit_of
from engine.games.whist import NO_BID


class Judge:
    """Judges cards one by one (`bots.whist.policy`); a function of the position alone."""

    in_place = True
    needs_facts = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        known = read_position(position)
        if known.bids[known.seat] == NO_BID:
            bid, expected = bid_of(known, TASTE)
            action = f"bid {bid}"
            return Decision(action, (Candidate(action, expected, {"expected": expected}),))
        card = card_of(known, TASTE)
        need = known.bids[known.seat] - known.taken[known.seat]
        action = f"play {card_text(card)}"
        return Decision(action, (Candidate(action, 0.0, {"tricks_needed": need}),))


def bid_of(known: Knowledge, taste: Taste) -> tuple[int, float]:
    """Its bid, and the tricks it expects."""
    expected = estimate(known.hand, known.unseen, known.trump, known.seats - 1, taste)
    made = [bid for bid in known.bids if bid != NO_BID]
    barred = known.barred if known.seat == known.dealer else -1
    bid = choose_bid(expected, known.dealt, known.seats, len(made), sum(made), barred, taste)
    return bid, expected


def card_of(known: Knowledge, taste: Taste) -> int:
    """Its card."""
    trick = known.line[len(known.line) - known.trick :]
    best = -1
    for card in trick:
        if best < 0 or beats(card, best, known.trump):
            best = card
    behind = [(known.seat + step) % known.seats for step in range(1, known.seats - known.trick)]
    eager = sum(known.taken[seat] < known.bids[seat] for seat in behind)
    return choose_card(
        known.hand,
        known.unseen,
        suit_of(trick[0]) if trick else -1,
        best,
        known.trump,
        known.bids[known.seat] - known.taken[known.seat],
        known.seats - 1,
        eager,
        len(behind) - eager,
        taste,
    )
