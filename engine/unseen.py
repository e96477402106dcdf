"""Dealing the cards nobody has shown into the places they can be in, every way equally likely.

Cards that may lie in the same places are alike, and so are places that may hold the same cards.
What is left is a table of numbers: how many cards of each *class* lie in each *group* of places.
Each such table stands for a known number of ways, so a table is drawn with that weight and then
filled at random.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial, prod
from random import Random
from typing import TypeAlias

from engine.cards import Card, Suit, suit_of
from engine.errors import EngineError

Counts: TypeAlias = tuple[int, ...]
Open: TypeAlias = tuple[tuple[bool, ...], ...]
"""For each row whether it may have anything in each column."""


class NoDeal(EngineError):
    """The cards cannot lie as the places demand, because what was seen contradicts itself."""

    code = "no_deal"


@dataclass(frozen=True, slots=True)
class Place:
    """Room for `size` hidden cards: those it is known to hold, and others that may lie in it.

    Of the others none is of a suit in `without` and none is in `barred`.
    """

    size: int
    without: frozenset[Suit] = frozenset()
    barred: frozenset[Card] = frozenset()
    holds: tuple[Card, ...] = ()

    def takes(self, card: Card) -> bool:
        """Whether `card` may lie in this place, by what was seen."""
        return suit_of(card) not in self.without and card not in self.barred


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A dealing problem: `classes` of cards that are alike, `groups` of places that are alike.

    A group is a tuple of indices of places, `room` its number of cards; places whose cards are
    all known are in none. `open[class][group]` tells who may lie where.
    """

    classes: tuple[tuple[Card, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    room: Counts
    open: Open

    @property
    def sizes(self) -> Counts:
        """The number of cards of each class."""
        return tuple(map(len, self.classes))


def puzzle_of(cards: Sequence[Card], places: Sequence[Place]) -> Puzzle:
    """The puzzle of putting all `cards` into `places`; `NoDeal` if the numbers do not add up."""
    free, room = _not_held(cards, places)
    if sum(room) != len(free):
        raise NoDeal(f"{len(free)} cards for {sum(room)} places")
    where = {
        card: tuple(
            left > 0 and place.takes(card) for left, place in zip(room, places, strict=True)
        )
        for card in set(free)
    }
    kinds = sorted({where[card] for card in free})
    columns = [tuple(kind[at] for kind in kinds) for at in range(len(places))]
    groups: dict[tuple[bool, ...], list[int]] = {}
    for at, left in enumerate(room):
        if left:
            groups.setdefault(columns[at], []).append(at)
    return Puzzle(
        classes=tuple(tuple(card for card in free if where[card] == kind) for kind in kinds),
        groups=tuple(map(tuple, groups.values())),
        room=tuple(sum(room[at] for at in group) for group in groups.values()),
        open=tuple(tuple(kind[group[0]] for group in groups.values()) for kind in kinds),
    )


class Deals:
    """Every way of putting all `cards` into `places`; `NoDeal` if there is none."""

    def __init__(self, cards: Sequence[Card], places: Sequence[Place]) -> None:
        self._places = tuple(places)
        self._puzzle = puzzle = puzzle_of(cards, places)
        self._table = _table(puzzle.sizes, puzzle.room, puzzle.open)
        if not self._table.ways:
            raise NoDeal("the cards cannot lie as what was seen demands")

    @property
    def ways(self) -> int:
        """The number of ways; equal cards count as different, the order within a place does not."""
        within = 1
        for group, left in zip(self._puzzle.groups, self._puzzle.room, strict=True):
            within *= factorial(left)
            for at in group:
                within //= factorial(self._places[at].size - len(self._places[at].holds))
        return self._table.ways * within

    def draw(self, rng: Random) -> list[tuple[Card, ...]]:
        """A random way, by place: the cards known to lie there, then the others in random order."""
        puzzle = self._puzzle
        piles: list[list[Card]] = [[] for _ in puzzle.groups]
        for cards, counts in zip(puzzle.classes, self._table.draw(rng), strict=True):
            shuffled, at = rng.sample(cards, len(cards)), 0
            for pile, count in zip(piles, counts, strict=True):
                pile += shuffled[at : at + count]
                at += count
        dealt = [place.holds for place in self._places]
        for group, pile in zip(puzzle.groups, piles, strict=True):
            rng.shuffle(pile)
            for at in group:
                size = self._places[at].size - len(dealt[at])
                dealt[at] += tuple(pile[:size])
                del pile[:size]
        return dealt


def deal_unseen(
    cards: Sequence[Card], places: Sequence[Place], rng: Random
) -> list[tuple[Card, ...]]:
    """A random way of putting all `cards` into `places`, each as likely as the others.

    `NoDeal` if there is none.
    """
    return Deals(cards, places).draw(rng)


def _not_held(cards: Sequence[Card], places: Sequence[Place]) -> tuple[list[Card], Counts]:
    """The cards that are in no place for certain, and the room that each place has for them."""
    free = Counter(cards)
    free.subtract(card for place in places for card in place.holds)
    room = tuple(place.size - len(place.holds) for place in places)
    if any(count < 0 for count in (*free.values(), *room)):
        raise NoDeal("places hold cards that are not among the unseen, or more than fit")
    return list(free.elements()), room


@lru_cache(maxsize=16)
def _table(sizes: Counts, room: Counts, open: Open) -> "_Table":
    """The table of a puzzle, cached because a sampling bot asks for one again and again."""
    return _Table(sizes, room, open)


class _Table:
    """The numbers of cards by class and group, each table weighted by the ways it stands for.

    Rows are filled one by one. What may still be put into each column is all that the rows to
    come need to know, so the ways are counted once for each such remainder.
    """

    def __init__(self, sizes: Counts, room: Counts, open: Open) -> None:
        # With classes as columns the remainders are other ones than with groups as columns.
        self._turned = _remainders(sizes) < _remainders(room)
        rows, columns = (room, sizes) if self._turned else (sizes, room)
        if self._turned:
            open = tuple(zip(*open, strict=True))
        # The freest row last: it takes what is left, so that nothing branches there.
        self._order = sorted(range(len(rows)), key=lambda row: sum(open[row]))
        self._rows = [rows[row] for row in self._order]
        self._open = [open[row] for row in self._order]
        self._columns = columns
        self._counted: dict[tuple[int, int, int, Counts], int] = {}
        self.ways = self._ways(0, 0, self._rows[0], columns) if rows else 1
        if not self._turned:
            # Counted were ways to give numbered rooms to classes; wanted are cards to groups.
            self.ways = self.ways * prod(map(factorial, sizes)) // prod(map(factorial, room))

    def draw(self, rng: Random) -> tuple[Counts, ...]:
        """Random counts by class and group."""
        drawn: list[Counts] = [()] * len(self._rows)
        left = self._columns
        for row, at in enumerate(self._order):
            before = left
            left = self._drawn_row(row, left, rng)
            drawn[at] = tuple(had - has for had, has in zip(before, left, strict=True))
        return tuple(zip(*drawn, strict=True)) if self._turned else tuple(drawn)

    def _drawn_row(self, row: int, left: Counts, rng: Random) -> Counts:
        """What is left of the columns after a randomly drawn row."""
        count = self._rows[row]
        for column in range(len(left)):
            at = rng.randrange(self._ways(row, column, count, left))
            takes = iter(self._takes(row, column, count, left))
            take, ways = next(takes)
            while at >= ways:
                at -= ways
                take, ways = next(takes)
            count -= take
            left = _less(left, column, take)
        return left

    def _ways(self, row: int, column: int, count: int, left: Counts) -> int:
        """The number of ways to continue if `row` still needs `count` from this and later columns.

        `left` is what the rows may still take from the columns.
        """
        if column == len(left):
            if row == len(self._rows) - 1:
                return 1
            return self._ways(row + 1, 0, self._rows[row + 1], left)
        key = (row, column, count, left)
        known = self._counted.get(key)
        if known is None:
            known = sum(ways for _, ways in self._takes(row, column, count, left))
            self._counted[key] = known
        return known

    def _takes(self, row: int, column: int, count: int, left: Counts) -> list[tuple[int, int]]:
        """How many cards the row may take from this column, and the number of ways after each."""
        most = min(count, left[column]) if self._open[row][column] else 0
        later = zip(left[column + 1 :], self._open[row][column + 1 :], strict=True)
        coming = sum(rest for rest, open in later if open)
        return [
            (take, comb(left[column], take) * ways)
            for take in range(max(0, count - coming), most + 1)
            if (ways := self._ways(row, column + 1, count - take, _less(left, column, take)))
        ]


def _less(left: Counts, column: int, take: int) -> Counts:
    return (*left[:column], left[column] - take, *left[column + 1 :]) if take else left


def _remainders(columns: Counts) -> int:
    """A rough number of the remainders; the largest column follows from the others."""
    return prod(count + 1 for count in sorted(columns)[:-1])
