"""Nodes that share a database: who owns, takes over and may write a table."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import make_url, text
from structlog.typing import EventDict

from server.rendezvous import heir
from server.store import (
    BadDatabase,
    DatabaseInUse,
    DatabaseLost,
    Deletion,
    EntryRow,
    GivenTable,
    LeaseState,
    LeaseTimes,
    NodeDetails,
    NodeFenced,
    NotOwner,
    Owner,
    Store,
    StoreClosed,
    StoreConflict,
    StoreUnavailable,
    Write,
)
from server.store.database import database_url, upgrade
from server.store.lease import Lease, moment
from server.store.outage_log import MOST_REASONS
from tests.postgres import Cluster
from tests.server.store.nodes import (
    LIMIT_SECONDS,
    SHORT,
    STEADY,
    Listener,
    abandon,
    believe,
    die,
    is_drained,
    is_over,
    opened_node,
    stored,
    takes,
    until,
)
from tests.server.store.rows import entry, log, opened, table
from tests.server.store.test_postgresql import break_off, execute, lose_answer
from tests.server.store.test_writes import seqs

__all__ = ["lose_answer"]  # a fixture


@pytest.fixture(scope="module")
def empty(postgresql: Cluster) -> Iterator[str]:
    """The name of a database with the schema, shared because creating one is slow."""
    with postgresql.database() as url:
        upgrade(database_url(url), lambda: None)
        yield str(make_url(url).database)


@pytest.fixture
def url(postgresql: Cluster, empty: str) -> Iterator[str]:
    """The URL of a database of the test's own, with the schema."""
    with postgresql.database(empty) as found:
        yield found


def giving(to: str, *entries: int, code: str = "ABCD") -> Write:
    """The write that ends a node's part of a table's log."""
    return log(*entries, code=code)._replace(deleted=Deletion(given=(GivenTable(code, to),)))


def test_a_lease_is_sure_for_less_than_it_lasts() -> None:
    """A lease is sure from before its renewal was sent, and ends for good."""
    now = 100.0
    lease = Lease("a", LeaseTimes(lasts=2.5, margin=0.25), clock=lambda: now)
    lease.renewed(99.0)
    lease.check()
    now = 99.0 + 2.25
    assert lease.state is LeaseState.UNSURE
    with pytest.raises(StoreUnavailable, match="not renewed in time"):
        lease.check()
    lease.renewed(now)
    lease.check()
    ends = []
    lease.on_end = lambda: ends.append(lease.state)
    lease.fence("another node has taken over")
    lease.fence("it has given its lease back")
    lease.renewed(now)
    assert (lease.state, ends) == (LeaseState.OVER, [LeaseState.OVER])
    with pytest.raises(NodeFenced, match="another node has taken over; it stores nothing"):
        lease.check()


def test_tables_move_only_where_nodes_come_or_go() -> None:
    """Nodes that agree on who lives agree on who takes a table, nearly evenly."""
    codes = [f"T{number}" for number in range(300)]
    before = {code: heir(code, ("a", "b", "c")) for code in codes}
    after = {code: heir(code, ("c", "a")) for code in codes}
    assert {code for code in codes if before[code] != after[code]} == {
        code for code in codes if before[code] == "b"
    }
    assert all(60 < sum(name == one for name in before.values()) < 140 for one in "abc")


async def test_nodes_cannot_share_a_file(tmp_path: Path) -> None:
    """Nodes cannot share a file."""
    url = f"sqlite:///{tmp_path / 'cards.sqlite3'}"
    with pytest.raises(BadDatabase, match="share a database in PostgreSQL, but no file"):
        await Store.open(url, node=NodeDetails("a"))


async def test_a_node_writes_to_its_own_tables(url: str) -> None:
    """A node writes to its own tables only; another's write is refused alone."""
    async with opened_node(url, "a") as first, opened_node(url, "b") as second:
        await first.save(opened())
        await second.save(opened("EFGH"))
        outcomes = await asyncio.gather(
            *(second.save(log(2, code=code)) for code in ("EFGH", "ABCD", "NONE")),
            second.save(Write(tables=(table("ABCD", phase="closed"),))),
            second.save(giving("a")),
            return_exceptions=True,
        )
        kinds = [type(outcome) for outcome in outcomes]
        assert kinds == [type(None), NotOwner, NotOwner, NotOwner, NotOwner]
        assert await seqs(first) == [1]
        assert [row.phase for row in await first.open_tables()] == ["lobby", "lobby"]
        assert await first.owner("ABCD") == Owner("a", lives=True)
        assert await first.owner("NONE") is None
        assert first.node is not None
        assert (first.node.owns("ABCD"), first.node.owns("EFGH")) == (True, False)
        assert await first.node.take("ABCD", "EFGH", "NONE") == ["ABCD"]
        assert [(row.name, row.epoch, row.lives) for row in await second.nodes()] == [
            ("a", 1, True),
            ("b", 1, True),
        ]


async def test_a_table_goes_over_with_the_last_entry_of_its_owner(url: str) -> None:
    """A table changes its owner with the owner's last entry, or not at all."""
    async with opened_node(url, "a") as first, opened_node(url, "b") as second:
        await first.save(opened())
        with pytest.raises(StoreConflict):
            await first.save(giving("b", 1))
        outcomes = await asyncio.gather(
            first.save(log(2)),
            first.save(giving("b", 3)),
            first.save(log(4)),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), type(None), NotOwner]
        assert await first.owner("ABCD") == Owner("b", lives=True)
        assert second.node is not None
        assert await second.node.take("ABCD") == ["ABCD"]
        await second.save(log(4))
        await second.save(giving("nobody", 5))
        assert await first.owner("ABCD") == Owner("", lives=False)
        assert first.node is not None
        assert await first.node.take("ABCD") == ["ABCD"]
        await first.save(log(6))
        assert await seqs(first) == [1, 2, 3, 4, 5, 6]


async def test_a_node_that_is_given_a_table_finds_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node finds a table given to it, even untold."""
    monkeypatch.setattr("server.store.lease_keeper.SCAN_SECONDS", 0.1)
    listener = Listener()
    async with opened_node(url, "a") as first, opened_node(url, "b", listener=listener) as second:
        await first.save(opened())
        await first.save(giving("b", 2))
        await until(lambda: listener.codes == ["ABCD"])
        await second.save(log(3))


async def test_a_dead_nodes_tables_are_spread_over_the_living(url: str) -> None:
    """The tables of a dead node are spread over the living, and its writes refused."""
    codes = [f"T{number}" for number in range(40)]
    second, third = Listener(), Listener()
    async with (
        opened_node(url, "a") as first,
        opened_node(url, "b", listener=second),
        opened_node(url, "c", listener=third) as last,
    ):
        for code in codes:
            await first.save(opened(code))
        await first.save(Write(tables=(table("T0", phase="closed"),)))
        die(first, url)
        await until(lambda: len(second.codes) + len(third.codes) == len(codes) - 1)
        assert sorted(second.codes + third.codes) == sorted(codes[1:])
        assert third.codes == [code for code in third.codes if heir(code, "bc") == "c"]
        with pytest.raises(NodeFenced, match="another node has taken over"):
            await first.save(log(2, code="T1"))
        mine = third.codes[0]
        await last.save(log(2, code=mine))
        assert await seqs(last, mine) == [1, 2]


async def test_a_node_is_told_that_its_lease_is_not_sure_or_over(url: str) -> None:
    """A node is told that its lease is not sure, then over, and stores nothing meanwhile."""
    listener = Listener()
    async with opened_node(url, "a", SHORT, listener) as store:
        await stored(store, opened())
        abandon(store)
        await until(lambda: listener.states[-1:] == [LeaseState.UNSURE])
        with pytest.raises(StoreUnavailable, match="not renewed in time"):
            await store.save(log(2))
        with pytest.raises(StoreUnavailable):
            await store.ping()
        believe(store)
        await until(lambda: is_over(store, "a"))
        with pytest.raises(StoreUnavailable, match="its lease has run out"):
            await store.save(log(2))
        execute(url, "UPDATE nodes SET epoch = epoch + 1")
        with pytest.raises(NodeFenced) as raised:
            await store.save(log(2))
        assert raised.value.code == "node_fenced"
        await until(lambda: listener.states[-1] is LeaseState.OVER)
        assert await seqs(store) == [1]


async def test_a_node_that_was_fenced_learns_it_by_its_next_renewal(url: str) -> None:
    """A fenced node learns it by its next renewal, takes no tables, and can begin anew."""
    listener = Listener()
    async with opened_node(url, "a", listener=listener) as store:
        execute(url, "UPDATE nodes SET epoch = epoch + 1, expires = 0")
        await until(lambda: listener.states == [LeaseState.OVER])
        assert store.node is not None
        with pytest.raises(NodeFenced):
            await store.node.take("ABCD")
        async with opened_node(url, "a") as again:
            await again.save(opened())


async def test_a_node_that_ends_gives_its_tables_up_at_once(url: str) -> None:
    """A node that ends gives its tables up at once."""
    listener, drained = Listener(), Listener()
    async with AsyncExitStack() as rest:
        async with opened_node(url, "a") as first:
            last = await rest.enter_async_context(opened_node(url, "b", listener=drained))
            assert last.node is not None
            last.node.stop_taking()
            await first.save(opened())
            await until(lambda: is_drained(last, "b"))
            third = await rest.enter_async_context(opened_node(url, "c", listener=listener))
        await until(lambda: listener.codes == ["ABCD"])
        assert drained.codes == []
        # Nobody else is left.
        await third.close()
        await until(lambda: drained.codes == ["ABCD"])


async def test_two_nodes_want_the_same_tables(url: str) -> None:
    """Of two nodes that want a table one gets it, once its owner is dead."""
    codes = [f"T{number}" for number in range(20)]
    async with (
        opened_node(url, "a") as first,
        opened_node(url, "b") as second,
        opened_node(url, "c") as third,
    ):
        assert second.node is not None
        assert third.node is not None
        second.node.stop_taking()
        third.node.stop_taking()
        await until(lambda: is_drained(second, "b", "c"))
        await asyncio.gather(*(first.save(opened(code)) for code in codes))
        die(first, url)
        found: dict[str, list[str]] = {"b": [], "c": []}
        while len(found["b"] + found["c"]) < len(codes):
            taken = await asyncio.gather(second.node.take(*codes), third.node.take(*codes))
            found = dict(zip("bc", taken, strict=True))
        assert sorted(found["b"] + found["c"]) == sorted(codes)
        for name, store in (("b", second), ("c", third)):
            await asyncio.gather(*(store.save(log(2, code=code)) for code in found[name]))


async def test_a_server_by_itself_and_nodes_exclude_each_other(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single server and nodes exclude each other, and a node that stopped is fenced."""
    monkeypatch.setattr("server.store.lease_keeper.CLAIM_SECONDS", 0.0)
    async with opened_node(url, "a") as first:
        await first.save(opened())
        with pytest.raises(DatabaseInUse, match="used by a, nodes of a cluster; stop them"):
            await Store.open(url)
        with pytest.raises(DatabaseInUse, match="another process is the node a"):
            await Store.open(url, node=NodeDetails("a", times=SHORT))
        die(first, url)
        alone = await Store.open(url)
        with pytest.raises(NodeFenced):
            await first.save(log(2))
        await alone.save(log(2))
    soon = text("SET LOCAL lock_timeout = 10")
    monkeypatch.setattr("server.store.lease_rows._PATIENCE", soon)
    with pytest.raises(DatabaseInUse, match="a server that is no node uses this database"):
        await Store.open(url, node=NodeDetails("b"))
    break_off(url)
    monkeypatch.undo()
    async with opened_node(url, "b") as other:
        assert other.node is not None
        await until(lambda: other.node is not None and other.node.owns("ABCD"))
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await alone.save(log(3))
        with pytest.raises(DatabaseLost, match="another server has taken over"):
            await alone.save(log(3))
        await other.save(log(3))
    await alone.close()


async def test_a_node_that_stands_still_in_its_upgrade_keeps_nobody_out(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node stopped in its upgrade loses its session and lock."""
    stopped, goes_on = Event(), Event()

    def stand_still(*rest: object) -> None:
        stopped.set()
        assert goes_on.wait(LIMIT_SECONDS)

    monkeypatch.setattr("server.store.ownership.UPGRADE_IDLE_MILLISECONDS", 100)

    async def begin() -> None:
        with pytest.raises(StoreUnavailable):
            await Store.open(url, node=NodeDetails("a", times=STEADY))

    async with asyncio.TaskGroup() as tasks:
        with monkeypatch.context() as patch:
            patch.setattr("server.store.lease_rows.migrate", stand_still)
            first = tasks.create_task(begin())
            await until(stopped.is_set)
        async with opened_node(url, "b") as second:
            await second.save(opened())
            goes_on.set()
            await first
            await second.save(log(2))


@pytest.mark.parametrize("arrives", [True, False])
async def test_what_became_of_a_nodes_commit_is_looked_up(
    url: str, lose_answer: Callable[[bool], Event], arrives: bool
) -> None:
    """The outcome of a node's uncertain commit is looked up."""
    async with opened_node(url, "a") as first, opened_node(url, "b") as second:
        await first.save(opened())
        first_of_all = opened("EFGH")._replace(deleted=Deletion(given=(GivenTable("ABCD", "b"),)))
        # The next commit is the writer's, not a renewal's.
        for store in (first, second):
            abandon(store)
            believe(store)
        lose_answer(arrives)
        if arrives:
            await first.save(first_of_all)
        else:
            with pytest.raises(StoreUnavailable, match="the connection is lost"):
                await first.save(first_of_all)
        assert first.node is not None
        assert (first.node.owns("ABCD"), first.node.owns("EFGH")) == (not arrives, arrives)
        await first.save(log(2, code="EFGH" if arrives else "ABCD"))


@pytest.mark.parametrize("statement", ["identity = 'x'", "commits = commits - 1"])
async def test_a_node_does_not_go_on_with_a_database_that_went_back(
    url: str, statement: str
) -> None:
    """A node does not continue with a database that was reset."""
    async with opened_node(url, "a") as store:
        await store.save(opened())
        abandon(store)
        believe(store)
        row = "database_info" if "identity" in statement else "nodes"
        execute(url, f"UPDATE {row} SET {statement}")
        break_off(url)
        with pytest.raises(StoreUnavailable):
            await store.save(log(2))
        with pytest.raises(NodeFenced, match=r"replaced|lacks what was stored last \(1 commits\)"):
            await store.save(log(2))


async def test_nodes_go_on_after_the_database_was_killed(
    url: str, postgresql: Cluster, log_events: list[EventDict]
) -> None:
    """After the database was killed nodes go on, and nobody takes others' tables.

    Each node logs a few lines of it, and how long it was, however often it has tried.
    """
    times = SHORT._replace(grace=5.0)
    listeners = Listener(), Listener()
    async with (
        opened_node(url, "a", times, listeners[0]) as first,
        opened_node(url, "b", times, listeners[1]) as second,
    ):
        await stored(first, opened())
        await stored(second, opened("EFGH"))
        postgresql.kill()
        try:
            await until(lambda: all(LeaseState.UNSURE in one.states for one in listeners))
            assert first.node is not None
            unsure = first.node.lease.sure_until
            await until(lambda: moment() > unsure + 2 * times.lasts)
        finally:
            postgresql.start()
        for store, code in ((first, "ABCD"), (second, "EFGH")):
            await stored(store, log(2, code=code))
        await until(lambda: len(told(log_events, "lease_renewed_again")) == 2)
        for name in ("a", "b"):
            (again,) = told(log_events, "lease_renewed_again", name)
            assert again["seconds"] > 2 * times.lasts - times.renewal
            assert again["count"] > len(told(log_events, "lease_round_failed", name))
            reasons = [each["reason"] for each in told(log_events, "lease_round_failed", name)]
            assert 1 <= len(reasons) == len(set(reasons)) <= MOST_REASONS
        assert [one.codes for one in listeners] == [[], []]
        assert await seqs(first) == [1, 2]


def told(log_events: list[EventDict], event: str, node: str = "") -> list[EventDict]:
    """What was logged of this kind, by one node or all."""
    return [one for one in log_events if one["event"] == event and one["node"] in (node or "ab")]


@pytest.mark.parametrize("wrong_by", [-86_400.0, 86_400.0])
async def test_the_clock_of_a_node_may_be_wrong(
    url: str, monkeypatch: pytest.MonkeyPatch, wrong_by: float
) -> None:
    """A wrong clock of a node does not matter: leases follow the database's clock."""
    right, right_gettime = time.time, time.clock_gettime
    async with opened_node(url, "a") as first:
        await first.save(opened())
        with monkeypatch.context() as patch:
            patch.setattr(time, "time", lambda: right() + wrong_by)
            patch.setattr(
                "server.store.lease.moment",
                lambda: right_gettime(time.CLOCK_MONOTONIC) + wrong_by,
            )
            listener = Listener()
            async with opened_node(url, "b", STEADY, listener) as second:
                await second.save(opened("EFGH"))
                rounds = await renewals(second, 5)
                assert rounds == sorted(rounds)
                assert [row.lives for row in await second.nodes()] == [True, True]
                await second.save(log(2, code="EFGH"))
                await first.save(log(2))
                assert (listener.codes, listener.states) == ([], [])


async def renewals(store: Store, times: int) -> list[float]:
    """The ends of node b's lease after each of some renewals."""
    found: list[float] = []
    while len(found) < times:
        (expires,) = [row.expires for row in await store.nodes() if row.name == "b"]
        if expires not in found:
            found.append(expires)
    return found


async def test_a_lease_from_before_the_databases_clock_was_put_back_is_over(url: str) -> None:
    """If the database's clock is put back, older leases are over."""
    listener = Listener()
    async with opened_node(url, "a") as first:
        await first.save(opened())
        abandon(first)
        believe(first)
        execute(url, "UPDATE nodes SET expires = expires + 86400")
        with pytest.raises(StoreUnavailable, match="its lease has run out"):
            await first.save(log(2))
        async with opened_node(url, "b", listener=listener) as second:
            await until(lambda: listener.codes == ["ABCD"])
            await second.save(log(2))
            with pytest.raises(NodeFenced):
                await first.save(log(2))


@pytest.mark.parametrize("name", ["a", "b"])
async def test_a_log_has_no_entry_of_a_node_that_lost_its_table(url: str, name: str) -> None:
    """A log has no entry of a node that lost its table, even to a namesake."""
    async with opened_node(url, "a") as first:
        await first.save(opened())
        die(first, url)
        async with opened_node(url, name) as second:
            await until(lambda: takes(second, "ABCD"))
            mine: EntryRow = entry(2)._replace(body='{"by": "the owner"}')
            outcomes = await asyncio.gather(
                first.save(log(2)),
                second.save(Write(entries=(mine,))),
                return_exceptions=True,
            )
            assert [type(outcome) for outcome in outcomes] == [NodeFenced, type(None)]
            assert await second.entries("ABCD", 1) == [mine]


async def test_who_wants_tables_may_give_up(url: str) -> None:
    """A taker may give up, and whoever waits at the end is answered."""
    async with opened_node(url, "a") as store:
        node = store.node
        assert node is not None
        given_up = [asyncio.get_running_loop().create_task(node.take("ABCD")) for _ in range(5)]
        await asyncio.sleep(0)
        for each in given_up:
            each.cancel()
        assert await node.take("ABCD") == []
        (row,) = await store.nodes()
        await until(lambda: renewed_since(store, row.expires))
    with pytest.raises(StoreClosed):
        await node.take("ABCD")


async def renewed_since(store: Store, expires: float) -> bool:
    """Whether the only node has renewed its lease since that end."""
    (row,) = await store.nodes()
    return row.expires > expires
