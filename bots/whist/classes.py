"""Card classes and the value of an open position, which max^n uses at its leaves.

A card is an absolute winner or loser if nobody can change that, a likely one if only players could
who would rather not, and neutral otherwise. The classes give how many tricks a hand will take, how
far that is from what its bid still needs, and the expected scores.

Source: Whist document, slides 10 to 13 ("Heuristic") and 20 ("Heuristic Improvements").
"""

from typing import NamedTuple

from bots.search.compiled import kernel, kernel_of
from bots.whist import bits
from bots.whist.open_deal import LEADER, SEEN, Deal, Floats, Ints, count, score
from bots.whist.plain import EXACT

ABSOLUTE_LOSER, LIKELY_LOSER, NEUTRAL, LIKELY_WINNER, ABSOLUTE_WINNER = range(5)

ranks = kernel_of(bits.ranks)
above = kernel_of(bits.above)
lowest = kernel_of(bits.lowest)
highest_rank = kernel_of(bits.highest_rank)


class Weights(NamedTuple):
    """The values of the card classes, and which refinements are in use."""

    winner: float = 0.7
    """The share of a likely winner that counts as a trick."""
    loser: float = 0.0
    """The share of a likely loser that does."""
    neutral: float = 0.4
    """The share of a neutral card that may be used either way."""
    slope: float = 0.5
    """The loss of chance to make the bid, for each trick of distance from it."""
    ranked: bool = False
    """Split neutral cards by their rank among the cards of the suit that are still held."""
    trumped: float = 0.0
    """How far a neutral card falls with the cards of its suit that have been played."""
    protected: float = 0.0
    """How much of a winner counts as neutral, for each lower card of its suit beside it."""
    short: float = 0.0
    """The share of a trick that a plain suit of at most one card is to a hand with a trump."""
    long: float = 0.0
    """The same for each card of a plain suit beyond the third."""
    lead: float = 0.0
    """How much having the lead counts as neutral: it can be kept or given away."""


WEIGHTS = Weights()


@kernel
def classify(deal: Deal, seat: int, card: int, wants: Ints) -> int:
    """The class of a card in `seat`'s hand; `wants[other]` is what a player still needs.

    *Absolute winner*: no higher card of its suit is held, and nobody without the suit holds a
    trump. *Absolute loser*: somebody holds the suit, and nothing in it below this card; or
    somebody holds trumps only. *Likely winner*: nobody who wants a trick can beat it. *Likely
    loser*: two who want one can, or it is the lowest of its suit and one can.
    """
    suit = card // 13
    rank = card % 13
    able = eager = 0
    lowest_of_all = True
    trumped = False
    for other in range(deal.seats):
        if other == seat:
            continue
        held = ranks(deal.hands[other], suit)
        trumps = ranks(deal.hands[other], deal.trump)
        if held:
            if held & ((1 << rank) - 1) == 0:
                return ABSOLUTE_LOSER
            lowest_of_all = False
            beaten = held >> (rank + 1) != 0
        else:
            beaten = suit != deal.trump and trumps != 0
            if beaten and trumps << 13 * deal.trump == deal.hands[other]:
                trumped = True
        if beaten:
            able += 1
            if wants[other] > 0:
                eager += 1
    if trumped:
        return ABSOLUTE_LOSER
    if able == 0:
        return ABSOLUTE_WINNER
    if eager == 0:
        return LIKELY_WINNER
    if eager > 1 or lowest_of_all:
        return LIKELY_LOSER
    return NEUTRAL


@kernel
def standing(deal: Deal, seat: int, card: int, weights: Weights) -> float:
    """How likely a neutral card is to win rather than lose, from 0 to 1.

    By rank, who has none of its suit and a trump counts as another higher card. By the cards
    played, the fewer of a plain suit are left, the sooner somebody trumps it.
    """
    suit = card // 13
    below = higher = armed = 0
    for other in range(deal.seats):
        if other == seat:
            continue
        held = ranks(deal.hands[other], suit)
        over_it = above(deal.hands[other], card)
        higher += over_it
        below += count(held) - over_it
        if suit != deal.trump and ranks(deal.hands[other], deal.trump):
            armed += 1
            if held == 0:
                higher += 1
    chance = (below + 1.0) / (below + higher + 2.0) if weights.ranked else 0.5
    if armed:
        chance *= 1.0 - weights.trumped * count(ranks(deal.at[SEEN], suit)) / 13.0
    return chance


@kernel
def lengths(deal: Deal, seat: int, weights: Weights) -> float:
    """The expected tricks from short and long plain suits beyond those of single cards."""
    promised = 0.0
    armed = ranks(deal.hands[seat], deal.trump) != 0
    for suit in range(4):
        if suit != deal.trump:
            length = count(ranks(deal.hands[seat], suit))
            if length <= 1 and armed:
                promised += weights.short
            promised += weights.long * max(0, length - 3)
    return promised


@kernel
def hopes_of(deal: Deal, weights: Weights, values: Floats) -> None:
    """Fill `values` with the expected score of each seat, at the beginning of a trick.

    A bid that is sure to be missed leaves the tricks themselves. The value of making others miss is
    weighed where the tuple is used.
    """
    seats = deal.seats
    wants = deal.bids - deal.taken
    sure = wants.copy()
    for seat in range(seats):
        rest = deal.hands[seat]
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if classify(deal, seat, card, wants) == ABSOLUTE_WINNER:
                sure[seat] -= 1
    for seat in range(seats):
        likely = lengths(deal, seat, weights)
        flexible = weights.lead if seat == deal.at[LEADER] else 0.0
        winners = 0
        rest = deal.hands[seat]
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            kind = classify(deal, seat, card, sure)
            if kind == ABSOLUTE_WINNER:
                winners += 1
                if weights.protected > 0.0:
                    lower = count(ranks(deal.hands[seat], card // 13) & ((1 << card % 13) - 1))
                    flexible += min(1.0, weights.protected * lower)
            elif kind == LIKELY_WINNER:
                likely += weights.winner
            elif kind == LIKELY_LOSER:
                likely += weights.loser
            elif kind == NEUTRAL:
                if weights.ranked or weights.trumped > 0.0:
                    chance = standing(deal, seat, card, weights)
                    likely += weights.neutral * chance
                    flexible += weights.neutral * min(chance, 1.0 - chance) * 2.0
                else:
                    flexible += weights.neutral
        left = count(deal.hands[seat])
        need = wants[seat]
        chance = 0.0
        if 0 <= need <= left:
            off = need - winners - likely
            off = max(0.0, off - flexible) if off > 0.0 else min(0.0, off + flexible)
            chance = max(0.0, 1.0 - weights.slope * abs(off))
        bonus = EXACT if deal.bids[seat] else deal.nil_score
        values[seat] = deal.taken[seat] + winners + likely + bonus * chance


@kernel
def final_scores(deal: Deal, values: Floats) -> None:
    """Fill `values` with the scores of a deal that is over."""
    for seat in range(deal.seats):
        values[seat] = score(deal.bids[seat], deal.taken[seat], deal.nil_score)
