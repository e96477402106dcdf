"""The likelihood of worlds: the others' bids and plays, compared with those of the policy.

Source: Whist document, slide 21 ("Deal opponent hands based on their bids", "Observe play").
"""

from math import exp, log

import numpy as np

from bots.search.compiled import kernel, kernel_of
from bots.search.draws import Draws, unit
from bots.search.worlds import Plan, deal_world
from bots.whist import plain, policy
from bots.whist.maxn import distinct
from bots.whist.open_deal import (
    END,
    SEEN,
    START,
    Deal,
    Floats,
    Ints,
    count,
    play,
    rewind,
    turn,
)
from bots.whist.playout import ALL, policy_move
from bots.whist.policy import PolicyWeights

NO_BID = -1

estimate = kernel_of(policy.estimate)
choose_bid = kernel_of(policy.choose_bid)
worth_of = kernel_of(plain.worth_of)
nearest_bid = kernel_of(plain.nearest_bid)
certain_tricks = kernel_of(plain.certain_tricks)


@kernel
def deal_worlds(plan: Plan, sizes: Ints, draws: Draws, hands: Ints) -> None:
    """Fill each row of `hands` with a set for each seat, dealt by `plan`, whose places are these.

    A seat without a place keeps the set in its column.
    """
    world = np.empty(plan.held.size, np.int64)
    for row in range(hands.shape[0]):
        deal_world(plan, draws, world)
        at = 0
        for seat in range(sizes.size):
            if sizes[seat] > 0:
                cards = 0
                for place in range(at, at + sizes[seat]):
                    cards |= 1 << world[place]
                at += sizes[seat]
                hands[row, seat] = cards


@kernel
def expected_tricks(
    deal: Deal, seat: int, cards: int, turned: int, weights: PolicyWeights
) -> float:
    """The tricks that the policy expects of `cards` as `seat`'s whole hand."""
    return estimate(cards, ALL & ~cards & ~(1 << turned), deal.trump, deal.seats - 1, weights)


@kernel
def certain_of(deal: Deal, cards: int, turned: int) -> int:
    """The tricks that `cards` take as a whole hand, whatever the others hold."""
    return certain_tricks(cards, ALL & ~cards & ~(1 << turned), deal.trump)


@kernel
def bid_chance(expected: float, bid: int, dealt: int, blur: float, slips: float) -> float:
    """The chance that a player who expects so many tricks bids `bid`, in (0, 1].

    A normal curve around the expectation with deviation `blur`, cut to the bids from 0 to `dealt`,
    and a share of `slips` for any bid.
    """
    made = exp(-(((bid - expected) / blur) ** 2) / 2)
    total = made
    # From one bid to the next the bell falls by a factor that itself falls evenly.
    bend = exp(-1.0 / (blur * blur))
    for way in (-1, 1):
        fall = exp((way * (expected - bid) - 0.5) / (blur * blur))
        height = made
        other = bid + way
        while 0 <= other <= dealt:
            height *= fall
            fall *= bend
            total += height
            other += way
    fit = made / max(total, 1e-12)
    return slips / (dealt + 1) + (1.0 - slips) * fit


@kernel
def add_bid_likelihoods(
    deal: Deal,
    hands: Ints,
    played: Ints,
    order: Ints,
    me: int,
    turned: int,
    blur: float,
    slips: float,
    weights: PolicyWeights,
    logs: Floats,
) -> None:
    """Add to `logs` how likely the bids made are in each world."""
    for row in range(hands.shape[0]):
        their_sum = 0
        for before in range(order.size):
            seat = order[before]
            if deal.bids[seat] == NO_BID:
                break
            if seat != me:
                cards = hands[row, seat] | played[seat]
                dealt = count(cards)
                expected = expected_tricks(deal, seat, cards, turned, weights)
                expected -= weights.crowd * (their_sum - before * dealt / deal.seats)
                logs[row] += log(bid_chance(expected, deal.bids[seat], dealt, blur, slips))
            their_sum += deal.bids[seat]


@kernel
def add_play_likelihoods(
    deal: Deal,
    hands: Ints,
    played: Ints,
    me: int,
    first: int,
    trust: float,
    work: Deal,
    weights: PolicyWeights,
    logs: Floats,
) -> None:
    """Add to `logs` how likely the cards played are in each world.

    A player with several cards to choose from plays the policy's with chance `trust`, and
    each of the others equally often. `first` led the first trick.
    """
    for row in range(hands.shape[0]):
        rewind(deal, first, work)
        for seat in range(deal.seats):
            work.hands[seat] = hands[row, seat] | played[seat]
        for place in range(deal.at[END]):
            card = deal.line[place]
            if turn(work) != me:
                options = distinct(work)
                several = count(options)
                if several > 1:
                    chosen = policy_move(work, weights)
                    logs[row] += log(
                        trust if same_card(work, card, chosen) else (1.0 - trust) / (several - 1)
                    )
            play(work, card)


@kernel
def same_card(deal: Deal, card: int, other: int) -> bool:
    """Whether two cards of the hand to move are equivalent, for those who saw what its seat saw."""
    if card // 13 != other // 13:
        return False
    low, high = min(card, other), max(card, other)
    between = (1 << high) - (1 << (low + 1)) if high > low else 0
    # What lies in the trick still divides: it may be beaten by one and not by the other.
    known = deal.hands[turn(deal)] | deal.at[SEEN]
    for place in range(deal.at[START], deal.at[END]):
        known &= ~(1 << deal.line[place])
    return bool(between & ~known == 0)


@kernel
def resample(logs: Floats, draws: Draws, picked: Ints) -> float:
    """Fill `picked` with rows, each as often as it is likely; returns the effective share of rows.

    Systematic resampling: one draw places evenly spaced points over the summed weights. `logs` are
    the logs of the weights, up to a constant.
    """
    highest = logs.max()
    weights = np.exp(logs - highest)
    total = weights.sum()
    squares = (weights * weights).sum()
    step = total / picked.size
    point = unit(draws) * step
    row = 0
    passed = weights[0]
    for at in range(picked.size):
        while passed < point and row < weights.size - 1:
            row += 1
            passed += weights[row]
        picked[at] = row
        point += step
    return float(total * total / squares / weights.size)
