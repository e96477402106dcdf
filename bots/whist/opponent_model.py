"""The tree search's model of its opponents: how likely a hand makes a seat's moves.

An opponent plays by the plain rules of strength 1 or in some other way; which of the two is judged
together with the hand. A player by plain rules follows them, except for a few slips. Any other
player bids about what the policy expects of the hand; their cards are taken as random, so each
legal one is equally likely.
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from bots.search.compiled import kernel
from bots.whist.knowledge import Knowledge
from bots.whist.likelihoods import (
    NO_BID,
    bid_chance,
    certain_of,
    expected_tricks,
    nearest_bid,
    worth_of,
)
from bots.whist.open_deal import (
    END,
    SEEN,
    START,
    Deal,
    Floats,
    Ints,
    best_card,
    count,
    led,
    legal_cards,
    play,
    rewind,
    turn,
)
from bots.whist.playout import ALL, plain_card
from bots.whist.policy import POLICY_WEIGHTS, PolicyWeights

CARD, LED, BEST, NEED, BEHIND, SEEN_THEN, HELD = range(7)
"""Columns of a card played: the card, the suit led and the best card of the trick before it,
the tricks its player needed, how many were to follow, the cards all had seen, and of those its
player held then the ones that have been played by now.
"""


class OpponentModel(NamedTuple):
    """The assumptions about how opponents bid and play."""

    rustic: float
    """The chance that an opponent plays by the plain rules, before they have done anything."""
    steady: float = 0.95
    """How often such a player does what the rules say."""
    blur: float = 0.8
    """How far the bids of the others lie from what the policy expects: a standard deviation."""
    slips: float = 0.05
    """The share of their bids that say nothing."""
    policy_weights: PolicyWeights = POLICY_WEIGHTS


class Observations(NamedTuple):
    """The observed bids and plays of each seat.

    Its n-th card is `plays[seat, n]`, of `played[seat]`; `cards[seat]` are all of these as a set.
    It bid `bids[seat]` at place `place[seat]`, when the bids before it came to `before[seat]` and
    `barred[seat]` was not allowed (−1: every bid was).
    """

    dealt: int
    turned: int
    cards: Ints
    plays: Ints
    played: Ints
    bids: Ints
    place: Ints
    before: Ints
    barred: Ints


def observations_of(
    known: Knowledge, deal: Deal, work: Deal, *, bids: bool, plays: bool
) -> Observations:
    """The observations in the deal of `known`: the `bids`, the `plays`, or both."""
    seats = known.seats
    observed = Observations(
        dealt=known.dealt,
        turned=known.turned,
        cards=np.array(known.played, dtype=np.int64),
        plays=np.zeros((seats, known.dealt, HELD + 1), dtype=np.int64),
        played=np.zeros(seats, dtype=np.int64),
        bids=np.full(seats, NO_BID),
        place=np.zeros(seats, dtype=np.int64),
        before=np.zeros(seats, dtype=np.int64),
        barred=np.full(seats, -1),
    )
    their_sum = 0
    for place, seat in enumerate(known.bidders):
        if not bids or known.bids[seat] == NO_BID:
            break
        observed.bids[seat] = known.bids[seat]
        observed.place[seat] = place
        observed.before[seat] = their_sum
        if known.hook and place == seats - 1:
            observed.barred[seat] = max(known.dealt - their_sum, -1)
        their_sum += known.bids[seat]
    if plays:
        _note_plays(deal, work, known.bidders[0], observed.plays, observed.played)
    return observed


@kernel
def _note_plays(deal: Deal, work: Deal, first: int, plays: Ints, played: Ints) -> None:
    """Fill `plays` and `played` from the line of `deal`; `first` led the first trick."""
    rewind(deal, first, work)
    for place in range(deal.at[END]):
        card = deal.line[place]
        seat = turn(work)
        note = plays[seat, played[seat]]
        note[CARD] = card
        note[LED] = led(work)
        note[BEST] = best_card(work)
        note[NEED] = deal.bids[seat] - work.taken[seat]
        note[BEHIND] = deal.seats - 1 - (work.at[END] - work.at[START])
        note[SEEN_THEN] = work.at[SEEN]
        played[seat] += 1
        for n in range(played[seat]):
            plays[seat, n, HELD] |= 1 << card
        play(work, card)


@kernel
def hand_likelihood(
    deal: Deal, observed: Observations, model: OpponentModel, seat: int, hidden: int, plain: Floats
) -> float:
    """The log of the chance of `seat`'s moves, if it still holds `hidden`.

    `plain[seat]` becomes the chance that it is a player by plain rules.
    """
    by_rules, else_ = _read_bid(deal, observed, model, seat, hidden)
    for n in range(observed.played[seat]):
        note = observed.plays[seat, n]
        hand = hidden | note[HELD]
        options = count(legal_cards(hand, note[LED]))
        if options > 1:
            else_ -= log(options)
            unseen = ALL & ~hand & ~note[SEEN_THEN]
            usual = plain_card(
                hand, unseen, note[LED], note[BEST], deal.trump, note[NEED], note[BEHIND]
            )
            by_rules += _habit(usual == note[CARD], options, model.steady)
    shift = max(by_rules, else_)
    one = model.rustic * exp(by_rules - shift)
    either = one + (1.0 - model.rustic) * exp(else_ - shift)
    plain[seat] = one / either
    return shift + log(either)


@kernel
def _read_bid(
    deal: Deal, observed: Observations, model: OpponentModel, seat: int, hidden: int
) -> tuple[float, float]:
    """The logs of the likelihood of a bid, by a player by plain rules and by any other."""
    bid = observed.bids[seat]
    if bid == NO_BID:
        return 0.0, 0.0
    cards = hidden | observed.cards[seat]
    worth = worth_of(cards, deal.trump)
    certain = certain_of(deal, cards, observed.turned)
    barred = observed.barred[seat]
    usual = nearest_bid(worth, observed.dealt, barred, deal.nil_score, certain)
    expected = expected_tricks(deal, seat, cards, observed.turned, model.policy_weights)
    share = observed.place[seat] * observed.dealt / deal.seats
    expected -= model.policy_weights.crowd * (observed.before[seat] - share)
    chance = bid_chance(expected, bid, observed.dealt, model.blur, model.slips)
    return _habit(usual == bid, observed.dealt + 1, model.steady), log(chance)


@kernel
def _habit(kept: bool, options: int, steady: float) -> float:
    """The log of the chance of one of so many options: the usual one, or a slip."""
    return log(steady if kept else (1.0 - steady) / (options - 1))
