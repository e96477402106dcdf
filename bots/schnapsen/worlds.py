"""Worlds for the solver: the other hand as a set, the talon in the order of drawing.

As long as the talon is open nothing says what the other player does not hold, so a shuffle deals
without bias. Once it is closed only the other hand matters, and all possible ones are few enough to
be tried.

Source: Schnapsen document, "Basic Idea" (assignments of the unknown cards).
"""

from dataclasses import dataclass

import numpy as np

from bots.schnapsen.bits import Ints, mask_of, place_of
from bots.schnapsen.knowledge import Knowledge
from bots.schnapsen.solver_memory import TALON
from bots.search.compiled import kernel
from bots.search.draws import Draws, shuffle, word
from engine.games.schnapsen import State


@dataclass(frozen=True, slots=True)
class Worlds:
    """Worlds: the other's hand of each, and its talon in a row with the upturned trump last.

    `luck` is the source of a world's random numbers if players err; 0 in worlds to be solved.
    """

    hands: Ints
    talons: Ints
    luck: Ints

    def __len__(self) -> int:
        return self.hands.size

    def part(self, start: int, count: int) -> "Worlds":
        """The worlds from `start` on, at most `count` of them."""
        part = slice(start, start + count)
        return Worlds(self.hands[part], self.talons[part], self.luck[part])

    def shuffled(self, draws: Draws) -> "Worlds":
        """The worlds in random order."""
        order = np.arange(len(self))
        shuffle(order, draws)
        return Worlds(self.hands[order], self.talons[order], self.luck[order])


def open_world(state: State) -> Worlds:
    """The single world of the seat to move, with all cards open."""
    drawn, talon = TALON - state.stock, (*state.talon, state.turned)[: state.stock]
    row = [0] * drawn + [place_of(card, state.trump) for card in talon]
    hand = mask_of(state.hands[1 - state.turn], state.trump)
    return Worlds(np.array([hand], np.int64), np.array([row], np.int64), np.zeros(1, np.int64))


def every_hand(known: Knowledge) -> Worlds:
    """Each hand that the other may hold, once, without a talon."""
    possible = np.array(known.possible, np.int64)
    hands = np.empty(known.hands(), np.int64)
    _fill_hands(possible, known.missing, known.shown, hands)
    return Worlds(hands, np.zeros((hands.size, TALON), np.int64), np.zeros_like(hands))


def every_world(known: Knowledge) -> Worlds:
    """Each world once; `Knowledge.assignments` is their number."""
    if known.strict:
        return every_hand(known)
    hands = every_hand(known).hands
    talons = np.empty((known.assignments(), TALON), np.int64)
    repeated = np.empty(talons.shape[0], np.int64)
    unseen = np.array(known.unseen, np.int64)
    _fill_talons(unseen, hands, known.stage, known.turned, repeated, talons)
    return Worlds(repeated, talons, np.zeros_like(repeated))


def sampled_worlds(known: Knowledge, count: int, draws: Draws) -> Worlds:
    """`count` worlds of an open talon, equally likely, with their luck."""
    hands, luck = np.empty(count, np.int64), np.empty(count, np.int64)
    talons = np.empty((count, TALON), np.int64)
    unseen = np.array(known.unseen, np.int64)
    _fill_samples(
        unseen, known.missing, known.shown, known.stage, known.turned, draws, hands, talons, luck
    )
    return Worlds(hands, talons, luck)


@kernel
def _fill_samples(
    unseen: Ints,
    missing: int,
    shown: int,
    stage: int,
    turned: int,
    draws: Draws,
    hands: Ints,
    talons: Ints,
    luck: Ints,
) -> None:
    for world in range(hands.size):
        luck[world] = np.int64(word(draws) >> np.uint64(1))
        shuffle(unseen, draws)
        hand = shown
        for at in range(missing):
            hand |= 1 << unseen[at]
        hands[world] = hand
        for at in range(stage, TALON - 1):
            talons[world, at] = unseen[missing + at - stage]
        talons[world, TALON - 1] = turned


@kernel
def _fill_hands(possible: Ints, missing: int, shown: int, hands: Ints) -> None:
    """All choices of `missing` cards, in lexicographic order."""
    chosen = np.arange(missing)
    for world in range(hands.size):
        hand = shown
        for card in possible[chosen]:
            hand |= 1 << card
        hands[world] = hand
        last = missing - 1
        while last >= 0 and chosen[last] == possible.size - missing + last:
            last -= 1
        if last >= 0:
            chosen[last] += 1
            for at in range(last + 1, missing):
                chosen[at] = chosen[at - 1] + 1


@kernel
def _fill_talons(
    unseen: Ints, hands: Ints, stage: int, turned: int, repeated: Ints, talons: Ints
) -> None:
    """All orders of what a hand leaves in the talon, hand by hand, in lexicographic order."""
    rest = np.empty(TALON - 1 - stage, np.int64)
    orders = repeated.size // hands.size
    for number in range(hands.size):
        at = 0
        for card in unseen:
            if not hands[number] >> card & 1:
                rest[at] = card
                at += 1
        for world in range(number * orders, (number + 1) * orders):
            repeated[world] = hands[number]
            talons[world, stage : TALON - 1] = rest
            talons[world, TALON - 1] = turned
            _next_order(rest)


@kernel
def _next_order(cards: Ints) -> None:
    """The next permutation of sorted numbers; after the last one it is sorted again or left."""
    fall = cards.size - 2
    while fall >= 0 and cards[fall] > cards[fall + 1]:
        fall -= 1
    if fall < 0:
        return
    swap = cards.size - 1
    while cards[swap] < cards[fall]:
        swap -= 1
    cards[fall], cards[swap] = cards[swap], cards[fall]
    start, end = fall + 1, cards.size - 1
    while start < end:
        cards[start], cards[end] = cards[end], cards[start]
        start += 1
        end -= 1
