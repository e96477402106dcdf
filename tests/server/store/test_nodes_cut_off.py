"""Nodes that stop or lose the network, and continue when others have their tables."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, text

from server.store import LeaseState, NodeDetails, Store, StoreUnavailable, Write
from server.store.database import open_engine
from server.store.postgresql import (
    ANSWER_SECONDS,
    LEASE_LIMITS,
    NODE_LIMITS,
    BoundedConnection,
)
from tests.e2e.proxy import proxy
from tests.server.store.databases import on_postgresql
from tests.server.store.nodes import SHORT, Listener, opened_node, stored, until
from tests.server.store.rows import entry, log, opened
from tests.server.store.test_writes import seqs

pytestmark = on_postgresql
ROOT = Path(__file__).parents[3]


def is_stopped(pid: int) -> bool:
    """Whether a process is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def by_b(seq: int) -> Write:
    """An entry that only the second node writes."""
    return Write(entries=(entry(seq)._replace(body='{"by": "b"}'),))


@pytest.mark.parametrize("where", ["inside", "outside"])
async def test_a_node_that_was_stopped_writes_nothing_when_it_goes_on(url: str, where: str) -> None:
    """A stopped node writes nothing when it continues, and acknowledged entries stay."""
    listener = Listener()
    words = (sys.executable, "-m", "tests.server.store.node_process", url, where)
    process = await asyncio.create_subprocess_exec(*words, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        said = [(await process.stdout.readline()).decode() for _ in range(2)]
        if where == "outside":
            process.send_signal(signal.SIGSTOP)
        await until(lambda: is_stopped(process.pid))
        # Not before: on a busy machine it might take the first one for dead.
        async with opened_node(url, "b", listener=listener) as second:
            await until(lambda: listener.codes == ["ABCD"])
            before = len(await seqs(second))
            await second.save(by_b(before + 1))
            os.kill(process.pid, signal.SIGCONT)
            said += (await process.stdout.read()).decode().splitlines(keepends=True)
            assert await process.wait() == 0
            await second.save(by_b(before + 2))
            rows = await second.entries("ABCD", before)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    assert said[-1] == "refused node_fenced\n"
    acknowledged = [int(line.split()[1]) for line in said if line.startswith("stored")]
    assert acknowledged == list(range(1, len(acknowledged) + 1))
    assert len(acknowledged) <= before
    assert [row.body for row in rows] == ['{"by": "b"}'] * 2


async def test_a_node_without_a_network_is_fenced(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node without network is fenced, and its delayed writes are refused."""
    monkeypatch.setattr("server.store.lease_keeper.LEASE_LIMITS", LEASE_LIMITS._replace(answer=0.3))
    monkeypatch.setattr("server.store.node_writes.NODE_LIMITS", NODE_LIMITS._replace(answer=0.3))
    port = make_url(url).port
    assert port is not None
    first, second = Listener(), Listener()
    async with proxy(port) as network:
        through = make_url(url).set(port=make_url(network.url).port)
        there = through.render_as_string(hide_password=False)
        store = await Store.open(there, node=NodeDetails("a", times=SHORT))
        assert store.node is not None
        store.node.listen(first)
        await stored(store, opened())
        network.drop()
        writing = asyncio.gather(*(store.save(log(seq)) for seq in (2, 3)), return_exceptions=True)
        async with opened_node(url, "b", listener=second) as other:
            await until(lambda: LeaseState.UNSURE in first.states)
            await until(lambda: second.codes == ["ABCD"])
            await other.save(by_b(2))
            network.reopen()
            network.thaw()
            assert all(isinstance(outcome, StoreUnavailable) for outcome in await writing)
            await until(lambda: first.states[-1] is LeaseState.OVER)
            await store.close()
            assert [row.body for row in await other.entries("ABCD", 1)] == ['{"by": "b"}']


def test_a_short_limit_holds_once_a_connection_is_ready(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The short limit holds once a connection is ready, not for SQLAlchemy's first queries."""
    limits: list[float | None] = []
    wait = BoundedConnection.wait

    def noted(self: BoundedConnection, *given: Any) -> Any:
        limits.append(self.answer_seconds)
        return wait(self, *given)

    monkeypatch.setattr(BoundedConnection, "wait", noted)
    engine = open_engine(make_url(url), writes=True, limits=LEASE_LIMITS)
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    assert {*limits} == {ANSWER_SECONDS, LEASE_LIMITS.answer}
    assert limits == sorted(limits, key=lambda limit: limit != ANSWER_SECONDS)
