"""The careful player as a kernel: ducks, dumps the queen, voids suits, watches for a moon.

It knows what its seat may know: its own cards, the cards played, who has shown which void. Every
card it may play is worth what it is good to be rid of it, less what it is likely to take in the
trick. The chances are those of cards dealt at random to three hands, as tables of powers.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.hearts.bits import ALL, QUEEN, SUIT, THE_QUEEN, count, lowest
from bots.hearts.table import (
    BEST,
    HAND,
    LAID,
    LED,
    NONE,
    PLAYED,
    RULES,
    STAKE,
    STANDARD,
    TAKEN,
    TAKER,
    TURN,
    VOIDS,
    Table,
    legal_cards,
    void_bit,
)
from bots.search.compiled import kernel
from bots.search.draws import Draws, unit
from engine.cards import HEARTS, SPADES, rank_of

Weights: TypeAlias = NDArray[np.float64]
"""What moves the careful player, by the names below."""

(
    TEMPO,
    DUMPED,
    GIVEN,
    BURDEN,
    COVER,
    HEART_BURDEN,
    QUEEN_BURDEN,
    QUEEN_COVER,
    ABOVE_QUEEN,
    ABOVE_COVER,
    SHORT,
    SMOKE,
    MOON_FEAR,
    MOON_BLOCK,
    NOISE,
) = range(15)

WEIGHTS: Weights = np.array(
    [0.06, 1.5, 0.48, 1.03, 0.17, 0.55, 2.1, 0.16, 0.7, 0.48, 0.62, 2.2, 8.0, 3.0, 0.0]
)

QUEEN_RANK = rank_of(QUEEN)
THIRDS = np.array([(2 / 3) ** cards for cards in range(14)])
"""The chance that one of three hands has none of so many cards."""


@kernel
def chance_to_hold(lower: int, higher: int, followers: int) -> float:
    """That nobody who follows has to go higher: with `lower` and `higher` cards out."""
    over = THIRDS[lower] - THIRDS[lower + higher]
    chance = 1.0
    for _ in range(followers):
        chance *= 1.0 - over
    return chance


@kernel
def moon_threat(table: Table, seat: int, least: float) -> int:
    """Another seat that alone has taken points, and at least so many; or NONE."""
    threat = NONE
    for other in range(4):
        if table[TAKEN + other] > 0:
            if threat != NONE or other == seat:
                return NONE
            threat = other
    if threat != NONE and table[TAKEN + threat] < least:
        return NONE
    return threat


@kernel
def burden(suit: int, rank: int, mine: int, out: int, queen_out: bool, weights: Weights) -> float:
    """What it is good to be rid of a card, with `mine` and `out` of its suit in sets of ranks."""
    below = (1 << rank) - 1
    lower, higher = count(out & below), count(out & ~below)
    under = count(mine & below)
    worth: float = weights[BURDEN] * lower / (lower + higher + 1.0) / (1.0 + weights[COVER] * under)
    if suit == HEARTS:
        worth = worth * weights[HEART_BURDEN] + 0.02 * rank
    elif suit == SPADES and rank == QUEEN_RANK:
        worth += weights[QUEEN_BURDEN] / (1.0 + weights[QUEEN_COVER] * (count(mine) - 1))
    elif suit == SPADES and queen_out:
        # Spades below the queen stay: led, they drive her out.
        above = weights[ABOVE_QUEEN] / (1.0 + weights[ABOVE_COVER] * under)
        worth = worth + above if rank > QUEEN_RANK else 0.0
    else:
        worth += weights[SHORT] / count(mine)
    return worth


@kernel
def careful_card(table: Table, weights: Weights, draws: Draws) -> int:
    """The card that whose turn it is plays."""
    legal = legal_cards(table)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    seat = table[TURN]
    hand = table[HAND + seat]
    unseen = ALL & ~hand & ~table[PLAYED]
    led, laid = table[LED], table[LAID]
    followers = 3 - laid
    queen_out = unseen & THE_QUEEN != 0
    hearts_out = count(unseen >> 13 * HEARTS)
    opening = table[RULES] & STANDARD and count(table[PLAYED]) < 4
    threat = moon_threat(table, seat, weights[MOON_FEAR])
    best, best_worth = NONE, -1e9
    for suit in range(4):
        shift = 13 * suit
        cards = legal >> shift & SUIT
        if cards == 0:
            continue
        mine, out = hand >> shift & SUIT, unseen >> shift & SUIT
        following = led in (NONE, suit)
        total = count(out)
        # What is likely to be thrown on the trick by those who cannot follow or must not.
        thrown = 0.0
        if following and not opening:
            misfits = 0.0
            for step in range(followers):
                other = (seat + 1 + step) & 3
                if table[VOIDS] & void_bit(other, suit):
                    misfits += 1.0
                else:
                    misfits += THIRDS[total]
            load = min(1.0, hearts_out / 4.0)
            if queen_out and suit != SPADES:
                load += 4.3
            thrown = weights[DUMPED] * misfits * load
            if suit == HEARTS:
                thrown += followers - misfits
        left = cards
        while left:
            bit = left & -left
            left ^= bit
            rank = count(bit - 1)
            points = 0.0
            if suit == HEARTS:
                points = 1.0
            elif suit == SPADES and rank == QUEEN_RANK:
                points = 13.0
            worth = burden(suit, rank, mine, out, queen_out, weights)
            takes = 0.0
            if following and (led == NONE or shift + rank > table[BEST]):
                below = bit - 1
                takes = chance_to_hold(count(out & below), count(out & ~below), followers)
                cost = table[STAKE] + points + thrown + weights[TEMPO]
                if suit == SPADES and queen_out and rank > QUEEN_RANK:
                    cost += 13.0 * followers / 3.0
                if threat != NONE and table[STAKE] + points + thrown < weights[MOON_BLOCK]:
                    cost = -weights[MOON_BLOCK]
                worth -= takes * cost
            worth += _given(table, seat, threat, points, takes, weights)
            if led == NONE and suit == SPADES and queen_out and rank < QUEEN_RANK:
                worth += weights[SMOKE]
            worth += weights[NOISE] * unit(draws)
            if worth > best_worth:
                best, best_worth = shift + rank, worth
    return best


@kernel
def _given(
    table: Table, seat: int, threat: int, points: float, takes: float, weights: Weights
) -> float:
    """What it is good to give `points` to somebody else; bad, if he is about to take them all."""
    worth: float = weights[GIVEN] * points
    if points and threat != NONE and table[LED] != NONE and table[TAKER] == threat:
        worth = -weights[MOON_BLOCK]
    return worth * (1.0 - takes)
