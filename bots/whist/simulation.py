"""Deals of Whist from any move to the end, as kernels: the legal moves, and playouts."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel
from bots.search.draws import Draws, below, unit
from bots.whist.classes import final_scores
from bots.whist.likelihoods import (
    NO_BID,
    certain_of,
    choose_bid,
    expected_tricks,
    nearest_bid,
    worth_of,
)
from bots.whist.open_deal import Deal, Floats, Ints, legal, over, play, turn
from bots.whist.playout import any_of, plain_move, policy_move
from bots.whist.policy import PolicyWeights

Flags: TypeAlias = NDArray[np.bool_]

BID = 52
"""Moves are cards, or this and the number bid."""
POINTS = 20.0
"""Leads are divided by this in the tree, so that they lie about −1 to 1."""


class Rules(NamedTuple):
    """The rules and settings that all simulations of a decision share.

    `order` is the seats as they bid. A player values its own score, less `spoil` times the mean of
    the others', less `paranoia[player]` times `me`'s. Beyond the tree each card is played by
    judgement with chance `judged`, unless its player is one by plain rules.
    """

    order: Ints
    dealt: int
    hook: bool
    turned: int
    me: int
    exploration: float
    judged: float
    spoil: float
    paranoia: Floats
    policy_weights: PolicyWeights


@kernel
def bidder(deal: Deal, order: Ints) -> int:
    """The index in `order` of the next bidder; the number of players if all have bid."""
    place = 0
    while place < order.size and deal.bids[order[place]] != NO_BID:
        place += 1
    return place


@kernel
def barred_bid(deal: Deal, rules: Rules, place: int) -> int:
    """The bid that the bidder at this place may not make; −1 if every bid is allowed."""
    if not rules.hook or place < deal.seats - 1:
        return -1
    left = rules.dealt
    for before in range(place):
        left -= deal.bids[rules.order[before]]
    return left if left >= 0 else -1


@kernel
def whose(deal: Deal, rules: Rules, place: int) -> int:
    """The seat to move next; `place` is that of `bidder`."""
    return turn(deal) if place == deal.seats else int(rules.order[place])


@kernel
def moves_of(deal: Deal, rules: Rules, place: int) -> int:
    """The legal moves, as a set; `place` is that of `bidder`."""
    if place == deal.seats:
        return legal(deal)
    moves = ((1 << (rules.dealt + 1)) - 1) << BID
    barred = barred_bid(deal, rules, place)
    return moves & ~(1 << (BID + barred)) if barred >= 0 else moves


@kernel
def make_move(deal: Deal, order: Ints, move: int) -> int:
    """Bid or play `move`; returns the seat that moved."""
    place = bidder(deal, order)
    if place < order.size:
        deal.bids[order[place]] = move - BID
        return int(order[place])
    seat = turn(deal)
    play(deal, move)
    return seat


@kernel
def plain_choice(deal: Deal, rules: Rules, place: int) -> int:
    """The next move of a player by plain rules; `place` is that of `bidder`."""
    if place == deal.seats:
        return plain_move(deal)
    hand = deal.hands[rules.order[place]]
    certain = certain_of(deal, hand, rules.turned)
    barred = barred_bid(deal, rules, place)
    worth = worth_of(hand, deal.trump)
    return BID + nearest_bid(worth, rules.dealt, barred, deal.nil_score, certain)


@kernel
def finish(deal: Deal, rules: Rules, plain: Flags, draws: Draws, values: Floats) -> None:
    """Bid and play to the end, and fill `values` with the result for each seat."""
    _bid_on(deal, rules, plain, draws)
    _play_on(deal, rules, plain, draws)
    _worth(deal, rules, values)


@kernel
def _bid_on(deal: Deal, rules: Rules, plain: Flags, draws: Draws) -> None:
    """Let the others bid: by plain rules, by judgement, or near an equal share."""
    dealt = rules.dealt
    their_sum = 0
    for place in range(deal.seats):
        seat = rules.order[place]
        if deal.bids[seat] == NO_BID:
            barred = barred_bid(deal, rules, place)
            if plain[seat]:
                bid = plain_choice(deal, rules, place) - BID
            elif rules.judged > 0.0:
                expected = expected_tricks(
                    deal, seat, deal.hands[seat], rules.turned, rules.policy_weights
                )
                bid = choose_bid(
                    expected,
                    dealt,
                    deal.seats,
                    place,
                    their_sum,
                    barred,
                    deal.nil_score,
                    certain_of(deal, deal.hands[seat], rules.turned),
                    rules.policy_weights,
                )
            else:
                bid = min(dealt, max(0, dealt // deal.seats + below(draws, 3) - 1))
                if bid == barred:
                    bid = bid + 1 if bid < dealt else bid - 1
            deal.bids[seat] = bid
        their_sum += deal.bids[seat]


@kernel
def _play_on(deal: Deal, rules: Rules, plain: Flags, draws: Draws) -> None:
    """Play to the end: by plain rules, by judgement with chance `judged`, or nearly at random.

    Nearly at random: two cards are drawn, and the one that suits the player's needs better is
    played.
    """
    while not over(deal):
        seat = turn(deal)
        if plain[seat]:
            play(deal, plain_move(deal))
        elif rules.judged > 0.0 and unit(draws) < rules.judged:
            play(deal, policy_move(deal, rules.policy_weights))
        else:
            cards = legal(deal)
            one, other = any_of(cards, draws), any_of(cards, draws)
            if (_height(deal, one) < _height(deal, other)) == (deal.taken[seat] < deal.bids[seat]):
                one = other
            play(deal, one)


@kernel
def _height(deal: Deal, card: int) -> int:
    """The height of a card: its rank, trumps above all others."""
    return card % 13 + (13 if card // 13 == deal.trump else 0)


@kernel
def _worth(deal: Deal, rules: Rules, values: Floats) -> None:
    """Turn the scores of a deal into its values for each seat, in units of POINTS."""
    final_scores(deal, values)
    total = values.sum()
    mine = values[rules.me]
    for seat in range(deal.seats):
        own = values[seat]
        worth = own - rules.spoil * (total - own) / (deal.seats - 1)
        if seat != rules.me:
            worth -= rules.paranoia[seat] * mine
        values[seat] = worth / POINTS
