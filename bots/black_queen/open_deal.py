"""A deal of Black Queen in arrays, and how a card is played there: the rules, for kernels.

Several packs hold equal cards, so a card here is a copy: ``4 * card + copy``, 0 to 207. A suit is
then 52 bits of a word, four for each rank, and a set of cards is four words. Equal copies are
alike; which of them has which number means nothing.

`engine/games/black_queen` has the last word on the rules; a test compares the two.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel
from engine.cards import HEARTS, SPADES, rank_of
from engine.games.black_queen import BLACK_QUEEN

Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.int64]

COPIES = 208
SUIT = 52
NONE = -1

# Columns of `Deal.seats`.
COST, KEPT, HAND, FLIP, LACKS = range(5)
# Places in `Deal.now`.
TURN, PLAYED, BEST, BEST_SEAT, POINTS, LEFT = range(6)

ONE = np.uint64(1)
FOUR = np.uint64(4)
RANK = np.uint64(15)
"""The bits of the lowest rank: its copies in up to four packs."""

_QUEEN = rank_of(BLACK_QUEEN)
_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM = np.uint64(0x0101010101010101)


class Deal(NamedTuple):
    """A deal in play; rows are seats.

    `held` is what a seat may play from, hand and face-up cards together, `up` the face-up part of
    it, `unplayed` all cards not yet in a trick, face-down ones too. `under[card]` is the card that
    a face-up card lies on, or NONE.

    `seats` has for each seat what it has taken (COST in points, KEPT in cards), the size of its
    HAND, the face-down card its move to this trick uncovered (FLIP), and a bit for each suit that
    everybody knows its hand LACKS. `now` is whose TURN it is, how many cards are PLAYED to the
    trick, its BEST card and whose that is, the POINTS in it, and how many tricks are LEFT, this
    one included.
    """

    held: Words
    up: Words
    unplayed: Words
    under: Numbers
    seats: Numbers
    now: Numbers


def empty_deal(seats: int) -> Deal:
    """A deal of which no card is known."""
    deal = Deal(
        held=np.zeros((seats, 4), dtype=np.uint64),
        up=np.zeros((seats, 4), dtype=np.uint64),
        unplayed=np.zeros(4, dtype=np.uint64),
        under=np.full(COPIES, NONE, dtype=np.int64),
        seats=np.zeros((seats, 5), dtype=np.int64),
        now=np.zeros(6, dtype=np.int64),
    )
    deal.seats[:, FLIP] = NONE
    deal.now[BEST] = NONE
    return deal


@kernel
def copy_deal(source: Deal, target: Deal) -> None:
    """Make `target`, a deal of as many seats, equal to `source`."""
    target.held[:] = source.held
    target.up[:] = source.up
    target.unplayed[:] = source.unplayed
    target.under[:] = source.under
    target.seats[:] = source.seats
    target.now[:] = source.now


@kernel
def count(cards: np.uint64) -> int:
    """The number of cards in one suit."""
    cards = cards - ((cards >> ONE) & _PAIRS)
    cards = (cards & _FOURS) + ((cards >> np.uint64(2)) & _FOURS)
    cards = (cards + (cards >> FOUR)) & _BYTES
    return int(np.int64((cards * _SUM) >> np.uint64(56)))


@kernel
def lowest(cards: np.uint64) -> int:
    """The place of the lowest card of a suit, which must not be empty."""
    return count((cards & (~cards + ONE)) - ONE)


@kernel
def bit_of(card: int) -> np.uint64:
    """The bit of `card` in the word of its suit."""
    return ONE << np.uint64(card % SUIT)


@kernel
def cost_of(card: int) -> int:
    """The cost of `card` for its taker: 12, 1 or 0."""
    suit = card // SUIT
    if suit == HEARTS:
        return 1
    return 12 if suit == SPADES and card % SUIT // 4 == _QUEEN else 0


@kernel
def must_follow(held: Words, now: Numbers) -> int:
    """The suit that the player to move must follow, or NONE if any card is allowed."""
    if now[PLAYED] == 0:
        return NONE
    led: int = now[BEST] // SUIT
    return led if held[now[TURN], led] != 0 else NONE


@kernel
def play(deal: Deal, card: int) -> None:
    """Let the player to move play `card`; a full trick goes to its taker, covered cards turn up."""
    play_on(deal.held, deal.up, deal.unplayed, deal.under, deal.seats, deal.now, card)


@kernel
def play_on(
    held: Words,
    up: Words,
    unplayed: Words,
    under: Numbers,
    seats: Numbers,
    now: Numbers,
    card: int,
) -> None:
    """Play `card` on the arrays of a deal, which are unpacked only once for speed."""
    seat, suit, bit = now[TURN], card // SUIT, bit_of(card)
    held[seat, suit] &= ~bit
    unplayed[suit] &= ~bit
    if up[seat, suit] & bit:
        up[seat, suit] &= ~bit
        seats[seat, FLIP] = under[card]
    else:
        seats[seat, HAND] -= 1
    best = now[BEST]
    if best == NONE or (suit == best // SUIT and card // 4 >= best // 4):
        now[BEST] = card
        now[BEST_SEAT] = seat
    elif suit != best // SUIT:
        seats[seat, LACKS] |= 1 << best // SUIT
    now[POINTS] += cost_of(card)
    now[PLAYED] += 1
    now[TURN] = seat + 1 if seat + 1 < len(seats) else 0
    if now[PLAYED] == len(seats):
        _end_trick(held, up, seats, now)


@kernel
def _end_trick(held: Words, up: Words, seats: Numbers, now: Numbers) -> None:
    taker = now[BEST_SEAT]
    seats[taker, COST] += now[POINTS]
    seats[taker, KEPT] += len(seats)
    now[TURN] = taker
    now[PLAYED] = 0
    now[BEST] = NONE
    now[POINTS] = 0
    now[LEFT] -= 1
    for seat in range(len(seats)):
        card = seats[seat, FLIP]
        if card != NONE:
            held[seat, card // SUIT] |= bit_of(card)
            up[seat, card // SUIT] |= bit_of(card)
            seats[seat, FLIP] = NONE


@kernel
def score(deal: Deal, seat: int) -> int:
    """The score of `seat` for a deal that is over."""
    seats = deal.seats
    if seats[seat, KEPT] == 0:
        return 10
    cost: int = seats[seat, COST]
    if cost == 0:
        return 5
    # Each pack has 13 hearts and a queen of spades, and no pack lacks one of these.
    return cost if cost == 25 * (len(seats) // 2) else -cost
