"""What a node asks the database several times a second: which tables of others have changed."""

from collections.abc import Iterator
from importlib.util import find_spec
from time import perf_counter

from bench.connection import run
from bench.figures import Figure, Unmeasured, at_most, percentile
from bench.postgresql import programs, running
from server.store import Node, Seats, Store, TableRow, Write

TABLES = 10_000
SEATS = 4
CHANGED = 100
TURNS = 60
MOST_MILLISECONDS = 5.0
"""Of a question to which nothing has changed: one hundredth of the time between two of them."""

SUMMARY = '{"info": {"seats": []}, "players": []}'.ljust(900)
"""As long as that of a table of four."""


def measure() -> Iterator[Figure | Unmeasured]:
    """Milliseconds of a question after 0 and 100 changes, of the first, and of a player's seats."""
    found = programs()
    if found is None or find_spec("psycopg") is None:
        yield Unmeasured("polls", "needs PostgreSQL and blackqueen[postgres]")
        return
    with running(found) as url:
        yield from run(_measured(url))


async def _measured(url: str) -> list[Figure]:
    writer = await Store.open(url, node=Node("writer"))
    reader = await Store.open(url, node=Node("reader"))
    for first in range(0, TABLES, 500):
        await writer.save(_write(range(first, first + 500)))
    began = perf_counter()
    changes = await reader.changed_since(0)
    whole = perf_counter() - began
    assert len(changes.tables) == TABLES
    calm: list[float] = []
    busy: list[float] = []
    seats: list[float] = []
    for turn in range(TURNS):
        for took, changed in ((calm, 0), (busy, CHANGED)):
            if changed:
                start = turn * CHANGED % TABLES
                await writer.save(_write(range(start, start + CHANGED)))
            began = perf_counter()
            changes = await reader.changed_since(changes.since)
            took.append(perf_counter() - began)
            # More if a transaction is under way, such as a renewal of a lease.
            assert len(changes.tables) >= changed
            changes = await reader.changed_since(changes.since)
        began = perf_counter()
        assert len(await reader.seats_of(f"p{turn}")) == 1
        seats.append(perf_counter() - began)
    await reader.close()
    await writer.close()
    return [
        Figure("polls.calm", 1000 * percentile(calm, 0.5), "ms", at_most(MOST_MILLISECONDS)),
        Figure("polls.changed", 1000 * percentile(busy, 0.5), "ms"),
        Figure("polls.first", 1000 * whole, "ms"),
        Figure("polls.seats", 1000 * percentile(seats, 0.5), "ms"),
    ]


def _write(numbers: range) -> Write:
    return Write(
        tables=tuple(
            TableRow(f"T{number}", "hearts", 1, False, "playing", None, 1, 0.0, SUMMARY)
            for number in numbers
        ),
        seats=tuple(
            Seats(f"T{number}", frozenset(f"p{SEATS * number + at}" for at in range(SEATS)))
            for number in numbers
        ),
    )
