"""A quick, careful player as a kernel: the cost of each card in this trick and of keeping it.

The player knows what its seat may know: its own cards, the face-up cards, how many cards each hand
holds and which suits it has shown to lack, and which cards are still unseen. Its chances are exact
for hands drawn at random from those. It plays all seats to the end of a deal within the search of
strength 3 (`playouts`).
"""

from math import exp, lgamma
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.black_queen.open_deal import (
    BEST,
    COPIES,
    FOUR,
    HAND,
    LACKS,
    LEFT,
    NONE,
    ONE,
    PLAYED,
    POINTS,
    RANK,
    SUIT,
    TURN,
    Deal,
    Numbers,
    Words,
    cost_of,
    count,
    lowest,
    must_follow,
    play_on,
)
from bots.search.compiled import kernel
from engine.cards import HEARTS, SPADES, rank_of
from engine.games.black_queen import BLACK_QUEEN

Floats: TypeAlias = NDArray[np.float64]

_QUEEN = rank_of(BLACK_QUEEN)
_QUEENS = np.uint64(15 << 4 * _QUEEN)
_QUEEN_OR_HIGHER = np.uint64((1 << SUIT) - (1 << 4 * _QUEEN))
_LOG_FACTORIAL = np.array([lgamma(n + 1) for n in range(COPIES + 1)])


class Weights(NamedTuple):
    """The weights of the careful player, in points.

    If the card takes the trick, it costs the points in it, the queens of spades that followers may
    throw, and `thrown` for a follower who is void without one.

    The burden a card is to keep, which goes if it is played: `high` times the square of the share
    of the others' cards of its suit that are lower, `heart` times that share for hearts, `queen`
    for the queen of spades, `above_queen` for king and ace for each queen others may hold. `cover`
    is how much of it lower cards of the suit in hand can take off.

    `short` favours short suits, `face_up` cards on the table, and `smoke` leads of spades from
    below the queen for each queen they may draw out.
    """

    thrown: float
    high: float
    heart: float
    queen: float
    above_queen: float
    cover: float
    short: float
    face_up: float
    smoke: float


WEIGHTS = Weights(
    thrown=3.5,
    high=1.2,
    heart=0.8,
    queen=2.5,
    above_queen=0.5,
    cover=0.4,
    short=1.2,
    face_up=0.16,
    smoke=0.6,
)


@kernel
def play_out(deal: Deal, weights: Weights) -> None:
    """Play the deal to its end with the careful player in every seat."""
    held, up, unplayed, under, seats, now = deal
    unseen, void, queen = np.empty(4, dtype=np.uint64), np.empty(8), np.empty(8)
    while now[LEFT] > 0:
        card = _choose(held, up, unplayed, seats, now, weights, unseen, void, queen)
        play_on(held, up, unplayed, under, seats, now, card)


@kernel
def careful_move(deal: Deal, weights: Weights) -> int:
    """The card of the player to move that is worth most; the first of several equals."""
    held, up, unplayed, _, seats, now = deal
    unseen, void, queen = np.empty(4, dtype=np.uint64), np.empty(8), np.empty(8)
    return _choose(held, up, unplayed, seats, now, weights, unseen, void, queen)


@kernel
def _choose(
    held: Words,
    up: Words,
    unplayed: Words,
    seats: Numbers,
    now: Numbers,
    weights: Weights,
    unseen: Words,
    void: Floats,
    queen: Floats,
) -> int:
    """The `careful_move` on the arrays of a deal, with three scratch arrays.

    `unseen` is for the cards this seat sees nowhere; `void` and `queen` for the chances that each
    follower in turn lacks the suit and has Q♠.
    """
    seat = now[TURN]
    suit_to_play = must_follow(held, now)
    total = _look(held, up, unplayed, seats, now, unseen, queen)
    best, best_worth = NONE, -np.inf
    for suit in range(4):
        mine = held[seat, suit]
        if mine == 0 or (suit_to_play != NONE and suit_to_play != suit):
            continue
        may_take = now[PLAYED] == 0 or now[BEST] // SUIT == suit
        beaten = now[BEST] % SUIT // 4 if now[PLAYED] else 0
        others = unplayed[suit] & ~mine
        thrown, thrown_high = 0.0, 0.0
        if may_take:
            thrown, thrown_high = _thrown(up, seats, now, weights, unseen, void, queen, suit, total)
        favour = weights.short / count(mine)
        if suit == SPADES and now[PLAYED] == 0 and mine & _QUEEN_OR_HIGHER == 0:
            favour += weights.smoke * count(others & _QUEENS)
        cards = mine
        while cards != 0:
            rank = lowest(cards) // 4
            shift = FOUR * np.uint64(rank)
            alike = (cards >> shift) & RANK
            cards &= ~(RANK << shift)
            worth = favour + _burden(mine, others, weights, suit, rank)
            if may_take and rank >= beaten:
                cost = now[POINTS] + cost_of(suit * SUIT + 4 * rank) + thrown
                if rank > _QUEEN:
                    cost += thrown_high
                worth -= cost * _chance_to_take(up, seats, now, unseen, void, suit, rank, total)
            face_up = (up[seat, suit] >> shift) & alike
            if face_up != 0:
                worth += weights.face_up
                alike = face_up
            if worth > best_worth:
                best_worth = worth
                best = suit * SUIT + 4 * rank + lowest(alike)
    return best


@kernel
def after(seat: int, seats: int) -> int:
    """The next seat, without a division, which would take longer than everything else there."""
    return seat + 1 if seat + 1 < seats else 0


@kernel
def chance_of_none(marked: int, unseen: int, hand: int) -> float:
    """The chance that a hand out of `unseen` cards has none of `marked`: C(N−S, n) / C(N, n)."""
    if marked == 0 or hand == 0:
        return 1.0
    if unseen - marked < hand:
        return 0.0
    return exp(
        _LOG_FACTORIAL[unseen - marked]
        + _LOG_FACTORIAL[unseen - hand]
        - _LOG_FACTORIAL[unseen - marked - hand]
        - _LOG_FACTORIAL[unseen]
    )


@kernel
def _look(
    held: Words,
    up: Words,
    unplayed: Words,
    seats: Numbers,
    now: Numbers,
    unseen: Words,
    queen: Floats,
) -> int:
    """Record the unseen cards and the seats that may have the queen; returns the unseen number."""
    players, seat = len(seats), now[TURN]
    total = 0
    for suit in range(4):
        seen = held[seat, suit]
        for other in range(players):
            seen |= up[other, suit]
        unseen[suit] = unplayed[suit] & ~seen
        total += count(unseen[suit])
    queens = count(unseen[SPADES] & _QUEENS)
    follower = seat
    for step in range(players - 1 - now[PLAYED]):
        follower = after(follower, players)
        if up[follower, SPADES] & _QUEENS != 0:
            queen[step] = 1.0
        elif seats[follower, LACKS] >> SPADES & 1:
            queen[step] = 0.0
        else:
            queen[step] = 1.0 - chance_of_none(queens, total, seats[follower, HAND])
    return total


@kernel
def _thrown(
    up: Words,
    seats: Numbers,
    now: Numbers,
    weights: Weights,
    unseen: Words,
    void: Floats,
    queen: Floats,
    suit: int,
    total: int,
) -> tuple[float, float]:
    """The cost of what followers may throw on a trick of `suit`, and the extra cost under K♠ or A♠.

    Records which followers lack the suit. In hearts the followers cost something as well.
    """
    players = len(seats)
    of_suit = count(unseen[suit])
    thrown, queens = 0.0, 0.0
    follower = now[TURN]
    for step in range(players - 1 - now[PLAYED]):
        follower = after(follower, players)
        lacks = 0.0
        if up[follower, suit] == 0:
            lacks = 1.0
            if seats[follower, LACKS] >> suit & 1 == 0:
                lacks = chance_of_none(of_suit, total, seats[follower, HAND])
        void[step] = lacks
        if suit == SPADES:
            thrown += lacks * weights.thrown
            queens += 12.0 * queen[step]
        else:
            thrown += lacks * (12.0 * queen[step] + (1.0 - queen[step]) * weights.thrown)
        if suit == HEARTS:
            thrown += 1.0 - lacks
    return thrown, queens


@kernel
def _chance_to_take(
    up: Words,
    seats: Numbers,
    now: Numbers,
    unseen: Words,
    void: Floats,
    suit: int,
    rank: int,
    total: int,
) -> float:
    """The chance that the highest card so far takes the trick, if all who can stay below it."""
    players = len(seats)
    below = (ONE << (FOUR * np.uint64(rank))) - ONE
    lower = count(unseen[suit] & below)
    takes = 1.0
    follower = now[TURN]
    for step in range(players - 1 - now[PLAYED]):
        follower = after(follower, players)
        if void[step] < 1.0 and up[follower, suit] & below == 0:
            takes *= 1.0 + void[step] - chance_of_none(lower, total, seats[follower, HAND])
    return takes


@kernel
def _burden(mine: np.uint64, others: np.uint64, weights: Weights, suit: int, rank: int) -> float:
    """The cost of keeping a card, given the cards of its suit."""
    below = (ONE << (FOUR * np.uint64(rank))) - ONE
    share = (count(others & below) + 0.5) / (count(others) + 1.0)
    burden = weights.high * share * share
    if suit == HEARTS:
        burden += weights.heart * share
    elif suit == SPADES and rank == _QUEEN:
        burden += weights.queen
    elif suit == SPADES and rank > _QUEEN:
        burden += weights.above_queen * count(others & _QUEENS)
    covers = count(mine & below)
    return burden * (1.0 - weights.cover * covers / (covers + 1.0))
