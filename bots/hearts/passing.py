"""The choice of cards to pass by rules: the greater a card's burden, the sooner it goes."""

from itertools import combinations
from typing import NamedTuple

from bots.hearts.bits import SUIT, count
from bots.hearts.careful import QUEEN_RANK
from bots.search.compiled import kernel
from bots.search.draws import Draws, unit
from engine.cards import HEARTS, SPADES, Card, rank_of, suit_of


class PassWeights(NamedTuple):
    """The weights of cards to pass, relative to each other.

    `rank`: a step of a card's rank, less two for each lower card of its suit; `heart` and
    `short`: a heart, and a club or diamond for each card that the suit is shorter than three;
    `queen`, `above`, `cover`: the queen of spades, the king or ace, less for the square of the
    number of lower spades beside them; `noise`: up to so much is added to each card by chance.
    """

    rank: float = 0.54
    heart: float = -0.1
    short: float = 0.3
    queen: float = 8.8
    above: float = 6.3
    cover: float = 0.44
    noise: float = 0.0


PASS_WEIGHTS = PassWeights()


@kernel
def pass_worth(card: int, hand: int, weights: PassWeights) -> float:
    """The gain of passing `card`."""
    suit, rank = card // 13, card % 13
    mine = hand >> 13 * suit & SUIT
    length = count(mine)
    under = count(mine & (1 << rank) - 1)
    worth = weights.rank * (rank - 2.0 * under)
    if suit == HEARTS:
        worth += weights.heart
    elif suit != SPADES:
        worth += weights.short * (3.0 - length)
    elif rank < QUEEN_RANK:
        # Spades below the queen are her cover, or drive her out.
        worth = -2.0
    else:
        low = count(mine & (1 << QUEEN_RANK) - 1)
        worth = weights.queen if rank == QUEEN_RANK else weights.above
        worth -= weights.cover * low * low
    return worth


@kernel
def careful_pass(hand: int, weights: PassWeights, draws: Draws) -> int:
    """The three cards to pass, chosen one after the other, so that a shortened suit goes next."""
    chosen = 0
    for _ in range(3):
        best, best_worth = 0, -1e9
        left = hand & ~chosen
        while left:
            bit = left & -left
            left ^= bit
            worth = pass_worth(count(bit - 1), hand & ~chosen, weights)
            worth += weights.noise * unit(draws)
            if worth > best_worth:
                best, best_worth = bit, worth
        chosen |= best
    return chosen


def likely_passes(hand: tuple[Card, ...], most: int) -> list[tuple[Card, ...]]:
    """Up to `most` passes, the best by the rules of thumb first.

    A shooter's pass is added: the lowest cards that are not hearts.
    """
    held = sum(1 << card for card in hand)
    worth = {card: pass_worth(card, held, PASS_WEIGHTS) for card in hand}
    choices = sorted(combinations(hand, 3), key=lambda cards: -sum(worth[card] for card in cards))[
        : max(most - 1, 1)
    ]
    low = sorted(hand, key=lambda card: (suit_of(card) == HEARTS, rank_of(card)))[:3]
    return list(dict.fromkeys((*choices, tuple(sorted(low)))))
