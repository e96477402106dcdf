"""Worlds that the bids make likely, and deals played to their end in them, as kernels."""

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel, kernel_of
from bots.search.draws import Draws, unit
from bots.search.worlds import Ints, Plan, deal_world
from bots.spades import bidding, policy
from bots.spades.bidding import BidWeights
from bots.spades.open_deal import (
    BIDS,
    BLIND,
    HAND,
    NIL,
    NO_BID,
    SIZE,
    TURN,
    Deal,
    lead,
    legal_cards,
    lowest,
    over,
    play,
    sight_of,
)
from bots.spades.policy import PolicyWeights

choose_bid = kernel_of(bidding.choose_bid)
expected_tricks = kernel_of(bidding.expected_tricks)
nil_risk = kernel_of(bidding.nil_risk)
policy_card = kernel_of(policy.policy_card)

NIL_DOUBT = 0.15
"""The share of nils that say nothing of the hand."""


@kernel
def policy_move(deal: Deal, weights: PolicyWeights) -> int:
    """The rules player's card for the seat to move."""
    legal = legal_cards(deal)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    return policy_card(sight_of(deal), legal, weights)


@kernel
def play_out(deal: Deal, weights: PolicyWeights) -> None:
    """Play all remaining cards with the rules player in every seat."""
    while not over(deal):
        play(deal, policy_move(deal, weights))


@kernel
def bid_on(deal: Deal, leader: int, weights: BidWeights) -> None:
    """Let every seat that has not bid do so by the rules player's bid, in order."""
    their_sum = 0
    for before in range(4):
        seat = (leader + before) & 3
        if deal[BIDS + seat] == NO_BID:
            partner = deal[BIDS + ((seat + 2) & 3)]
            deal[BIDS + seat] = choose_bid(
                deal[HAND + seat], partner, before, their_sum, deal[NIL] > 0, weights
            )
        their_sum += deal[BIDS + seat]


@kernel
def likelihood(hand: int, bid: int, blur: float, weights: BidWeights) -> float:
    """The likelihood of a bid from a hand of 13 cards, up to a factor.

    A bid lies about the expected tricks with a standard deviation of `blur`; a nil is bid the
    likelier the safer it is.
    """
    if bid == 0:
        risk = nil_risk(hand, weights) / weights.nil_limit
        return NIL_DOUBT + (1.0 - NIL_DOUBT) / (1.0 + risk * risk * risk)
    off = (bid - expected_tricks(hand, weights) - weights.offset) / blur
    return 1.0 / (1.0 + off * off * off * off)


@kernel
def put_world(deal: Deal, sizes: Ints, world: Ints) -> None:
    """Give each seat its hidden cards of a world; `sizes` is 0 for the seat that knows its own."""
    at = 0
    for seat in range(4):
        if sizes[seat]:
            cards = 0
            for _ in range(sizes[seat]):
                cards |= 1 << world[at]
                at += 1
            deal[HAND + seat] = cards


@kernel
def likely_world(
    deal: Deal,
    plan: Plan,
    sizes: Ints,
    played: Ints,
    pool: int,
    blur: float,
    weights: BidWeights,
    draws: Draws,
    world: Ints,
    picked: Ints,
) -> None:
    """Put one of `pool` worlds into `deal`, each with the chance that the bids give it.

    `played` are the cards that each seat has played, `world` and `picked` scratch arrays.
    """
    total = 0.0
    for _ in range(pool):
        deal_world(plan, draws, world)
        put_world(deal, sizes, world)
        weight = 1.0
        for seat in range(4):
            told = deal[BIDS + seat] != NO_BID and not deal[BLIND] >> seat & 1
            if sizes[seat] and told and pool > 1:
                hand = deal[HAND + seat] | played[seat]
                weight *= likelihood(hand, deal[BIDS + seat], blur, weights)
        total += weight
        # One pass: each world takes the place of the one before with the chance of its share.
        if unit(draws) * total <= weight:
            picked[:] = world
    put_world(deal, sizes, picked)


@kernel
def values_of_cards(
    table: Deal,
    seat: int,
    plan: Plan,
    sizes: Ints,
    played: Ints,
    cards: Ints,
    pool: int,
    blur: float,
    bag: float,
    bid_weights: BidWeights,
    weights: PolicyWeights,
    draws: Draws,
    values: NDArray[np.float64],
) -> None:
    """Fill `values`: a row for each card, a column for each of some new worlds.

    A value is by how much the team of `seat` is ahead at the end of the deal, in points.
    """
    world, picked = np.empty(plan.held.size, np.int64), np.empty(plan.held.size, np.int64)
    start, now = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    start[:] = table
    for column in range(values.shape[1]):
        likely_world(start, plan, sizes, played, pool, blur, bid_weights, draws, world, picked)
        for row in range(cards.size):
            now[:] = start
            play(now, cards[row])
            play_out(now, weights)
            values[row, column] = lead(now, seat, bag)


@kernel
def values_of_bids(
    table: Deal,
    seat: int,
    plan: Plan,
    sizes: Ints,
    played: Ints,
    bids: Ints,
    pool: int,
    blur: float,
    bag: float,
    bid_weights: BidWeights,
    weights: PolicyWeights,
    draws: Draws,
    values: NDArray[np.float64],
) -> None:
    """Fill `values`: a row for each bid, a column for each new world; others bid by rules."""
    world, picked = np.empty(plan.held.size, np.int64), np.empty(plan.held.size, np.int64)
    start, now = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    start[:] = table
    for column in range(values.shape[1]):
        likely_world(start, plan, sizes, played, pool, blur, bid_weights, draws, world, picked)
        for row in range(bids.size):
            now[:] = start
            now[BIDS + seat] = bids[row]
            bid_on(now, now[TURN], bid_weights)
            play_out(now, weights)
            values[row, column] = lead(now, seat, bag)
