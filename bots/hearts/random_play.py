"""Random deals and random play, as fast as possible: every player plays any legal card.

Hands are lists of cards by suit here: to take any card out of a list and to close the gap with
its last costs less than to find the n-th bit of a set. Numbers are drawn from one word of state
that stays in a register (SplitMix64, seeded from the caller's draws), 32 bits at a time; that a
number below 52 so is off by 2⁻²⁶ of itself matters to no playout.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.hearts.bits import ALL_HEARTS, QUEEN, count
from bots.hearts.open_deal import (
    BEST,
    HAND,
    LAID,
    LED,
    NONE,
    PLAYED,
    RULES,
    SIZE,
    STAKE,
    STANDARD,
    TAKEN,
    TAKER,
    TURN,
    Deal,
)
from bots.search.compiled import kernel
from bots.search.draws import Draws, word
from engine.cards import CLUBS, HEARTS, SPADES

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)
_LONGEST = 13
_POINTS = np.array([13 if card == QUEEN else int(card // 13 == HEARTS) for card in range(52)])


class Lists(NamedTuple):
    """The hands as lists: the first `sizes[seat, suit]` of `cards[seat, suit]` are held."""

    cards: NDArray[np.int64]
    sizes: NDArray[np.int64]


def new_lists() -> Lists:
    """Empty lists for four seats and four suits."""
    return Lists(np.zeros((4, 4, _LONGEST), np.int64), np.zeros((4, 4), np.int64))


@kernel
def chance_of(state: np.uint64) -> np.uint64:
    """The upper 32 bits of SplitMix64's output for a state."""
    state = (state ^ (state >> np.uint64(30))) * _MIX_1
    state = (state ^ (state >> np.uint64(27))) * _MIX_2
    return (state ^ (state >> np.uint64(31))) >> _HALF


@kernel
def below(n: int, chance: np.uint64) -> int:
    """The number from 0 to n − 1 for 32 random bits."""
    return int(np.int64((chance * np.uint64(n)) >> _HALF))


@kernel
def deal_at_random(lists: Lists, pack: NDArray[np.int64], state: np.uint64) -> np.uint64:
    """Shuffle `pack` and deal it; returns the state after the draws."""
    cards, sizes = lists
    sizes[:] = 0
    for left in range(52, 0, -1):
        state += _STEP
        at = below(left, chance_of(state))
        card = pack[at]
        pack[at] = pack[left - 1]
        pack[left - 1] = card
        seat, suit = left & 3, card // 13
        cards[seat, suit, sizes[seat, suit]] = card
        sizes[seat, suit] += 1
    return state


@kernel
def play_at_random(deal: Deal, lists: Lists, state: np.uint64) -> np.uint64:
    """Play all that is left in `lists`, from the state of `deal`; only its points are updated."""
    cards, sizes = lists
    standard = deal[RULES] & STANDARD
    led, best, taker = deal[LED], deal[BEST], deal[TAKER]
    stake, laid, turn = deal[STAKE], deal[LAID], deal[TURN]
    broken = deal[PLAYED] & ALL_HEARTS != 0
    done = count(deal[PLAYED])
    opening = standard and done < 4
    for _ in range(52 - done):
        state += _STEP
        chance = chance_of(state)
        if led != NONE and sizes[turn, led]:
            suit = led
            at = below(sizes[turn, led], chance)
        elif opening:
            suit, at = opening_card(lists, turn, led, chance)
        else:
            held = sizes[turn, 0] + sizes[turn, 1] + sizes[turn, 2]
            if led != NONE or broken or held == 0:
                held += sizes[turn, HEARTS]
            at = below(held, chance)
            suit = 0
            while at >= sizes[turn, suit]:
                at -= sizes[turn, suit]
                suit += 1
        card = cards[turn, suit, at]
        sizes[turn, suit] -= 1
        cards[turn, suit, at] = cards[turn, suit, sizes[turn, suit]]
        stake += _POINTS[card]
        if suit == HEARTS:
            broken = True
        if led == NONE:
            led, best, taker = suit, card, turn
        elif suit == led and card > best:
            best, taker = card, turn
        laid += 1
        turn = (turn + 1) & 3
        if laid == 4:
            deal[TAKEN + taker] += stake
            turn = taker
            led, stake, laid = NONE, 0, 0
            opening = False
    return state


@kernel
def opening_card(lists: Lists, turn: int, led: int, chance: np.uint64) -> tuple[int, int]:
    """The suit and place of the two of clubs, or of a random card without points if possible."""
    cards, sizes = lists
    if led == NONE:
        at = 0
        while cards[turn, CLUBS, at] != 0:
            at += 1
        return CLUBS, at
    queen = NONE
    for place in range(sizes[turn, SPADES]):
        if cards[turn, SPADES, place] == QUEEN:
            queen = place
    harmless = sizes[turn, 0] + sizes[turn, 1] + sizes[turn, 2] - (queen != NONE)
    if harmless == 0:
        at = below(sizes[turn, HEARTS] + (queen != NONE), chance)
        return (HEARTS, at) if at < sizes[turn, HEARTS] else (SPADES, queen)
    at = below(harmless, chance)
    for suit in range(SPADES):
        if at < sizes[turn, suit]:
            return suit, at
        at -= sizes[turn, suit]
    return SPADES, at + (queen != NONE and at >= queen)


@kernel
def take_up(deal: Deal, lists: Lists) -> None:
    """Fill `lists` with the hands of `deal`."""
    cards, sizes = lists
    for seat in range(4):
        for suit in range(4):
            left, size = deal[HAND + seat] >> 13 * suit & 0x1FFF, 0
            while left:
                bit = left & -left
                left ^= bit
                cards[seat, suit, size] = 13 * suit + count(bit - 1)
                size += 1
            sizes[seat, suit] = size


@kernel
def random_deals(number: int, rules: int, draws: Draws, points: NDArray[np.int64]) -> None:
    """Shuffle, deal and play that many deals; `points` sums what each seat took."""
    pack = np.arange(52)
    lists = Lists(np.zeros((4, 4, _LONGEST), np.int64), np.zeros((4, 4), np.int64))
    deal = np.zeros(SIZE, np.int64)
    state = word(draws)
    for _ in range(number):
        deal[:] = 0
        deal[LED], deal[RULES] = NONE, rules
        state = deal_at_random(lists, pack, state)
        if rules & STANDARD:
            deal[TURN] = _who_leads(lists)
        state = play_at_random(deal, lists, state)
        for seat in range(4):
            points[seat] += deal[TAKEN + seat]


@kernel
def _who_leads(lists: Lists) -> int:
    """The seat that holds the two of clubs."""
    cards, sizes = lists
    for seat in range(3):
        for at in range(sizes[seat, CLUBS]):
            if cards[seat, CLUBS, at] == 0:
                return seat
    return 3
