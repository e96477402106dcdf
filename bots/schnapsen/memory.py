"""All that the solver looks up and writes down, in one array: numpy arrays are dear to hand on.

    the talon        what is drawn, what is left, and a seal of what is left: as dealt, then
                     with the jack of trumps exchanged
    the options      min_talon, freeze
    what helped      how often a lead or an answer decided: the order in which to try cards
    the table        what is known of positions, two words each

A position is a question: does the player to lead reach his aim? The more he still needs while
both together need the same, the harder it is. So a position is stored without what he needs; the
entry holds the most with which he is known to reach his aim and the least with which he is known
not to. Entries hold for ever, whatever deal they come from.
"""

import numpy as np

from bots.schnapsen.bits import CARDS, Ints
from bots.search.compiled import kernel

TALON = 10
"""Cards of the talon at the start, the upturned one included."""

_NEXT = 0
_LEFT = 2 * TALON
_SEALS = _LEFT + 2 * (TALON + 1)
MIN_TALON = _SEALS + 2 * (TALON + 1)
FREEZE = MIN_TALON + 1
_LEADS = FREEZE + 1
_ANSWERS = _LEADS + TALON * CARDS
_TABLE = 1024
USUAL_SIZE = 16
"""A table of 2¹⁶ entries is a megabyte: larger ones know more, but slow caches down more."""

_OFFSET = 128
_NEVER = 0
_ALWAYS = 255
_MIX = -7046029254386353131
_MIX_MORE = -4417276706812531889


def new_memory(*, min_talon: int = 2, freeze: bool = True, size: int = USUAL_SIZE) -> Ints:
    """An empty memory for a table's options, with 2^`size` entries."""
    memory = np.zeros(_TABLE + (2 << size), np.int64)
    memory[MIN_TALON] = min_talon
    memory[FREEZE] = freeze
    return memory


def forget_order(memory: Ints) -> None:
    """Forget which cards helped; for another deal they would be the wrong ones."""
    memory[_LEADS:_TABLE] = 0


@kernel
def lay_talon(cards: Ints, stage: int, memory: Ints) -> None:
    """Put `cards` (places, the upturned trump last) where the solver draws from.

    `stage` is how many were drawn before: 10 − stage of `cards` count, from `stage` on.
    """
    for exchanged in range(2):
        seal = memory[MIN_TALON] * 2 + memory[FREEZE]
        left = 0
        memory[_LEFT + exchanged * (TALON + 1) + TALON] = 0
        for at in range(TALON - 1, stage - 1, -1):
            card = cards[at]
            if at == TALON - 1 and exchanged:
                card = 0
            left |= 1 << card
            seal = scrambled((seal + card + 1) * _MIX)
            memory[_NEXT + exchanged * TALON + at] = 1 << card
            memory[_LEFT + exchanged * (TALON + 1) + at] = left
            memory[_SEALS + exchanged * (TALON + 1) + at] = seal


@kernel
def drawn(memory: Ints, exchanged: int, stage: int) -> int:
    """The card (one bit) that is drawn when `stage` were drawn before."""
    card: int = memory[_NEXT + exchanged * TALON + stage]
    return card


@kernel
def left(memory: Ints, exchanged: int, stage: int) -> int:
    """The cards that are left when `stage` were drawn."""
    cards: int = memory[_LEFT + exchanged * (TALON + 1) + stage]
    return cards


@kernel
def seal(memory: Ints, exchanged: int, stage: int) -> int:
    """A number that stands for what is left, its order, and the options."""
    number: int = memory[_SEALS + exchanged * (TALON + 1) + stage]
    return number


@kernel
def scrambled(number: int) -> int:
    """`number` with its high bits mixed into the low ones."""
    return number ^ ((number >> 32) & 0xFFFFFFFF)


@kernel
def lead_helped(memory: Ints, stage: int, lead: int) -> int:
    """Where it is counted how much leading that card decided at this stage."""
    return _LEADS + stage * CARDS + lead


@kernel
def answer_helped(lead: int, answer: int) -> int:
    """Where it is counted how much answering that lead with that card decided."""
    return _ANSWERS + lead * CARDS + answer


@kernel
def slot_of(position: int, memory: Ints) -> int:
    """Where the entry of a position is, or will be."""
    mixed = scrambled(position * _MIX) * _MIX_MORE
    entries = (memory.size - _TABLE) >> 1
    return _TABLE + 2 * ((mixed >> 24) & (entries - 1))


@kernel
def verdict(position: int, slot: int, need: int, memory: Ints) -> int:
    """1 if the leader is known to reach his aim, −1 if he is known not to, else 0."""
    if memory[slot] != position:
        return 0
    entry = memory[slot + 1]
    if need + _OFFSET <= entry & 255:
        return 1
    if need + _OFFSET >= (entry >> 8) & 255:
        return -1
    return 0


@kernel
def best_lead(position: int, slot: int, memory: Ints) -> int:
    """The lead (one bit) that was best when the position was met before, 0 if it never was."""
    if memory[slot] != position:
        return 0
    lead: int = memory[slot + 1] >> 16
    return lead


@kernel
def remember(position: int, slot: int, need: int, reached: bool, lead: int, memory: Ints) -> None:
    """Write down a verdict, and the lead that brought it about."""
    most, least = _NEVER, _ALWAYS
    if memory[slot] == position:
        entry = memory[slot + 1]
        most, least = entry & 255, (entry >> 8) & 255
    if reached:
        most = max(most, need + _OFFSET)
    else:
        least = min(least, need + _OFFSET)
    memory[slot] = position
    memory[slot + 1] = most | (least << 8) | (lead << 16)
