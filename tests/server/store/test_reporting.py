"""The event loop hears of every commit."""

import asyncio
from contextvars import ContextVar
from pathlib import Path

from server.store import Store, Write
from server.store.writer import Round
from tests.server.store.rows import log, opened

ABOUT = ContextVar("about", default="nothing")


async def test_closing_a_store_reports_all_that_waits(tmp_path: Path) -> None:
    """Closing a store reports all waiting writes, in order."""
    store = await Store.open(f"sqlite:///{tmp_path / 'cards.sqlite3'}")
    await store.save(opened())
    heard: list[tuple[int, Exception | None]] = []
    for seq in range(2, 102):
        store.commit(log(seq), lambda error, seq=seq: heard.append((seq, error)))  # type: ignore[misc] # its default
    await store.close()
    await asyncio.sleep(0)
    assert heard == [(seq, None) for seq in range(2, 102)]
    assert store.waiting == 0


async def test_a_report_is_not_about_what_opened_the_store(tmp_path: Path) -> None:
    """A report does not run in the context that opened the store."""
    token = ABOUT.set("the start")
    store = await Store.open(f"sqlite:///{tmp_path / 'cards.sqlite3'}")
    heard: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    store.commit(opened(), lambda _: heard.set_result(ABOUT.get()))
    assert await asyncio.wait_for(heard, 60) == "nothing"
    await store.close()
    ABOUT.reset(token)


def test_a_loop_that_is_closed_hears_nothing_more(tmp_path: Path) -> None:
    """A report to a closed loop is dropped, so that the thread can end."""
    heard: list[Exception | None] = []
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(f"sqlite:///{tmp_path / 'cards.sqlite3'}"))
        runner.run(store.close())
    store._report(Round(Write(), heard.append), [None], 1.0)
    assert not heard
