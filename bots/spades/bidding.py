"""How the rules player bids: the tricks it expects of a hand, and how safe a nil would be.

Every function here is plain Python on ints and floats; playouts run its compiled twin.
"""

from typing import NamedTuple

from bots.spades.bits import ALL, above, below, count, lowest, of_suit
from engine.cards import SPADES


class BidWeights(NamedTuple):
    """The weights of a hand's value before play, in tricks; see bots/spades/README.md."""

    ruff: float = 0.25
    """A spade that its rank does not make a trick."""
    spade_fear: float = 0.36
    """How likely each higher spade that is out takes the trick of a spade."""
    side_fear: float = 0.55
    """The same for a card of another suit."""
    bare: float = 0.6
    """What is left of a high card with fewer lower cards beside it than higher ones are out."""
    long: float = 0.15
    """By how much each card of a suit beyond the third makes a ruff by somebody likelier."""
    length: float = 0.6
    """A spade beyond the third, whatever its rank."""
    short: float = 0.2
    """Each card less than two in another suit, for a hand with a spade to spare."""
    offset: float = -0.35
    """What is added before the sum is rounded to the nearest bid."""
    crowd: float = 0.1
    """How far the bid gives way to each trick the others have bid beyond their share."""
    share: float = 2.8
    """The tricks a player bids on average."""
    nil_rank: float = 2.6
    """The rank that the lowest card of a suit may have without a risk; 0 is a two."""
    nil_step: float = 2.0
    """How much higher each further card of the suit may be."""
    nil_slope: float = 0.06
    """The chance that a nil fails for each rank beyond that."""
    nil_spade: float = 2.4
    """How much riskier a spade is."""
    nil_length: float = 0.3
    """What each spade beyond the third adds: somebody has to ruff with it."""
    nil_limit: float = 0.35
    """The risk from which on no nil is bid."""
    nil_cover: float = 0.09
    """How much more is risked for each trick that the partner has bid beyond the average."""


BID_WEIGHTS = BidWeights()


def power(base: float, n: int) -> float:
    """`base` to the whole number `n` of at least 0."""
    product = 1.0
    for _ in range(n):
        product *= base
    return product


def expected_tricks(hand: int, weights: BidWeights) -> float:
    """The tricks expected of a hand of 13 cards."""
    unseen = ALL & ~hand
    spades = count(of_suit(hand, SPADES))
    total = 0.0
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = card // 13
        higher = above(unseen, card)
        guarded = below(hand, card) >= higher
        if suit == SPADES:
            by_rank = power(1.0 - weights.spade_fear, higher)
            if not guarded:
                by_rank *= weights.bare
            total += max(by_rank, weights.ruff)
        else:
            by_rank = power(1.0 - weights.side_fear, higher)
            if higher and not guarded:
                by_rank *= weights.bare
            length = count(of_suit(hand, suit))
            total += by_rank * max(0.0, 1.0 - weights.long * max(0, length - 3))
    total += weights.length * max(0, spades - 3)
    for suit in range(4):
        length = count(of_suit(hand, suit))
        if suit != SPADES and length < 2 and spades > 1:
            total += weights.short * (2 - length)
    return total


def certain_tricks(hand: int) -> int:
    """The number of tricks that 13 cards take whatever the others hold and play.

    A spade loses its trick only to a higher one, and each of these is played once.
    """
    certain = higher = 0
    for rank in range(12, -1, -1):
        if not hand >> (13 * SPADES + rank) & 1:
            higher += 1
        elif higher:
            higher -= 1
        else:
            certain += 1
    return certain


def nil_risk(hand: int, weights: BidWeights) -> float:
    """The approximate chance that a nil with these 13 cards fails; it can exceed 1."""
    risk = weights.nil_length * max(0, count(of_suit(hand, SPADES)) - 3)
    for suit in range(4):
        rest, allowed = of_suit(hand, suit), weights.nil_rank
        factor = weights.nil_spade if suit == SPADES else 1.0
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            risk += factor * weights.nil_slope * max(0.0, card % 13 - allowed)
            allowed += weights.nil_step
    return risk


def choose_bid(
    hand: int,
    partner_bid: int,
    bids_before: int,
    their_sum: int,
    nil_allowed: bool,
    weights: BidWeights,
) -> int:
    """The bid of the rules player: nil if it is safe enough, or about its expected tricks.

    `partner_bid` is −1 while the partner has not bid. `bids_before` players have bid `their_sum`
    tricks in all. No bid is lower than what the hand takes for certain.
    """
    certain = certain_tricks(hand)
    if nil_allowed and partner_bid != 0 and certain == 0:
        limit = weights.nil_limit
        if partner_bid > 0:
            limit += weights.nil_cover * (partner_bid - weights.share)
        if nil_risk(hand, weights) < limit:
            return 0
    expected = expected_tricks(hand, weights) + weights.offset
    expected -= weights.crowd * (their_sum - bids_before * weights.share)
    return min(max(int(expected + 0.5), certain, 1), 13)
