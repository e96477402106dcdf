"""A deal of Whist over sets of cards: the engine's rules of play, restated for speed.

A test compares the two on random positions.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel, kernel_of
from bots.whist import bits
from bots.whist.plain import EXACT

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

LEADER, START, END, BEST, SEEN = range(5)
"""Places in `Deal.at`: the trick's leader, where on the line it starts and ends, the seat whose
card is best in it, and the set of cards everybody has seen."""
MOST_SEATS = 7
MOST_CARDS = 51

count = kernel_of(bits.count)
lowest = kernel_of(bits.lowest)
beats = kernel_of(bits.beats)
legal_cards = kernel_of(bits.legal_cards)


class Deal(NamedTuple):
    """An open deal after the bidding. `line` are the cards in the order of play.

    Kernels change the arrays in place; restoring the old values of `at` undoes a move.
    """

    seats: int
    trump: int
    nil_score: int
    hands: Ints
    bids: Ints
    taken: Ints
    line: Ints
    at: Ints


def new_deal(seats: int, trump: int, nil_score: int, leader: int, seen: int) -> Deal:
    """A deal with empty hands, bids of none, and `leader` on lead."""
    at = np.array([leader, 0, 0, leader, seen], dtype=np.int64)
    per_seat = np.zeros((3, seats), dtype=np.int64)
    line = np.zeros(MOST_CARDS + MOST_SEATS, dtype=np.int64)
    return Deal(seats, trump, nil_score, per_seat[0], per_seat[1], per_seat[2], line, at)


@kernel
def copy_deal(source: Deal, target: Deal) -> None:
    """Make `target`, a deal of as many seats, equal to `source`."""
    target.hands[:] = source.hands
    target.bids[:] = source.bids
    target.taken[:] = source.taken
    target.line[:] = source.line
    target.at[:] = source.at


@kernel
def rewind(deal: Deal, first: int, work: Deal) -> None:
    """Make `work` like `deal` before any card, with `first` on lead; hands stay."""
    copy_deal(deal, work)
    for place in range(deal.at[END]):
        work.at[SEEN] &= ~(1 << deal.line[place])
    work.taken[:] = 0
    work.at[LEADER] = first
    work.at[START] = work.at[END] = 0


@kernel
def turn(deal: Deal) -> int:
    """The seat that plays next."""
    return int(deal.at[LEADER] + deal.at[END] - deal.at[START]) % deal.seats


@kernel
def led(deal: Deal) -> int:
    """The suit led to the trick; −1 before its first card."""
    return deal.line[deal.at[START]] // 13 if deal.at[END] > deal.at[START] else -1


@kernel
def best_card(deal: Deal) -> int:
    """The card that takes the trick so far; −1 before its first card."""
    if deal.at[END] == deal.at[START]:
        return -1
    place = (deal.at[BEST] - deal.at[LEADER]) % deal.seats
    return int(deal.line[deal.at[START] + place])


@kernel
def legal(deal: Deal) -> int:
    """The legal cards of the player to move."""
    return legal_cards(deal.hands[turn(deal)], led(deal))


@kernel
def play(deal: Deal, card: int) -> bool:
    """Play `card` from the hand to move; returns whether that ended the trick."""
    seat = turn(deal)
    best = best_card(deal)
    if best < 0 or beats(card, best, deal.trump):
        deal.at[BEST] = seat
    deal.hands[seat] &= ~(1 << card)
    deal.line[deal.at[END]] = card
    deal.at[END] += 1
    deal.at[SEEN] |= 1 << card
    if deal.at[END] - deal.at[START] < deal.seats:
        return False
    taker = deal.at[BEST]
    deal.taken[taker] += 1
    deal.at[LEADER] = taker
    deal.at[START] = deal.at[END]
    return True


@kernel
def take_back(deal: Deal, leader: int, start: int, best: int) -> None:
    """Undo the last move; the three arguments are the values of `at` before it."""
    if deal.at[START] != start:
        deal.taken[deal.at[LEADER]] -= 1
    deal.at[LEADER] = leader
    deal.at[START] = start
    deal.at[BEST] = best
    deal.at[END] -= 1
    card = deal.line[deal.at[END]]
    deal.at[SEEN] &= ~(1 << card)
    deal.hands[turn(deal)] |= 1 << card


@kernel
def over(deal: Deal) -> bool:
    """Whether the last trick has been taken."""
    return bool(deal.at[END] == deal.at[START] and deal.hands[deal.at[LEADER]] == 0)


@kernel
def score(bid: int, taken: int, nil_score: int) -> int:
    """The score: a point a trick, and the bonus for an exact bid."""
    if bid != taken:
        return taken
    return taken + (EXACT if bid else nil_score)
