"""Which cards to pass on, by rule: the more it is good to be rid of a card, the sooner it goes."""

from itertools import combinations

import numpy as np

from bots.hearts.bits import SUIT, count
from bots.hearts.careful import QUEEN_RANK, Weights
from bots.search.compiled import kernel
from bots.search.draws import Draws, unit
from engine.cards import HEARTS, SPADES, Card, rank_of, suit_of

PASS_QUEEN, PASS_ABOVE, PASS_COVER, PASS_RANK, PASS_SHORT, PASS_HEART, PASS_NOISE = range(7)
PASS_WEIGHTS: Weights = np.array([8.8, 6.3, 0.44, 0.54, 0.3, -0.1, 0.0])


@kernel
def pass_worth(card: int, hand: int, weights: Weights) -> float:
    """What it is good to be rid of `card` before the deal is played."""
    suit, rank = card // 13, card % 13
    mine = hand >> 13 * suit & SUIT
    length = count(mine)
    under = count(mine & (1 << rank) - 1)
    worth: float = weights[PASS_RANK] * (rank - 2.0 * under)
    if suit == HEARTS:
        worth += weights[PASS_HEART]
    elif suit != SPADES:
        worth += weights[PASS_SHORT] * (3.0 - length)
    elif rank < QUEEN_RANK:
        # Spades below the queen are her cover, or drive her out.
        worth = -2.0
    else:
        low = count(mine & (1 << QUEEN_RANK) - 1)
        worth = weights[PASS_QUEEN] if rank == QUEEN_RANK else weights[PASS_ABOVE]
        worth -= weights[PASS_COVER] * low * low
    return worth


@kernel
def careful_pass(hand: int, weights: Weights, draws: Draws) -> int:
    """The set of three cards to pass: one after the other, so that a suit left short goes next."""
    chosen = 0
    for _ in range(3):
        best, best_worth = 0, -1e9
        left = hand & ~chosen
        while left:
            bit = left & -left
            left ^= bit
            worth = pass_worth(count(bit - 1), hand & ~chosen, weights)
            worth += weights[PASS_NOISE] * unit(draws)
            if worth > best_worth:
                best, best_worth = bit, worth
        chosen |= best
    return chosen


def likely_passes(hand: tuple[Card, ...], most: int) -> list[tuple[Card, ...]]:
    """Up to `most` choices, the ones the rules of thumb like best first.

    Beside them what a shooter would pass: the lowest cards that are not hearts.
    """
    held = sum(1 << card for card in hand)
    worth = {card: pass_worth(card, held, PASS_WEIGHTS) for card in hand}
    choices = sorted(combinations(hand, 3), key=lambda cards: -sum(worth[card] for card in cards))[
        : max(most - 1, 1)
    ]
    low = sorted(hand, key=lambda card: (suit_of(card) == HEARTS, rank_of(card)))[:3]
    return list(dict.fromkeys((*choices, tuple(sorted(low)))))
