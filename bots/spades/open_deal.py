"""An open deal of Spades as one array of ints, and its rules as kernels.

The engine's rules again, for speed; a test compares the two.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel, kernel_of
from bots.spades import bits
from bots.spades.bits import ALL_SPADES
from bots.spades.policy import Sight

Deal: TypeAlias = NDArray[np.int64]
"""Places of the array, by the names below."""

HAND = 0
"""Four places: the cards in hand, a set by seat."""
TRICKS = 4
"""Four places: tricks taken, by seat."""
BIDS = 8
"""Four places: bids, by seat; NO_BID before they are made."""
BAGS = 12
"""Two places: the bags that each team brings along."""
PLAYED = 14
"""The set of cards played so far, those of the trick included."""
LED = 15
"""The suit led, or NONE."""
BEST = 16
"""The card that takes the trick as it lies, or NONE."""
TAKER = 17
"""The seat that played it."""
LAID = 18
"""The number of cards in the trick."""
TURN = 19
"""The seat that plays next."""
VOIDS = 20
"""A bit for each seat and suit (4 × seat + suit) that was shown to be void."""
BLIND = 21
"""A bit for each seat whose nil was bid blind."""
NIL = 22
"""Points for a nil."""
OPTIONS = 23
"""The bits below."""
SIZE = 24

NONE = -1
NO_BID = -1
BREAKING, NIL_TRICKS, BAGS_COST = 1, 2, 4
"""Options of the table, as bits of `OPTIONS`."""

count = kernel_of(bits.count)
lowest = kernel_of(bits.lowest)
beats = kernel_of(bits.beats)
legal_from = kernel_of(bits.legal_cards)
ALL = bits.ALL


def new_deal(nil: int, options: int, leader: int) -> Deal:
    """A deal before the first bid, with empty hands."""
    deal = np.zeros(SIZE, np.int64)
    deal[BIDS : BIDS + 4] = NO_BID
    deal[LED] = deal[BEST] = deal[TAKER] = NONE
    deal[TURN] = leader
    deal[NIL] = nil
    deal[OPTIONS] = options
    return deal


@kernel
def legal_cards(deal: Deal) -> int:
    """The set of cards that the seat to move may play."""
    free = bool(deal[PLAYED] & ALL_SPADES) or not deal[OPTIONS] & BREAKING
    return legal_from(deal[HAND + deal[TURN]], deal[LED], free)


@kernel
def play(deal: Deal, card: int) -> None:
    """Let the seat to move play `card`; a full trick goes to its taker."""
    seat, suit = deal[TURN], card // 13
    deal[HAND + seat] &= ~(1 << card)
    deal[PLAYED] |= 1 << card
    if deal[LED] == NONE:
        deal[LED] = suit
    elif suit != deal[LED]:
        deal[VOIDS] |= 1 << (4 * seat + deal[LED])
    if beats(card, deal[BEST]):
        deal[BEST], deal[TAKER] = card, seat
    deal[LAID] += 1
    deal[TURN] = (seat + 1) & 3
    if deal[LAID] == 4:
        deal[TRICKS + deal[TAKER]] += 1
        deal[TURN] = deal[TAKER]
        deal[LED] = deal[BEST] = deal[TAKER] = NONE
        deal[LAID] = 0


@kernel
def over(deal: Deal) -> bool:
    """Whether all cards are played."""
    return bool(deal[PLAYED] == ALL)


@kernel
def need(deal: Deal, seat: int) -> int:
    """The tricks that the contract of a seat's team still needs; negative once there are more."""
    wanted = 0
    for one in (seat, (seat + 2) & 3):
        wanted += max(deal[BIDS + one], 0)
        if deal[BIDS + one] != 0 or deal[OPTIONS] & NIL_TRICKS:
            wanted -= deal[TRICKS + one]
    return wanted


@kernel
def sight_of(deal: Deal) -> Sight:
    """What the rules player at the seat to move may know."""
    seat = deal[TURN]
    voids = 0
    nils = 0
    for step in range(4):
        other = (seat + step) & 3
        voids |= (deal[VOIDS] >> 4 * other & 15) << 4 * step
        if deal[BIDS + other] == 0 and deal[TRICKS + other] == 0:
            nils |= 1 << step
    hand = deal[HAND + seat]
    return Sight(
        hand,
        ALL & ~hand & ~deal[PLAYED],
        deal[LED],
        deal[BEST],
        (deal[TAKER] - seat) & 3 if deal[LAID] else NONE,
        deal[LAID],
        voids,
        nils,
        need(deal, seat),
        need(deal, (seat + 1) & 3),
        bool(deal[BIDS + seat] == 0 and not deal[OPTIONS] & NIL_TRICKS),
    )


@kernel
def points(deal: Deal, team: int) -> int:
    """The points of a team without its bags; all cards are played."""
    contract = 0
    total = 0
    for seat in (team, team + 2):
        if deal[BIDS + seat] == 0:
            nil = deal[NIL] * (2 if deal[BLIND] >> seat & 1 else 1)
            total += nil if deal[TRICKS + seat] == 0 else -nil
        contract += deal[BIDS + seat]
    return total + (10 * contract if need(deal, team) <= 0 else -10 * contract)


@kernel
def bags(deal: Deal, team: int) -> int:
    """The bags that a team has got in this deal; all cards are played."""
    loose = 0
    if not deal[OPTIONS] & NIL_TRICKS:
        for seat in (team, team + 2):
            if deal[BIDS + seat] == 0:
                loose += deal[TRICKS + seat]
    return loose + max(0, -need(deal, team))


@kernel
def score(deal: Deal, team: int) -> int:
    """The score of a team; all cards are played."""
    new = bags(deal, team)
    cost = 0
    if deal[OPTIONS] & BAGS_COST:
        cost = (deal[BAGS + team] + new) // 10 * 100
    return points(deal, team) + new - cost


@kernel
def lead(deal: Deal, seat: int, bag: float) -> float:
    """By how much a seat's team is ahead when all cards are played.

    Each bag counts `bag` points, not its actual cost: ten of them cost a hundred, in this deal or
    in a later one.
    """
    own, other = seat & 1, 1 - (seat & 1)
    ahead = float(points(deal, own) - points(deal, other))
    return ahead + bag * (bags(deal, own) - bags(deal, other))
