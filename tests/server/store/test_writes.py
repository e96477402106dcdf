"""A write is stored whole or refused alone, and reported once, in order, and later."""

import asyncio
import io
import sys
from typing import Any

import pytest
import structlog

from server.ops import logs
from server.store import (
    DatabaseInUse,
    Deletion,
    EntryRow,
    Store,
    StoreClosed,
    StoreConflict,
    StoreError,
    StoreOverloaded,
    Write,
    ownership,
)
from tests.counts import count
from tests.server.store.rows import entry, log, opened, table


class Reports:
    """The reports of the store, by the name given to each write."""

    def __init__(self, expected: int) -> None:
        self.came: list[tuple[str, str | None]] = []
        self._missing = expected
        self._all = asyncio.Event()

    def of(self, store: Store, name: str, write: Write) -> None:
        def done(error: Exception | None) -> None:
            self.came.append((name, getattr(error, "code", None)))
            self._missing -= 1
            if not self._missing:
                self._all.set()

        store.commit(write, done)

    async def all(self) -> list[tuple[str, str | None]]:
        async with asyncio.timeout(20):
            await self._all.wait()
        return self.came


async def seqs(store: Store, code: str = "ABCD") -> list[int]:
    loaded = await store.load(code)
    assert loaded is not None
    return [row.seq for row in loaded[1]]


async def test_nothing_is_reported_before_commit_returns(store: Store) -> None:
    """No report comes before `commit` returns."""
    reports = Reports(1)
    reports.of(store, "open", opened())
    assert reports.came == []
    assert store.waiting == 1
    assert await reports.all() == [("open", None)]
    assert store.waiting == 0


async def test_reports_come_in_the_order_of_commits(store: Store) -> None:
    """Reports come in the order of commits, across batches."""
    await store.save(opened())
    total = count(500)
    reports = Reports(total)
    for seq in range(total):
        reports.of(store, str(seq), log(seq + 2))
        if seq % 7 == 0:
            await asyncio.sleep(0)
    assert await reports.all() == [(str(seq), None) for seq in range(total)]
    assert await seqs(store) == list(range(1, total + 2))


async def test_one_round_of_the_loop_is_one_batch(url: str) -> None:
    """The writes of one round of the loop are one batch."""
    batches: list[tuple[int, int]] = []
    store = await Store.open(
        url, observe=lambda writes, failed, _: batches.append((writes, failed))
    )
    await store.save(opened())
    reports = Reports(200)
    interval = sys.getswitchinterval()
    # On a busy machine one round may take so long that the thread gets its turn within it.
    sys.setswitchinterval(60)
    try:
        for seq in range(200):
            reports.of(store, str(seq), log(seq + 2))
    finally:
        sys.setswitchinterval(interval)
    await reports.all()
    await store.close()
    assert batches == [(1, 0), (200, 0)]


async def test_poisoned_write_fails_alone(url: str) -> None:
    """A write with a number that is taken fails alone in its batch."""
    batches: list[tuple[int, int]] = []
    store = await Store.open(
        url, observe=lambda writes, failed, _: batches.append((writes, failed))
    )
    await store.save(opened())
    reports = Reports(3)
    reports.of(store, "before", log(2))
    reports.of(store, "poisoned", log(1))
    reports.of(store, "after", log(3))
    assert await reports.all() == [
        ("before", None),
        ("poisoned", "store_conflict"),
        ("after", None),
    ]
    assert await seqs(store) == [1, 2, 3]
    await store.close()
    assert batches == [(1, 0), (3, 1)]


@pytest.mark.parametrize(
    ("field", "value"),
    [("body", object()), ("body", "\ud800"), ("command", 2**70)],
    ids=["object", "surrogate", "huge"],
)
async def test_value_no_database_takes_fails_alone(store: Store, field: str, value: Any) -> None:
    """A write with an invalid value fails alone, without the value in the message."""
    await store.save(opened())
    reports = Reports(2)
    reports.of(store, "strange", Write(entries=(entry(2)._replace(**{field: value}),)))
    reports.of(store, "plain", log(3))
    assert await reports.all() == [("strange", "store_error"), ("plain", None)]
    assert await seqs(store) == [1, 3]


async def test_write_is_stored_whole_or_not_at_all(store: Store) -> None:
    """A write of three entries is stored whole or not at all."""
    await store.save(opened())
    with pytest.raises(
        StoreConflict, match=r"UNIQUE constraint failed: entries|unique constraint \"pk_entries\""
    ):
        await store.save(Write(tables=(table(phase="playing"),), entries=log(2, 3, 1).entries))
    assert await seqs(store) == [1]
    assert [row.phase for row in await store.open_tables()] == ["lobby"]


async def test_entry_without_its_table_is_refused(store: Store) -> None:
    """An entry without its table is refused by a foreign key."""
    with pytest.raises(StoreConflict, match=r"FOREIGN KEY|foreign key"):
        await store.save(log(1))


SECRET = "271828 QS"


def secret_entry() -> EntryRow:
    """An entry with a seed that must not be logged."""
    return EntryRow("ABCD", 2, "dealt", 1.0, f'{{"seed": "{SECRET}"}}', "ann", "laptop", 7)


def logged(error: StoreError) -> str:
    """Everything that is logged of an error."""
    stream = io.StringIO()
    logs.configure("json", stream=stream)
    # A server keeps its loggers for good; a test must give them back.
    structlog.configure(cache_logger_on_first_use=False)
    structlog.get_logger().error("store_failed", exc_info=error, reason=str(error))
    assert "store_failed" in stream.getvalue()
    return stream.getvalue()


@pytest.mark.parametrize(("field", "value"), [("seq", 1), ("table", "WXYZ")])
async def test_no_value_of_a_refused_row_is_in_the_log(
    store: Store, field: str, value: Any
) -> None:
    """No value of a refused row is logged."""
    await store.save(opened())
    refused = Write(entries=(secret_entry()._replace(**{field: value}),))
    with pytest.raises(StoreConflict) as raised:
        await store.save(refused)
    assert SECRET not in logged(raised.value)


async def test_command_is_stored_once(store: Store) -> None:
    """A command that has already written an entry is refused by the database."""
    await store.save(opened("ABCD"))
    await store.save(opened("WXYZ"))
    await store.save(Write(entries=(entry(2, "ABCD", command=7),)))
    with pytest.raises(StoreConflict):
        await store.save(Write(entries=(entry(2, "WXYZ", command=7),)))
    await store.save(Write(entries=(entry(2, "WXYZ", command=8),)))


async def test_later_table_row_of_a_batch_stands(store: Store) -> None:
    """The last row of a table in a batch is stored."""
    reports = Reports(3)
    reports.of(store, "open", opened())
    reports.of(store, "start", Write(tables=(table(phase="playing", due=5.0),)))
    reports.of(store, "other", opened("WXYZ"))
    await reports.all()
    assert await store.open_tables() == [table(phase="playing", due=5.0), table("WXYZ")]


async def test_deleted_table_can_be_opened_again_in_the_same_batch(store: Store) -> None:
    """A deleted table can be opened again in one batch."""
    await store.save(opened())
    reports = Reports(3)
    reports.of(store, "more", log(2))
    reports.of(store, "delete", Write(deleted=Deletion(tables=("ABCD",))))
    reports.of(store, "again", opened())
    assert await reports.all() == [("more", None), ("delete", None), ("again", None)]
    assert await seqs(store) == [1]


async def test_batch_that_goes_on_after_a_deletion_still_deletes(store: Store) -> None:
    """A deletion counts anywhere in its batch."""
    await store.save(opened("ABCD"))
    reports = Reports(2)
    reports.of(store, "delete", Write(deleted=Deletion(tables=("ABCD",))))
    reports.of(store, "other", opened("WXYZ"))
    await reports.all()
    assert await store.load("ABCD") is None
    assert await seqs(store, "WXYZ") == [1]


async def test_what_is_too_much_is_refused_at_once(url: str) -> None:
    """A store with too many waiting writes refuses more at once."""
    store = await Store.open(url, limit=2)
    reports = Reports(3)
    reports.of(store, "open", opened())
    reports.of(store, "second", log(2))
    reports.of(store, "third", log(3))
    assert sorted(await reports.all()) == [
        ("open", None),
        ("second", None),
        ("third", StoreOverloaded.code),
    ]
    await store.save(log(3))
    await store.close()


async def test_close_commits_and_reports_what_waits(url: str) -> None:
    """`close` stores and reports everything handed in before."""
    store = await Store.open(url)
    reports = Reports(100)
    reports.of(store, "open", opened())
    for seq in range(2, 101):
        reports.of(store, str(seq), log(seq))
    await store.close()
    assert [error for _, error in reports.came] == [None] * 100
    store = await Store.open(url)
    assert await seqs(store) == list(range(1, 101))
    await store.close()


async def test_closed_store_refuses_writes(url: str) -> None:
    """A closed store refuses writes, and can be closed twice."""
    store = await Store.open(url)
    await store.close()
    await store.close()
    with pytest.raises(StoreClosed):
        await store.save(opened())


async def test_callback_that_fails_keeps_no_other_from_its_report(store: Store) -> None:
    """A failing callback does not keep the other reports of its batch back."""
    mistakes: list[object] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda loop, context: mistakes.append(context["exception"])
    )
    mistake = RuntimeError("no such connection")

    def fail(error: Exception | None) -> None:
        raise mistake

    reports = Reports(2)
    reports.of(store, "open", opened())
    store.commit(log(2), fail)
    reports.of(store, "last", log(3))
    assert await reports.all() == [("open", None), ("last", None)]
    assert mistakes == [mistake]


async def test_waiting_for_a_write_can_be_given_up(store: Store) -> None:
    """A caller that gives up waiting does not disturb the write."""
    await store.save(opened())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await store.save(log(2))
    await store.save(log(3))
    assert await seqs(store) == [1, 2, 3]


async def test_second_server_on_a_database_is_refused(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second server on a database is refused until the first one ends."""
    first = await Store.open(url)
    with monkeypatch.context() as impatient:
        impatient.setattr(ownership, "CLAIM_MILLISECONDS", 10)
        with pytest.raises(DatabaseInUse, match=r"another server uses this database"):
            await Store.open(url)
    await first.close()
    second = await Store.open(url)
    await second.close()


async def test_errors_carry_their_code() -> None:
    """Each error of the store has its stable code."""
    kinds: list[type[StoreError]] = [StoreError, *StoreError.__subclasses__()]
    assert len({kind.code for kind in kinds}) == len(kinds)
