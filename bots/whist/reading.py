"""What the others did, and how likely a hand makes it: the beliefs of the tree search.

An opponent is a player by the plain rules of strength 1 or somebody else; which of them, is judged
together with his hand. The plain player does what his rules say, but for a few slips. Anybody else
bids about what the judge expects of the hand, and of his cards nothing is known: each that may be
played is as likely as the others.
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from bots.search.compiled import kernel
from bots.whist.beliefs import NO_BID, bid_chance, expected_tricks, nearest_bid, worth_of
from bots.whist.kernel import (
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
from bots.whist.knowledge import Knowledge
from bots.whist.playout import ALL, plain_card
from bots.whist.policy import TASTE, Taste

CARD, LED, BEST, NEED, BEHIND, SEEN_THEN, HELD = range(7)
"""What is noted of a card played: itself, the suit led and the best card of the trick before it,
the tricks its player needed, how many were to follow, the cards all had seen, and of those its
player held then the ones he has played by now.
"""


class Model(NamedTuple):
    """How opponents are taken to bid and play."""

    rustic: float
    """The chance that one is a player by plain rules, before he has done anything."""
    steady: float = 0.95
    """How often such a player does what his rules say."""
    blur: float = 0.8
    """How far the bids of the others lie from what the judge expects: a standard deviation."""
    slips: float = 0.05
    """The share of their bids that say nothing."""
    taste: Taste = TASTE


class Record(NamedTuple):
    """What each seat did. Its n-th card is `plays[seat, n]`, of `played[seat]`; `cards[seat]` are
    all of these as a set. It bid `bids[seat]` at place `place[seat]`, when the bids were `before`
    in all, and `barred` was not allowed (−1: all were).
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


def record_of(known: Knowledge, deal: Deal, work: Deal, *, bids: bool, plays: bool) -> Record:
    """What is to be believed of what `known` says: the bids, the cards played, or both."""
    seats = known.seats
    record = Record(
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
        record.bids[seat] = known.bids[seat]
        record.place[seat] = place
        record.before[seat] = their_sum
        if known.hook and place == seats - 1:
            record.barred[seat] = max(known.dealt - their_sum, -1)
        their_sum += known.bids[seat]
    if plays:
        _note_plays(deal, work, known.bidders[0], record.plays, record.played)
    return record


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
def read_hand(
    deal: Deal, record: Record, model: Model, seat: int, hidden: int, plain: Floats
) -> float:
    """The log of how likely `seat` does what it did, if it still holds `hidden`.

    `plain[seat]` is then how likely it is a player by plain rules.
    """
    by_rules, else_ = _read_bid(deal, record, model, seat, hidden)
    for n in range(record.played[seat]):
        note = record.plays[seat, n]
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
    deal: Deal, record: Record, model: Model, seat: int, hidden: int
) -> tuple[float, float]:
    """The logs of how likely a player by plain rules and anybody else bid so."""
    bid = record.bids[seat]
    if bid == NO_BID:
        return 0.0, 0.0
    cards = hidden | record.cards[seat]
    worth = worth_of(cards, deal.trump)
    usual = nearest_bid(worth, record.dealt, record.barred[seat], deal.nil_score)
    expected = expected_tricks(deal, seat, cards, record.turned, model.taste)
    share = record.place[seat] * record.dealt / deal.seats
    expected -= model.taste.crowd * (record.before[seat] - share)
    chance = bid_chance(expected, bid, record.dealt, model.blur, model.slips)
    return _habit(usual == bid, record.dealt + 1, model.steady), log(chance)


@kernel
def _habit(kept: bool, options: int, steady: float) -> float:
    """The log of the chance of one of so many options: the usual one, or a slip."""
    return log(steady if kept else (1.0 - steady) / (options - 1))
