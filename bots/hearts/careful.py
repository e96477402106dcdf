"""The careful player as a kernel: ducks, dumps the queen, voids suits, watches for a moon.

It knows what its seat may know: its own cards, the cards played, who has shown which void. Every
card it may play is worth what it is good to be rid of it, less what it is likely to take in the
trick. The chances are those of cards dealt at random to three hands, as tables of powers.
"""

from typing import NamedTuple

import numpy as np

from bots.hearts.bits import ALL, QUEEN, SUIT, THE_QUEEN, count, lowest, points_of
from bots.hearts.open_deal import (
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
    Deal,
    legal_cards,
    void_bit,
)
from bots.search.compiled import kernel
from bots.search.draws import Draws, unit
from engine.cards import HEARTS, SPADES, rank_of


class Weights(NamedTuple):
    """The weights of the careful player, in points.

    `tempo`: the cost of taking any trick. `thrown`: the weight of what others may throw on it.
    `given`: the value of a point that another player gets.

    `high`: the burden of a card above all others out; `cover`: how much lower cards of its suit
    ease it; `heart`: the share of it for a heart. `queen`, `queen_cover`: the burden of the queen
    of spades, and how much other spades ease it. `above_queen`, `above_cover`: these for king and
    ace while the queen is out. `short`: the burden of the last card of a suit, whose loss makes a
    void. `smoke`: the gain of leading a spade that may drive the queen out.

    `fear`: from so many points on, all to one player, a moon is feared; `block`: the gain of taking
    a trick with fewer points than this from that player, and the loss of giving them any.

    `noise`: up to so much is added to each card by chance.
    """

    tempo: float = 0.06
    thrown: float = 1.5
    given: float = 0.48
    high: float = 1.03
    cover: float = 0.17
    heart: float = 0.55
    queen: float = 2.1
    queen_cover: float = 0.16
    above_queen: float = 0.7
    above_cover: float = 0.48
    short: float = 0.62
    smoke: float = 2.2
    fear: float = 8.0
    block: float = 3.0
    noise: float = 0.0


WEIGHTS = Weights()

QUEEN_RANK = rank_of(QUEEN)
THIRDS = np.array([(2 / 3) ** cards for cards in range(14)])
"""The chance that one of three hands has none of so many cards."""
_A_THIRD_OF_HER = 13 / 3
"""The points of the queen of spades times the chance that one of three players has it."""


@kernel
def chance_to_hold(lower: int, higher: int, followers: int) -> float:
    """The chance that no follower must go higher, with `lower` and `higher` cards out."""
    over = THIRDS[lower] - THIRDS[lower + higher]
    chance = 1.0
    for _ in range(followers):
        chance *= 1.0 - over
    return chance


@kernel
def moon_threat(deal: Deal, seat: int, least: float) -> int:
    """Another seat that alone has taken points, and at least `fear` of them; or NONE."""
    threat = NONE
    for other in range(4):
        if deal[TAKEN + other] > 0:
            if threat != NONE or other == seat:
                return NONE
            threat = other
    if threat != NONE and deal[TAKEN + threat] < least:
        return NONE
    return threat


@kernel
def burden(suit: int, rank: int, mine: int, out: int, queen_out: bool, weights: Weights) -> float:
    """The gain of getting rid of a card; `mine` and `out` are sets of the ranks of its suit."""
    below = (1 << rank) - 1
    lower, higher = count(out & below), count(out & ~below)
    under = count(mine & below)
    worth = weights.high * lower / (lower + higher + 1.0) / (1.0 + weights.cover * under)
    if suit == HEARTS:
        # Of hearts that are as good as each other the highest goes.
        worth = worth * weights.heart + 0.02 * rank
    elif suit == SPADES and rank == QUEEN_RANK:
        worth += weights.queen / (1.0 + weights.queen_cover * (count(mine) - 1))
    elif suit == SPADES and queen_out:
        # Spades below the queen stay: led, they drive her out.
        above = weights.above_queen / (1.0 + weights.above_cover * under)
        worth = worth + above if rank > QUEEN_RANK else 0.0
    else:
        worth += weights.short / count(mine)
    return worth


@kernel
def careful_card(deal: Deal, weights: Weights, draws: Draws) -> int:
    """The card of the player to move."""
    legal = legal_cards(deal)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    seat, led = deal[TURN], deal[LED]
    hand = deal[HAND + seat]
    unseen = ALL & ~hand & ~deal[PLAYED]
    queen_out = unseen & THE_QUEEN != 0
    threat = moon_threat(deal, seat, weights.fear)
    best, best_worth = NONE, -1e9
    for suit in range(4):
        cards = legal >> 13 * suit & SUIT
        if cards == 0:
            continue
        mine, out = hand >> 13 * suit & SUIT, unseen >> 13 * suit & SUIT
        follows = led in (NONE, suit)
        coming = _likely_points(deal, seat, suit, unseen, weights) if follows else 0.0
        while cards:
            bit = cards & -cards
            cards ^= bit
            rank = count(bit - 1)
            card = 13 * suit + rank
            worth = burden(suit, rank, mine, out, queen_out, weights)
            takes = 0.0
            if led == NONE or (follows and card > deal[BEST]):
                lower, higher = count(out & (bit - 1)), count(out & ~(bit - 1))
                takes = chance_to_hold(lower, higher, 3 - deal[LAID])
                worth -= takes * _price(deal, card, coming, queen_out, threat, weights)
            worth += (1.0 - takes) * _gift(deal, card, threat, weights)
            if led == NONE and suit == SPADES and queen_out and rank < QUEEN_RANK:
                worth += weights.smoke
            worth += weights.noise * unit(draws)
            if worth > best_worth:
                best, best_worth = card, worth
    return best


@kernel
def _likely_points(deal: Deal, seat: int, suit: int, unseen: int, weights: Weights) -> float:
    """The points that followers are likely to throw on a trick of `suit`, or must play."""
    if deal[RULES] & STANDARD and count(deal[PLAYED]) < 4:
        return 0.0
    followers = 3 - deal[LAID]
    void = THIRDS[count(unseen >> 13 * suit & SUIT)]
    misfits = 0.0
    for step in range(followers):
        lacks = deal[VOIDS] & void_bit((seat + 1 + step) & 3, suit)
        misfits += 1.0 if lacks else void
    each = min(1.0, count(unseen >> 13 * HEARTS) / 4.0)
    if unseen & THE_QUEEN and suit != SPADES:
        each += _A_THIRD_OF_HER
    points = weights.thrown * misfits * each
    if suit == HEARTS:
        points += followers - misfits
    return points


@kernel
def _price(
    deal: Deal, card: int, coming: float, queen_out: bool, threat: int, weights: Weights
) -> float:
    """The cost of taking the trick with `card`; negative where that stops a moon."""
    points = deal[STAKE] + points_of(1 << card) + coming
    if threat != NONE and points < weights.block:
        return -weights.block
    if queen_out and card > QUEEN and card // 13 == SPADES:
        points += (3 - deal[LAID]) * _A_THIRD_OF_HER
    price: float = points + weights.tempo
    return price


@kernel
def _gift(deal: Deal, card: int, threat: int, weights: Weights) -> float:
    """The gain of giving `card` to another player; a loss if they may be about to take all."""
    points = points_of(1 << card)
    if points and threat != NONE and deal[LED] != NONE and deal[TAKER] == threat:
        return -weights.block
    return weights.given * points
