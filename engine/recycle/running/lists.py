"""Lists of cards that a description computes from others: groups, subsets, runs, ends.

They are plain lists, from bottom to top. A function whose result can grow beyond its sources tells
`spend` how many units of work that takes, which stops the game if it is too much.
Source: RECYCLE, "Semantics" 7 and 11, and "Decisions".
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from math import comb
from operator import eq, ge, gt, le, lt, ne
from typing import TypeAlias

from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.syntax import Comparison

Card: TypeAlias = int
List: TypeAlias = list[Card]
Points: TypeAlias = Mapping[Card, int]
Spend: TypeAlias = Callable[[int], None]
NO_CARD: Card = -1
_COMPARED: Mapping[Comparison, Callable[[int, int], bool]] = {
    "<": lt,
    ">": gt,
    "<=": le,
    ">=": ge,
    "==": eq,
    "!=": ne,
}


def top(cards: Sequence[Card]) -> Card:
    """The last card, the top one; `NO_CARD` if there is none."""
    return cards[-1] if cards else NO_CARD


def bottom(cards: Sequence[Card]) -> Card:
    """The first card, the bottom one; `NO_CARD` if there is none."""
    return cards[0] if cards else NO_CARD


def at(cards: Sequence[Card], place: int) -> Card:
    """The card at a place, from 0 at the bottom; `NO_CARD` if there is none."""
    return cards[place] if 0 <= place < len(cards) else NO_CARD


def top_of(count: int, cards: List) -> List:
    """The `count` cards at the top, or all if there are fewer."""
    return cards[max(0, len(cards) - count) :] if count > 0 else []


def bottom_of(count: int, cards: List) -> List:
    """The `count` cards at the bottom, or all if there are fewer."""
    return cards[: max(0, count)]


def list_at(lists: Sequence[List], place: int | None) -> List:
    """The list at a place, None for the last; empty where there is none."""
    at = len(lists) - 1 if place is None else place
    return lists[at] if 0 <= at < len(lists) else []


def slot_at(slots: Sequence[int], place: int | None) -> int:
    """The pile at a place, None for the last."""
    at = len(slots) - 1 if place is None else place
    if not 0 <= at < len(slots):
        raise Fault("there is no such pile")
    return slots[at]


def sized(operator: Comparison, size: int) -> Callable[[int], bool]:
    """A function that compares a number with `size`."""
    compare = _COMPARED[operator]
    return lambda number: compare(number, size)


def intersection(lists: Sequence[Iterable[Card]]) -> List:
    """The cards that are in all the lists."""
    return _in_so_many(lists, len(lists))


def disjunction(lists: Sequence[Iterable[Card]]) -> List:
    """The cards that are in exactly one of the lists."""
    return _in_so_many(lists, 1)


def _in_so_many(lists: Sequence[Iterable[Card]], wanted: int) -> List:
    counts = Counter(card for cards in lists for card in dict.fromkeys(cards))
    return [card for card, count in counts.items() if count == wanted]


def partition(values: Mapping[Card, str], lists: Iterable[Iterable[Card]]) -> list[List]:
    """The cards grouped by their value, in the order in which the values first occur."""
    groups: dict[str, List] = {}
    for card in chain.from_iterable(lists):
        groups.setdefault(values[card], []).append(card)
    return list(groups.values())


def groups(values: Mapping[Card, str], lists: Sequence[Iterable[Card]]) -> int:
    """The number of groups that `partition` makes."""
    cards = lists[0] if len(lists) == 1 else chain.from_iterable(lists)
    return len(set(map(values.__getitem__, cards)))


def subsets(
    cards: Sequence[Card], spend: Spend, wanted: Callable[[int], bool] = bool
) -> list[List]:
    """The subsets whose size is wanted, small ones first, without the empty one."""
    sizes = [size for size in range(1, len(cards) + 1) if wanted(size)]
    listed = 0
    for size in sizes:
        listed += comb(len(cards), size) * size
        if listed > limits.LISTS:
            raise Fault(f"{len(cards)} cards have too many subsets")
    spend(listed)
    return [list(some) for size in sizes for some in combinations(cards, size)]


def tuples(least: int, cards: Sequence[Card], points: Points) -> list[List]:
    """The groups of `least` or more cards with equal points, in the order of first occurrence."""
    groups: dict[int, List] = {}
    for card in cards:
        groups.setdefault(points[card], []).append(card)
    return [group for group in groups.values() if len(group) >= least]


def runs(least: int, cards: Sequence[Card], points: Points, spend: Spend) -> list[List]:
    """The longest chains of consecutive points with `least` cards; equal cards make several."""
    return list(_chains(_stretches(cards, points), least, spend))


def runs_within(least: int, cards: Sequence[Card], points: Points, spend: Spend) -> list[List]:
    """All chains of consecutive points with `least` cards, those within longer ones too."""
    return list(_chains(_parts(_stretches(cards, points), max(least, 1), spend), least, spend))


def _parts(stretches: Iterable[list[List]], shortest: int, spend: Spend) -> Iterator[list[List]]:
    """The parts of stretches, made one by one; each that is too short costs a unit of work."""
    owed = 0
    for stretch in stretches:
        size = len(stretch)
        for start in range(size - shortest + 1):
            owed += shortest - 1
            for end in range(start + shortest, size + 1):
                spend(owed)
                owed = 0
                yield stretch[start:end]
        left = min(size, shortest - 1)
        owed += left * (left + 1) // 2
    spend(owed)


def _stretches(cards: Sequence[Card], points: Points) -> Iterator[list[List]]:
    """The cards grouped by points, split where a value is missing between two groups."""
    stretch: list[List] = []
    before = 0
    for card in sorted(cards, key=points.__getitem__):
        worth = points[card]
        if stretch and worth == before:
            stretch[-1].append(card)
            continue
        if stretch and worth != before + 1:
            yield stretch
            stretch = []
        stretch.append([card])
        before = worth
    if stretch:
        yield stretch


def _chains(stretches: Iterable[list[List]], least: int, spend: Spend) -> Iterator[List]:
    for stretch in stretches:
        spend(1)
        if len(stretch) < least:
            continue
        ways = len(stretch)
        for equal in stretch:
            ways *= len(equal)
            if ways > limits.LISTS:
                raise Fault("the cards make too many runs")
        spend(ways)
        yield from map(list, product(*stretch))


def run_at_top(least: int, cards: Sequence[Card], points: Points, spend: Spend) -> List:
    """The longest run at the top in any order, lowest first, if it has `least` cards."""
    spend(len(cards) ** 2)
    for start in range(max(0, len(cards) - max(1, least)) + 1):
        found = sorted(cards[start:], key=points.__getitem__)
        if len(found) >= least and _consecutive(found, points):
            return found
    return []


def run_at_bottom(least: int, cards: Sequence[Card], points: Points, spend: Spend) -> List:
    """The longest run at the bottom, as `run_at_top` finds it at the top."""
    return run_at_top(least, cards[::-1], points, spend)


def _consecutive(cards: Sequence[Card], points: Points) -> bool:
    return all(points[card] == points[cards[0]] + place for place, card in enumerate(cards))
