"""Causes faults of nodes that need preparation, and says how long other faults last."""

import asyncio
import signal
from time import monotonic, sleep

import psycopg

from tests.counts import NIGHT
from tests.e2e.played_table import PlayedTable
from tests.e2e.program import SECONDS, Program

STILL_SECONDS = 1.0
"""How long a database stands still."""
AWAY_SECONDS = 12.0 if NIGHT else 0.0
"""How long a database is away that was killed; by night four times a lease."""


async def stop_in_a_transaction(program: Program, url: str, tables: list[PlayedTable]) -> None:
    """Stop a node that has locked its row and has written a move but not committed it.

    Moves are allowed at the `tables` until the node is in such a transaction.
    """
    plain = url.replace("+psycopg", "")
    with psycopg.connect(plain) as blocking, psycopg.connect(plain, autocommit=True) as asking:
        # Nodes count a transaction in their row first, and then wait to write the entry.
        blocking.execute("LOCK TABLE entries IN SHARE MODE")
        async with asyncio.timeout(SECONDS):
            while not (waiting := program.ports & _sessions(asking, "wait_event_type = 'Lock'")):
                for table in tables:
                    table.let(1)
                await asyncio.sleep(0.05)
        program.signal(signal.SIGSTOP)
        blocking.rollback()
        # The database ends it after a second, for which the clients of many tables may take longer.
        await asyncio.to_thread(_until_open, asking, waiting)


def _until_open(asking: psycopg.Connection, waiting: set[int]) -> None:
    """Wait until one of these sessions has a transaction that waits for no lock."""
    until = monotonic() + SECONDS
    while not waiting & _sessions(asking, "state = 'idle in transaction'"):
        assert monotonic() < until, "the transaction ended before it was seen"
        sleep(0.01)


def _sessions(asking: psycopg.Connection, which: str) -> set[int]:
    """Return the local ports of the program's database sessions of one kind."""
    rows = asking.execute(
        "SELECT client_port FROM pg_stat_activity"
        f" WHERE application_name = 'blackqueen' AND {which}".encode()
    )
    return {port for (port,) in rows.fetchall()}
