"""Worlds: the unseen cards dealt where they may lie, every way equally likely, in a kernel.

`engine.unseen` computes this with exact whole numbers and is the reference for it. Here the ways
are counted once a decision into one array (`plan_worlds`), and a kernel draws as many worlds from
it as it likes (`deal_world`), each in well under a microsecond for a few hands.

    plan = plan_worlds(unseen, [Place(5), Place(9, without={suit})])
    world = np.empty(len(unseen), np.int64)
    deal_world(plan, draws, world)     # first the cards of the first place, then those of the next
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel
from bots.search.draws import Draws, below, unit
from engine.cards import Card
from engine.unseen import NoDeal, Place, Puzzle, puzzle_of

Ints = NDArray[np.int64]
_MOST_WAYS = 1 << 23
"""Numbers the array of ways may hold: 64 MiB, of which only what is reached is touched."""


class Plan(NamedTuple):
    """A puzzle as arrays. A table of counts is filled row by row, a *cell* at a time.

    Rows are groups of places and columns classes of cards, or the other way round if `turned`.
    What the rows to come may take from the columns is one number, its digits the columns' rests.
    `ways[cell, rest]` counts, as a float, the ways to fill that cell and all after it.
    """

    held: Ints
    cards: Ints
    classes: Ints
    slots: Ints
    groups: Ints
    turned: bool
    rows: Ints
    columns: Ints
    cell_row: Ints
    cell_column: Ints
    last_row: int
    strides: Ints
    choose: NDArray[np.float64]
    ways: NDArray[np.float64]


def plan_worlds(cards: Sequence[Card], places: Sequence[Place]) -> Plan:
    """A plan for dealing all `cards` into `places`; `NoDeal` if that is impossible."""
    puzzle = puzzle_of(cards, places)
    held, slots = _layout(puzzle, places)
    sizes, room = puzzle.sizes, puzzle.room
    # The array has a number for every rest of the columns: the fewer there are the better.
    turned = prod(size + 1 for size in sizes) > prod(left + 1 for left in room)
    rows, columns = (sizes, room) if turned else (room, sizes)
    open_ = puzzle.open if turned else tuple(zip(*puzzle.open, strict=True))
    order = sorted(range(len(rows)), key=lambda row: sum(open_[row]))
    # The last row takes what is left; where all goes well it is free to.
    cells = [(row, at) for row in order[:-1] for at in range(len(columns)) if open_[row][at]]
    strides = [prod(size + 1 for size in columns[:at]) for at in range(len(columns) + 1)]
    if (len(cells) + 1) * strides[-1] > _MOST_WAYS:
        raise NoDeal("too many ways to count")
    plan = Plan(
        held=held,
        cards=_ints([card for alike in puzzle.classes for card in alike]),
        classes=_starts(sizes),
        slots=slots,
        groups=_starts(room),
        turned=turned,
        rows=_ints(rows),
        columns=_ints(columns),
        cell_row=_ints([row for row, _ in cells]),
        cell_column=_ints([column for _, column in cells]),
        last_row=order[-1] if order else 0,
        strides=_ints(strides),
        choose=_choose(max(columns, default=0)),
        ways=np.zeros((len(cells) + 1, strides[-1])),
    )
    closed = [not each for each in open_[order[-1]]] if order else []
    if not all(map(any, open_)) or not _count_ways(plan, np.array(closed, dtype=np.bool_)):
        raise NoDeal("the cards cannot lie as what was seen demands")
    return plan


@kernel
def deal_world(plan: Plan, draws: Draws, world: Ints) -> None:
    """Fill `world` with all the cards in the order of the places.

    A place has first the cards known to lie there, then the others in random order.
    """
    counts = _draw_counts(plan, draws)
    cards = plan.cards.copy()
    for kind in range(plan.classes.size - 1):
        _shuffle(cards, plan.classes[kind], plan.classes[kind + 1], draws)
    taken = plan.classes.copy()
    world[:] = plan.held
    dealt = np.empty_like(cards)
    for group in range(plan.groups.size - 1):
        start = at = plan.groups[group]
        for kind in range(plan.classes.size - 1):
            count = counts[kind, group] if plan.turned else counts[group, kind]
            for _ in range(count):
                dealt[at] = cards[taken[kind]]
                taken[kind] += 1
                at += 1
        _shuffle(dealt, start, at, draws)
        for place in range(start, at):
            world[plan.slots[place]] = dealt[place]


@kernel
def _draw_counts(plan: Plan, draws: Draws) -> Ints:
    """The number of cards for each row and column."""
    counts = np.zeros((plan.rows.size, plan.columns.size), np.int64)
    rest = plan.strides[-1] - 1
    want = 0
    for cell in range(plan.cell_row.size):
        row, column = plan.cell_row[cell], plan.cell_column[cell]
        if cell == 0 or plan.cell_row[cell - 1] != row:
            want = plan.rows[row]
        least, most = _span(plan, cell, rest, want)
        digit, stride = _digit(plan, column, rest), plan.strides[column]
        point = unit(draws) * plan.ways[cell, rest]
        take = chosen = least
        while take <= most:
            ways = plan.choose[digit, take] * plan.ways[cell + 1, rest - take * stride]
            if ways > 0.0:
                # The last that can be, should rounding leave the point beyond the sum.
                chosen = take
                point -= ways
                if point < 0.0:
                    break
            take += 1
        counts[row, column] = chosen
        want -= chosen
        rest -= chosen * stride
    for column in range(plan.columns.size):
        counts[plan.last_row, column] = _digit(plan, column, rest)
    return counts


@kernel
def _count_ways(plan: Plan, closed: NDArray[np.bool_]) -> bool:
    """Fill `plan.ways` for the cells in order; false if there is no way.

    `closed` are the columns in which the last row may have nothing.
    """
    cells, full = plan.cell_row.size, plan.strides[-1] - 1
    reached = np.zeros(full + 1, np.bool_)
    rests = np.empty((cells + 1) * (full + 1), np.int64)
    wants = np.empty_like(rests)
    levels = np.zeros(cells + 2, np.int64)
    rests[0], levels[1] = full, 1
    for cell in range(cells):
        row, stride = plan.cell_row[cell], plan.strides[plan.cell_column[cell]]
        first = cell == 0 or plan.cell_row[cell - 1] != row
        end = levels[cell + 1]
        for at in range(levels[cell], levels[cell + 1]):
            if first:
                wants[at] = plan.rows[row]
            least, most = _span(plan, cell, rests[at], wants[at])
            for take in range(least, most + 1):
                rest = rests[at] - take * stride
                if not reached[rest]:
                    reached[rest] = True
                    rests[end], wants[end] = rest, wants[at] - take
                    end += 1
        levels[cell + 2] = end
        for at in range(levels[cell + 1], end):
            reached[rests[at]] = False
    for at in range(levels[cells], levels[cells + 1]):
        fits = True
        for column in range(closed.size):
            fits = fits and not (closed[column] and _digit(plan, column, rests[at]))
        plan.ways[cells, rests[at]] = 1.0 if fits else 0.0
    for cell in range(cells - 1, -1, -1):
        column = plan.cell_column[cell]
        for at in range(levels[cell], levels[cell + 1]):
            rest = rests[at]
            digit = _digit(plan, column, rest)
            least, most = _span(plan, cell, rest, wants[at])
            for take in range(least, most + 1):
                after = plan.ways[cell + 1, rest - take * plan.strides[column]]
                plan.ways[cell, rest] += plan.choose[digit, take] * after
    return bool(plan.ways[0, full] > 0.0)


@kernel
def _span(plan: Plan, cell: int, rest: int, want: int) -> tuple[int, int]:
    """The least and the most that may go into `cell` if its row still needs so many."""
    later = 0
    at = cell + 1
    while at < plan.cell_row.size and plan.cell_row[at] == plan.cell_row[cell]:
        later += _digit(plan, plan.cell_column[at], rest)
        at += 1
    return max(0, want - later), min(want, _digit(plan, plan.cell_column[cell], rest))


@kernel
def _digit(plan: Plan, column: int, rest: int) -> int:
    """The part of `column` that is left."""
    digit: int = rest // plan.strides[column] % (plan.columns[column] + 1)
    return digit


@kernel
def _shuffle(items: Ints, start: int, end: int, draws: Draws) -> None:
    for last in range(end - 1, start, -1):
        at = start + below(draws, last - start + 1)
        items[last], items[at] = items[at], items[last]


def _layout(puzzle: Puzzle, places: Sequence[Place]) -> tuple[Ints, Ints]:
    """A world with only the known cards, and the indices in it for the cards of each group."""
    held: list[int] = []
    free: list[range] = []
    for place in places:
        start = len(held)
        held += place.holds + (-1,) * (place.size - len(place.holds))
        free.append(range(start + len(place.holds), start + place.size))
    return _ints(held), _ints(
        [at for group in puzzle.groups for place in group for at in free[place]]
    )


def _choose(most: int) -> NDArray[np.float64]:
    """Pascal's triangle: the number of ways to choose some of some."""
    choose = np.zeros((most + 1, most + 1))
    choose[:, 0] = 1.0
    for n in range(1, most + 1):
        choose[n, 1:] = choose[n - 1, 1:] + choose[n - 1, :-1]
    return choose


def _starts(sizes: Sequence[int]) -> Ints:
    return _ints([sum(sizes[:at]) for at in range(len(sizes) + 1)])


def _ints(numbers: Sequence[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)
