"""Tests that many guests neither take all the tables nor fill the disk."""

import asyncio
import sys
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import pytest

from server.store.database import database_url, open_engine
from tests.counts import count
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.stored import url_of
from tests.raw_client import raw_client

pytestmark = pytest.mark.e2e

GUESTS = 20
TABLES: dict[str, Any] = {"game": "black_queen", "seats": 2}


ADDED = ("players", "answers", "tables")


def number(server: Server, query: str) -> int:
    """Return the number that either kind of database answers to a query."""
    with open_engine(database_url(url_of(server.data)), writes=False).begin() as connection:
        return int(connection.exec_driver_sql(query).scalar_one())


def rows(server: Server) -> dict[str, int]:
    """Return the number of rows in the tables that a client can add to."""
    return {name: number(server, f"select count(*) from {name}") for name in ADDED}


@pytest.mark.skipif(sys.platform != "linux", reason="others have one address of their own")
async def test_one_address_does_not_take_all_the_tables(programs: Programs) -> None:
    """Guests of one address get only their share of tables; tables they leave make room at once."""
    limits = ("--max-tables-per-address", "0", "--max-lobby-tables-per-address", "10")
    server = await programs.serve("--max-tables", "12", *limits)
    async with AsyncExitStack() as stack:
        said: Counter[str] = Counter()
        for _ in range(GUESTS):
            guest = await stack.enter_async_context(raw_client(server.url))
            answer = await guest.ask("create_table", **TABLES)
            said[answer.get("code", "ok")] += 1
        assert said == {"ok": 10, "too_many_tables": GUESTS - 10}
        # An answer that must stay the same is stored, and with it whoever was given it, for a day.
        assert rows(server) == {"players": GUESTS, "answers": GUESTS, "tables": 10}
    async with raw_client(server.url, address="127.0.0.2") as honest, asyncio.timeout(SECONDS):
        opened = 0
        while opened < 5:
            # The server may not have noticed yet that the others are gone.
            answer = await honest.ask("create_table", **TABLES)
            opened += answer["type"] == "ok"
    # No more than twelve: for three of the five, tables that were left have been closed.
    assert number(server, "select count(*) from tables where phase <> 'closed'") == 12
    await server.stop()


async def test_what_leads_to_nothing_leaves_nothing(programs: Programs) -> None:
    """Neither a hello nor a move that is refused for good stores a row."""
    flags = ("--messages-per-second", "100000", "--message-burst", "100000")
    server = await programs.serve(*flags)
    for _ in range(GUESTS):
        async with raw_client(server.url) as guest:
            await guest.ask("list_tables")
    async with raw_client(server.url) as ann:
        code = (await ann.ask("create_table", **TABLES))["table"]
        await ann.ask("start", table=code, fill=0)
        before = rows(server)
        assert before["players"] == 1
        for number in range(count(200)):
            turn = number % 2
            answer = await ann.ask("act", table=code, turn=turn, action="play sing")
            assert answer["type"] == "error"
        assert rows(server) == before
    await server.stop()
