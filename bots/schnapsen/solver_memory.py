"""The solver's memory in one array, because passing several arrays to a kernel is slow.

    talon                the card drawn next, the cards left, and a hash key of these, by stage: as
                         dealt, then with the jack of trumps exchanged
    options              min_talon, freeze
    history table        how often a lead or an answer decided: the order in which to try cards
    transposition table  what is known of positions, two words each

The more the player to lead needs, while both together need the same, the harder it is to reach the
target. So a position is stored without that number; its entry holds the most points with which the
leader is known to reach the target and the least with which the leader is known not to. Entries
stay valid for ever, whatever deal they come from.
"""

import numpy as np

from bots.schnapsen.bits import CARDS, Ints
from bots.search.compiled import kernel

TALON = 10
"""Cards of the talon at the start, the upturned one included."""

_NEXT = 0
_LEFT = 2 * TALON
_KEYS = _LEFT + 2 * (TALON + 1)
MIN_TALON = _KEYS + 2 * (TALON + 1)
FREEZE = MIN_TALON + 1
_LEADS = FREEZE + 1
_ANSWERS = _LEADS + TALON * CARDS
_TABLE = 1024
USUAL_SIZE = 16
"""A transposition table of 2¹⁶ entries is a megabyte; larger ones slow the caches down too much."""

_OFFSET = 128
_NEVER = 0
_ALWAYS = 255
_MIX = -7046029254386353131
_MIX_MORE = -4417276706812531889


def new_memory(*, min_talon: int = 2, freeze: bool = True, size: int = USUAL_SIZE) -> Ints:
    """An empty memory for these options; its transposition table has 2^`size` entries."""
    memory = np.zeros(_TABLE + (2 << size), np.int64)
    memory[MIN_TALON] = min_talon
    memory[FREEZE] = freeze
    return memory


def clear_history(memory: Ints) -> None:
    """Clear the history table: for another deal other cards are likely to decide."""
    memory[_LEADS:_TABLE] = 0


@kernel
def lay_talon(cards: Ints, stage: int, memory: Ints) -> None:
    """Put `cards` (places, the upturned trump last) into the memory's talon.

    `stage` is how many were drawn before: 10 − stage of `cards` count, from `stage` on.
    """
    for exchanged in range(2):
        talon_key = memory[MIN_TALON] * 2 + memory[FREEZE]
        left = 0
        memory[_LEFT + exchanged * (TALON + 1) + TALON] = 0
        for at in range(TALON - 1, stage - 1, -1):
            card = cards[at]
            if at == TALON - 1 and exchanged:
                card = 0
            left |= 1 << card
            talon_key = scrambled((talon_key + card + 1) * _MIX)
            memory[_NEXT + exchanged * TALON + at] = 1 << card
            memory[_LEFT + exchanged * (TALON + 1) + at] = left
            memory[_KEYS + exchanged * (TALON + 1) + at] = talon_key


@kernel
def drawn(memory: Ints, exchanged: int, stage: int) -> int:
    """The card (one bit) that is drawn after `stage` cards."""
    card: int = memory[_NEXT + exchanged * TALON + stage]
    return card


@kernel
def left(memory: Ints, exchanged: int, stage: int) -> int:
    """The cards that are left after `stage` cards were drawn."""
    cards: int = memory[_LEFT + exchanged * (TALON + 1) + stage]
    return cards


@kernel
def talon_key(memory: Ints, exchanged: int, stage: int) -> int:
    """A hash key of the cards left, their order, and the options."""
    number: int = memory[_KEYS + exchanged * (TALON + 1) + stage]
    return number


@kernel
def scrambled(number: int) -> int:
    """`number` with its high bits mixed into the low ones."""
    return number ^ ((number >> 32) & 0xFFFFFFFF)


@kernel
def lead_history(memory: Ints, stage: int, lead: int) -> int:
    """The index in the history table of leading that card at this stage."""
    return _LEADS + stage * CARDS + lead


@kernel
def answer_history(lead: int, answer: int) -> int:
    """The index in the history table of answering that lead with that card."""
    return _ANSWERS + lead * CARDS + answer


@kernel
def slot_of(position: int, memory: Ints) -> int:
    """The index of the entry of a position, present or future."""
    mixed = scrambled(position * _MIX) * _MIX_MORE
    entries = (memory.size - _TABLE) >> 1
    return _TABLE + 2 * ((mixed >> 24) & (entries - 1))


@kernel
def look_up(position: int, slot: int, need: int, memory: Ints) -> int:
    """1 if the leader is known to reach the target, −1 if known not to, else 0."""
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
    """The lead (one bit) that was best at an earlier visit to the position; 0 without one."""
    if memory[slot] != position:
        return 0
    lead: int = memory[slot + 1] >> 16
    return lead


@kernel
def store(position: int, slot: int, need: int, reached: bool, lead: int, memory: Ints) -> None:
    """Store whether the target was reached, and with which lead."""
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
