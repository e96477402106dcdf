"""Nodes for tests: their lease times, listeners, and ways to lose a lease."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from server.store import (
    LeaseState,
    LeaseTimes,
    NodeDetails,
    NodeFenced,
    NodeRow,
    Store,
    StoreUnavailable,
    Write,
)
from tests.server.store.test_postgresql import execute

STEADY = LeaseTimes(lasts=30.0, renewal=0.05, margin=1.0, grace=0.1)
"""Of a node that keeps its lease however busy the machine is, and soon fences others."""

SHORT = LeaseTimes(lasts=0.5, renewal=0.05, margin=0.1, grace=0.1)
"""Of a node that is to lose it."""

LIMIT_SECONDS = 30.0


class Listener:
    """Records what a node was told."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        self.states: list[LeaseState] = []

    def took(self, codes: Sequence[str]) -> None:
        self.codes += codes

    def looked(self, rows: Sequence[NodeRow]) -> None:
        pass

    def lease(self, state: LeaseState) -> None:
        self.states.append(state)


async def until(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until a condition is true; fails if it never is."""
    limit = time.monotonic() + LIMIT_SECONDS
    while True:
        found = holds()
        if found if isinstance(found, bool) else await found:
            return
        assert time.monotonic() < limit, "it did not become true"
        await asyncio.sleep(0.01)


async def stored(store: Store, write: Write) -> None:
    """Store `write`, repeatedly while the database is away or the machine is busy."""
    while True:
        try:
            await store.save(write)
        except NodeFenced:
            raise
        except StoreUnavailable:
            continue
        return


@asynccontextmanager
async def opened_node(
    url: str, name: str, times: LeaseTimes = STEADY, listener: Listener | None = None
) -> AsyncIterator[Store]:
    """A node's store, closed afterwards."""
    store = await Store.open(url, node=NodeDetails(name, times=times))
    if listener is not None:
        assert store.node is not None
        store.node.listen(listener)
    try:
        yield store
    finally:
        await store.close()


async def is_over(store: Store, name: str) -> bool:
    """Whether the lease of a node is over, by the database."""
    return not any(row.lives for row in await store.nodes() if row.name == name)


async def is_drained(store: Store, *names: str) -> bool:
    """Whether the others know that these nodes take no tables."""
    return not any(row.has_tables for row in await store.nodes() if row.name in names)


async def takes(store: Store, code: str) -> bool:
    """Whether the node owns a table after trying to take it."""
    assert store.node is not None
    return await store.node.take(code) == [code]


def abandon(store: Store) -> None:
    """Stop renewing the lease without giving it back, as if the node were dead."""
    keeper = store._prepared.keeper
    assert keeper is not None
    keeper._asked.put(None)


def cut_off(store: Store) -> None:
    """Cut a node off its database: its lease is not sure, and lasts a moment."""
    abandon(store)
    keeper = store._prepared.keeper
    assert keeper is not None
    keeper._thread.join()
    keeper.lease.times = SHORT
    keeper.lease.sure_until = 0.0


def die(store: Store, url: str) -> None:
    """End the lease in the database, while the node still believes in it."""
    abandon(store)
    believe(store)
    assert store.node is not None
    execute(url, f"UPDATE nodes SET expires = 1 WHERE name = '{store.node.name}'")


def believe(store: Store) -> None:
    """Let the node believe in its lease for ever, as with a stopped clock."""
    keeper = store._prepared.keeper
    assert keeper is not None
    keeper._thread.join()
    keeper.lease.sure_until = float("inf")
