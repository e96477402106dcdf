"""A node whose PostgreSQL is replaced by its standby, which has all that was acknowledged."""

import asyncio
import os
import signal
from pathlib import Path

import psycopg
import pytest

from server.store import DatabaseInUse, Store
from tests.counts import NIGHT
from tests.failover import running_pair
from tests.postgres import Cluster
from tests.server.store.nodes import opened_node, stored, until
from tests.server.store.rows import log, opened
from tests.server.store.test_writes import seqs

pytestmark = pytest.mark.skipif(not NIGHT, reason="two servers of PostgreSQL: by night")

BURNT = 2000


def burn(primary: Cluster) -> None:
    """Begin transactions that change nothing, known to this server only."""
    url = primary.url("postgres", driver="postgresql")
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(BURNT):
            connection.execute("BEGIN")
            connection.execute("SELECT pg_current_xact_id()")
            connection.execute("ROLLBACK")


async def test_nodes_hear_of_tables_by_a_server_that_counts_from_where_it_was(
    tmp_path: Path,
) -> None:
    """Nodes hear of tables by a standby that reuses transaction numbers of the primary."""
    with running_pair(tmp_path) as pair:
        primary, standby = pair
        async with opened_node(pair.url, "a") as first, opened_node(pair.url, "b") as second:
            await first.save(opened("AAAA"))
            sender = primary.ask("SELECT pid FROM pg_stat_replication")
            assert isinstance(sender, int)
            os.kill(sender, signal.SIGSTOP)
            burn(primary)
            since = (await second.changed_since(0)).since
            primary.kill()
            standby.promote()
            await stored(first, opened("BBBB"))

            async def is_told() -> bool:
                found = await second.changed_since(since)
                return "BBBB" in {table.row.code for table in found.tables}

            await until(is_told)


async def test_a_server_alone_goes_on_at_the_standby(tmp_path: Path) -> None:
    """A single server goes on at the standby, after looking up its last commit."""
    with running_pair(tmp_path) as pair:
        store = await Store.open(pair.url)
        await store.save(opened())
        loop = asyncio.get_running_loop()
        writing = [loop.create_task(stored(store, log(seq))) for seq in range(2, 40)]
        await writing[0]
        await asyncio.to_thread(pair.primary.kill)
        await asyncio.to_thread(pair.standby.promote)
        await asyncio.gather(*writing)
        await stored(store, log(40))
        assert sorted(await seqs(store)) == [*range(1, 41)]
        with pytest.raises(DatabaseInUse):
            await Store.open(pair.url)
        await store.close()
