"""How soon the tables of a node that died are another's, and what its lease costs a commit."""

import asyncio
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from random import Random
from time import perf_counter, sleep
from typing import Any

from structlog.testing import capture_logs

from bench.connection import run
from bench.figures import Figure, Unmeasured, at_most, percentile
from bench.postgresql import programs, running
from server.store import EntryRow, LeaseState, LeaseTimes, Node, Store, TableRow, Write

TABLES = 1000
DEATHS = 20
TURNS = 60
ROWS = (1, 500)
"""Entries in a commit: of a calm server, and of a busy one."""
MOST_SECONDS = LeaseTimes().lasts + 2.0
MOST = 1.2
"""How much longer a commit of many rows may take with the lease than without."""

BODY = '{"seat":2,"action":"play QS","by":"player"}'


class Heir:
    """Hears when the tables are there."""

    def __init__(self) -> None:
        self.tables = 0
        self.complete = asyncio.Event()

    def took(self, codes: Sequence[str]) -> None:
        """Count the tables."""
        self.tables += len(codes)
        if self.tables >= TABLES:
            self.complete.set()

    def lease(self, state: LeaseState) -> None:
        """Nothing: the heir goes on."""


def measure() -> Iterator[Figure | Unmeasured]:
    """Seconds from the death of a node until another one has its thousand tables, and the cost."""
    found = programs()
    if found is None or find_spec("psycopg") is None:
        yield Unmeasured("failover", "needs PostgreSQL and blackqueen[postgres]")
        return
    with running(found) as url:
        # The nodes are in this process, and their log would be among the figures.
        with capture_logs():
            took = run(_deaths(url))
        yield Figure("failover.p50", percentile(took, 0.5), "s", at_most(MOST_SECONDS))
        yield Figure("failover.worst", max(took), "s")
        for rows in ROWS:
            with_lease, without = _commits(url, rows)
            limit = at_most(MOST) if rows > 1 else None
            yield Figure(f"failover.commit{rows}", with_lease / without, "× no lease", limit)


async def _deaths(url: str) -> list[float]:
    """The seconds of each takeover; the node dies at any moment between two renewals."""
    store = await Store.open(url, node=Node("0"))
    row = TableRow("", "hearts", 1, False, "playing", None, 1, 0.0, BODY)
    tables = [row._replace(code=f"T{number}") for number in range(TABLES)]
    await store.save(Write(tables=tuple(tables)))
    took: list[float] = []
    moments = Random(1)
    for number in range(1, DEATHS + 1):
        heir = Heir()
        following = await Store.open(url, node=Node(str(number)), listener=heir)
        # Only a node that has renewed its lease for a while fences others.
        await asyncio.sleep(LeaseTimes().grace + moments.random())
        keeper = store._prepared.keeper
        assert keeper is not None
        began = perf_counter()
        # It renews no more, and gives nothing back.
        keeper._asked.put(None)
        await heir.complete.wait()
        took.append(perf_counter() - began)
        await store.close()
        store = following
    await store.close()
    return took


def _commits(url: str, rows: int) -> tuple[float, float]:
    """The median seconds of a commit with and without the statement that fences, in turns."""
    import psycopg

    from server.store.node_writes import COUNT

    with psycopg.connect(url) as connection:
        connection.prepared_max = 512
        connection.execute("UPDATE nodes SET epoch = 1, expires = 0")
        connection.execute(
            "INSERT INTO nodes VALUES ('x', 1, 0, 0, true, '', 0) ON CONFLICT DO NOTHING"
        )
        connection.commit()
        took: dict[bool, list[float]] = {True: [], False: []}
        last = 2 + 1_000_000 * rows
        for _ in range(TURNS):
            connection.execute(
                "UPDATE nodes SET expires = EXTRACT(epoch FROM clock_timestamp()) + 30"
                " WHERE name = 'x'"
            )
            connection.commit()
            for fenced in took:
                entries = [
                    EntryRow("T1", last + at, "act", 1.7e9, BODY, "p" * 16, "laptop", last + at)
                    for at in range(rows)
                ]
                last += rows
                sleep(0.005)
                began = perf_counter()
                if fenced:
                    connection.execute(COUNT, ("x", 1))
                connection.execute(_insert(rows), [value for entry in entries for value in entry])
                connection.commit()
                took[fenced].append(perf_counter() - began)
    return percentile(took[True], 0.5), percentile(took[False], 0.5)


def _insert(rows: int) -> Any:  # psycopg asks for a literal, against injections
    return f"INSERT INTO entries VALUES {', '.join(['(%s, %s, %s, %s, %s, %s, %s, %s)'] * rows)}"
