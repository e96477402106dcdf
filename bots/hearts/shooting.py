"""The plan of shooting the moon as a kernel: take every trick that counts, high cards first.

Once a point has gone to somebody else the plan is dropped and the careful player goes on.
"""

from bots.hearts.bits import ALL, POINT_CARDS, SUIT, count, highest, lowest
from bots.hearts.careful import Weights, careful_card
from bots.hearts.open_deal import (
    BEST,
    HAND,
    LAID,
    LED,
    NONE,
    PLAYED,
    STAKE,
    TAKEN,
    TURN,
    Deal,
    legal_cards,
)
from bots.search.compiled import kernel
from bots.search.draws import Draws


@kernel
def can_shoot(deal: Deal, seat: int) -> bool:
    """Whether nobody else has taken a point yet."""
    others = -deal[TAKEN + seat]
    for each in range(4):
        others += deal[TAKEN + each]
    return bool(others == 0)


@kernel
def shooting_card(deal: Deal, weights: Weights, draws: Draws) -> int:
    """The card of the player to move for taking all points."""
    legal, seat = legal_cards(deal), deal[TURN]
    if legal & (legal - 1) == 0:
        return lowest(legal)
    if not can_shoot(deal, seat):
        return careful_card(deal, weights, draws)
    hand = deal[HAND + seat]
    unseen = ALL & ~hand & ~deal[PLAYED]
    led = deal[LED]
    if led == NONE:
        return _strongest(legal, unseen)
    of_suit = legal & SUIT << 13 * led
    if of_suit == 0:
        return _weakest(legal, hand, unseen)
    above = of_suit & ~((2 << deal[BEST]) - 1)
    if above == 0:
        # It is somebody else's trick: what counts is kept as long as can be.
        harmless = of_suit & ~POINT_CARDS
        return lowest(harmless if harmless else of_suit)
    if deal[LAID] == 3:
        # Last to play: as cheaply as it can be taken, or not at all if there is nothing in it.
        if deal[STAKE] == 0 and of_suit & ~above & ~POINT_CARDS:
            return lowest(of_suit & ~POINT_CARDS)
        return lowest(above)
    return highest(above)


@kernel
def _strongest(legal: int, unseen: int) -> int:
    """The card with the fewest cards out above it; of equals the one of the longest suit."""
    best, best_worth = NONE, -1e9
    for suit in range(4):
        cards = legal >> 13 * suit & SUIT
        if cards == 0:
            continue
        rank = highest(cards)
        out = unseen >> 13 * suit & SUIT
        worth = 0.1 * count(cards) - count(out >> rank)
        if worth > best_worth:
            best, best_worth = 13 * suit + rank, worth
    return best


@kernel
def _weakest(legal: int, hand: int, unseen: int) -> int:
    """The card that would lose a trick soonest, without points if possible."""
    harmless = legal & ~POINT_CARDS
    cards = harmless if harmless else legal
    best, best_worth = NONE, -1e9
    for suit in range(4):
        mine = cards >> 13 * suit & SUIT
        if mine == 0:
            continue
        rank = lowest(mine)
        out = unseen >> 13 * suit & SUIT
        worth = count(out >> rank) - 0.1 * count(hand >> 13 * suit & SUIT)
        if worth > best_worth:
            best, best_worth = 13 * suit + rank, worth
    return best
