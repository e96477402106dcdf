"""What is over goes out of the database after the days the host has set, and nothing else does."""

import pytest

from server.housekeeping import AT_ONCE, clear_out
from server.store import CLOSED, AnswerRow, ResultRow, Store, Write
from tests.server.store.rows import entry, table

MOMENT = 1000.0


async def add(store: Store, code: str, phase: str, *times: float) -> None:
    """A table with an entry at each of these times."""
    row = table(code, phase)._replace(seq=len(times))
    entries = tuple(entry(seq, code)._replace(time=time) for seq, time in enumerate(times, start=1))
    result = ResultRow(code, 1, "black_queen", times[-1], "{}")
    await store.save(Write(tables=(row,), entries=entries, results=(result,)))


@pytest.mark.parametrize(
    ("phase", "times", "stays"),
    [
        (CLOSED, (100.0, 999.0), False),
        (CLOSED, (100.0, 1000.0), True),
        ("finished", (100.0, 999.0), True),
        ("paused", (100.0,), True),
    ],
)
async def test_only_tables_closed_before_the_moment_go(
    store: Store, phase: str, times: tuple[float, ...], stays: bool
) -> None:
    """What counts is when a table was closed, not when it was opened; an open one always stays."""
    await add(store, "ABCD", phase, *times)
    assert await clear_out(store, MOMENT) == (not stays)
    assert (await store.load("ABCD") is not None) == stays
    assert bool(await store.results("ABCD")) == stays


async def test_more_than_one_commit_takes_go_as_well(store: Store) -> None:
    """However many are old, they are all gone in the end, and the young are all there."""
    old = 2 * AT_ONCE + 1
    for number in range(old):
        await add(store, f"OLD{number}", CLOSED, 1.0)
    await add(store, "YOUNG", CLOSED, 2000.0)
    assert await clear_out(store, MOMENT) == old
    assert await clear_out(store, MOMENT) == 0
    assert await store.load("OLD0") is None
    assert await store.load("YOUNG") is not None


async def test_old_answers_are_forgotten(store: Store) -> None:
    """A command that was answered before the moment is not known any more; later ones are."""
    answers = tuple(AnswerRow("ann", "laptop", n, "{}", 990.0 + n) for n in (9, 10))
    await store.save(Write(answers=answers))
    await clear_out(store, MOMENT)
    assert await store.answer("ann", "laptop", 9, ()) is None
    assert await store.answer("ann", "laptop", 10, ()) == answers[1]
