"""The event loop hears of every commit, by an event descriptor or without one."""

import asyncio
import errno
import os
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from threading import Thread

import pytest

from server.store import Store, StoreError, Write
from server.store.reporting import Reporting
from server.store.writer import Round
from tests.server.store.rows import log, opened

ABOUT = ContextVar("about", default="nothing")


@pytest.fixture(autouse=True, params=["by a descriptor", "by a socket"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways in which the loop is woken."""

    def refused(*_: int) -> int:
        raise OSError(errno.EMFILE, "too many open files")

    if request.param == "by a socket":
        monkeypatch.setattr(os, "eventfd", refused, raising=False)


def nothing(error: Exception | None) -> None:
    pass


async def test_reports_of_a_thread_come_in_order() -> None:
    """Reports of a thread come in order, also while the loop is busy."""
    heard: list[float] = []
    all_heard = asyncio.Event()

    def finish(_: Round, outcomes: Sequence[StoreError | None], number: float) -> None:
        heard.append(number)
        if number == 999:
            all_heard.set()

    reporting = Reporting(asyncio.get_running_loop(), finish)

    def report() -> None:
        for number in range(1000):
            reporting.report(Round(Write(), nothing), [None], number)

    thread = Thread(target=report)
    thread.start()
    await asyncio.wait_for(all_heard.wait(), 60)
    thread.join()
    reporting.close()
    assert heard == list(range(1000))


async def test_closing_a_store_reports_all_that_waits(tmp_path: Path) -> None:
    """Closing a store reports all waiting writes."""
    store = await Store.open(f"sqlite:///{tmp_path / 'cards.sqlite3'}")
    await store.save(opened())
    heard: list[Exception | None] = []
    for seq in range(2, 102):
        store.commit(log(seq), heard.append)
    await store.close()
    await asyncio.sleep(0)
    assert heard == [None] * 100
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


def test_a_loop_that_is_closed_hears_nothing_more() -> None:
    """A closed loop hears nothing more, and the thread ends."""
    heard: list[float] = []

    async def begin() -> Reporting:
        return Reporting(
            asyncio.get_running_loop(), lambda _round, _outcomes, seconds: heard.append(seconds)
        )

    reporting = asyncio.run(begin())
    ended: list[bool] = []

    def report() -> None:
        reporting.report(Round(Write(), nothing), [None], 1.0)
        ended.append(True)

    thread = Thread(target=report)
    thread.start()
    thread.join()
    assert ended
    assert not heard
