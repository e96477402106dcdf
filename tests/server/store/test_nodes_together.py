"""Nodes that share rows: deadlocks are retried, and closed tables have no owner."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from server.store import PlayerRow, Store, StoreClosed, Write
from server.store.inserts import write_all
from tests.postgres import Cluster
from tests.server.store.nodes import opened_node
from tests.server.store.rows import log, opened, table
from tests.server.store.test_postgresql import execute


@pytest.fixture
def url(postgresql: Cluster) -> Iterator[str]:
    """The URL of a database of the test's own."""
    with postgresql.database() as found:
        yield found


def deadlock_once(url: str, rows: str) -> None:
    """Refuse the next transaction that changes such `rows` as a deadlock."""
    execute(url, "CREATE SEQUENCE changes")
    execute(
        url,
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " IF nextval('changes') = 1 THEN RAISE EXCEPTION 'waits' USING ERRCODE = '40P01'; END IF;"
        " RETURN NEW; END $$",
    )
    execute(
        url,
        f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {rows} FOR EACH ROW"
        " EXECUTE FUNCTION refuse()",
    )


def player(id: str) -> PlayerRow:
    return PlayerRow(id, f"Player {id}", f"token {id}", 1000.0)


async def test_a_transaction_that_another_waits_for_in_turn_is_tried_again(url: str) -> None:
    """A transaction in a deadlock is retried, and its writes are stored once."""
    async with opened_node(url, "a") as store:
        await store.save(opened())
        deadlock_once(url, "players")
        await store.save(log(2)._replace(players=(player("ann"),)))
        assert [row.seq for row in await store.entries("ABCD", 0)] == [1, 2]
        assert await store.player("ann") == player("ann")


async def test_a_start_waits_for_the_last_transaction_of_its_former_process(url: str) -> None:
    """A start waits for the last transaction of the node's earlier process."""
    async with opened_node(url, "a"):
        pass
    deadlock_once(url, "nodes")
    async with opened_node(url, "a") as again:
        await again.save(opened())


def test_all_nodes_write_players_in_the_same_order() -> None:
    """All nodes write players in one order, so that they do not wait for each other."""
    written: list[tuple[object, ...]] = []

    class Recorded:
        mark = "?"

        def execute(self, statement: str, values: tuple[object, ...]) -> None:
            written.append(values)

    transaction: Any = Recorded()  # the two things of a transaction that are used here
    write_all(transaction, [Write(players=(player(id),)) for id in ("cem", "ann", "bea")])
    assert written == [(*player("ann"), *player("bea"), *player("cem"))]


async def test_a_closed_table_is_owned_no_more(url: str) -> None:
    """A closed table has no owner, so a node's memory does not grow."""
    async with opened_node(url, "a") as store:
        assert store.node is not None
        await store.save(opened())
        closing = log(2)._replace(tables=(table(phase="closed"),))
        await asyncio.gather(store.save(closing), store.save(opened("EFGH")))
        assert (store.node.owns("ABCD"), store.node.owns("EFGH")) == (False, True)
        assert await store.node.take("ABCD", "EFGH") == ["EFGH"]


async def test_whoever_asks_for_tables_while_the_store_closes_is_answered(url: str) -> None:
    """Requests for tables while the store closes are answered."""
    async with opened_node(url, "a") as store:
        await store.save(opened())
        outcomes = await asyncio.gather(_asks(store), store.close())
    assert outcomes[0] is StoreClosed


async def _asks(store: Store) -> type[Exception]:
    assert store.node is not None
    while True:
        try:
            assert await store.node.take("ABCD") == ["ABCD"]
        except StoreClosed as error:
            return type(error)
