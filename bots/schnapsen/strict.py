"""Hands without a talon: it is closed or exhausted, and leads are followed and beaten.

The solver says whether the player to lead reaches a target (`bots.schnapsen.targets`): the leader
still needs `need` points, the other player `bar`, and the first to get there decides it. Whether
the leader wants to win, to win high, or to keep the other player from doing so makes no difference
here, except for `last`: which side has reached its target when all cards are played.

Source: Schnapsen document, "Basic Idea" (alpha-beta search with all cards open).
"""

from collections.abc import Callable

import numpy as np

from bots.schnapsen.bits import (
    FOLLOWS,
    HIGHER,
    TRUMPS,
    VALUE,
    Ints,
    announced,
    bonus,
    highest_of_equals,
    lowest,
    lowest_of_equals,
    marriages,
    points,
    size,
    winners,
)
from bots.schnapsen.solver_memory import look_up, slot_of, store
from bots.search.compiled import kernel

# Numba gives a plain constant a type of its own, and cannot keep the code of a kernel that calls
# itself with other types than it was called with.
_N: Callable[[int], int] = np.int64  # type: ignore[assignment]

# What `last` may be: at the end the taker of the last trick, the leader or the other is right.
TAKER, LEADER, OTHER = _N(0), _N(1), _N(-1)
ANY = _N(0)
"""In place of the cards one of which is to be led."""

OWN_TRICK, OTHERS_TRICK = 1, 2
"""Bits of `tricks`: who has one. Before that marriages do not count."""

OFFSET = 128
_STRICT = 1 << 62
_WORTH_A_TABLE = 3
"""From so many cards a hand on, positions are looked up."""


@kernel
def swapped(tricks: int) -> int:
    """The `tricks` from the other player's side."""
    return ((tricks & OWN_TRICK) << 1) | (tricks >> 1)


@kernel
def plays_out(
    hand: int, other: int, need: int, bar: int, tricks: int, last: int, first: int, memory: Ints
) -> bool:
    """Whether the player to lead reaches the target; with `first` they lead one of these cards."""
    if size(hand) == 1:
        return _last_trick(hand, other, need, bar, last)
    couples = marriages(hand)
    others_couples = marriages(other)
    sure = winners(hand, other)
    position = slot = 0
    looked_up = False
    if not first:
        early = _at_once(hand, other, need, bar, tricks, last, couples, others_couples, sure)
        if early:
            return early > 0
        if size(hand) >= _WORTH_A_TABLE:
            looked_up = True
            position = (
                hand
                | (other << 20)
                | ((need + bar + OFFSET) << 40)
                | (tricks << 49)
                | ((last + 1) << 51)
                | _STRICT
            )
            slot = slot_of(position, memory)
            known = look_up(position, slot, need, memory)
            if known:
                return known > 0
    plain = hand & ~couples
    leads = (
        couples | highest_of_equals(plain & sure, other) | lowest_of_equals(plain & ~sure, other)
    )
    if first:
        leads = first
    reached = False
    for kind in range(4):
        if kind == 0:
            group = leads & couples
        elif kind == 1:
            group = leads & ~couples & sure
        elif kind == 2:
            group = leads & ~couples & ~sure & ~TRUMPS
        else:
            group = leads & ~couples & ~sure & TRUMPS
        while group and not reached:
            card = group & -group
            group ^= card
            needs = need
            if kind == 0:
                needs -= bonus(card)
                if needs <= 0 and tricks & OWN_TRICK:
                    reached = True
                    break
            lead = lowest(card)
            kept = hand ^ card
            follow = other & FOLLOWS[lead]
            reached = True
            if card & sure:
                answers = follow if follow else other
                plain = answers & ~others_couples
                answers = (answers & others_couples) | lowest_of_equals(plain, kept)
                while answers and reached:
                    answer = answers & -answers
                    answers ^= answer
                    after = needs - VALUE[lead] - VALUE[lowest(answer)]
                    reached = after <= 0 or plays_out(
                        kept, other ^ answer, after, bar, tricks | OWN_TRICK, last, ANY, memory
                    )
            else:
                answers = follow & HIGHER[lead] if follow else other & TRUMPS
                plain = answers & ~others_couples
                answers = (answers & others_couples) | highest_of_equals(plain, kept)
                while answers and reached:
                    answer = answers & -answers
                    answers ^= answer
                    after = bar - VALUE[lead] - VALUE[lowest(answer)]
                    reached = after > 0 and not plays_out(
                        other ^ answer,
                        kept,
                        after,
                        needs,
                        swapped(tricks) | OWN_TRICK,
                        -last,
                        ANY,
                        memory,
                    )
        if reached:
            break
    if looked_up:
        store(position, slot, need, reached, 0, memory)
    return reached


@kernel
def _last_trick(hand: int, other: int, need: int, bar: int, last: int) -> bool:
    worth = points(hand | other)
    if winners(hand, other):
        return worth >= need or last != OTHER
    return worth < bar and last == LEADER


@kernel
def _at_once(
    hand: int,
    other: int,
    need: int,
    bar: int,
    tricks: int,
    last: int,
    couples: int,
    others_couples: int,
    sure: int,
) -> int:
    """1 if the leader surely reaches the target, −1 if they cannot, 0 if it must be searched."""
    if couples and tricks & OWN_TRICK and need <= _best(couples):
        return 1
    trumps, others_trumps = hand & TRUMPS, other & TRUMPS
    if last == OTHER:
        lost = _unbeatable(others_trumps, trumps)
        if need > points(hand | other) + announced(couples) - points(lost) - 2 * size(lost):
            return -1
    elif last == LEADER:
        kept = _unbeatable(trumps, others_trumps)
        if bar > points(hand | other) + announced(others_couples) - points(kept) - 2 * size(kept):
            return 1
    # Tricks the leader can take in a row: trumps first, the rest if no trump is left then.
    cash = sure
    if size(cash & TRUMPS) < size(others_trumps):
        cash &= TRUMPS
    if cash and need <= points(cash) + 2 * size(cash):
        return 1
    if cash == hand and last != OTHER:
        return 1
    return 0


@kernel
def _best(couples: int) -> int:
    return 40 if couples & TRUMPS else 20


@kernel
def _unbeatable(trumps: int, others: int) -> int:
    """The trumps above all of the other player's."""
    under = others | (others >> 1)
    under |= under >> 2
    under |= under >> 4
    return trumps & ~under
