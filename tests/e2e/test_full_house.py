"""Tests that people can play although twelve other addresses take all they can get."""

import asyncio
import sys
from time import monotonic

import pytest

from bench.attackers import WAYS, Attackers
from tests.counts import count, some
from tests.e2e.processes import Programs
from tests.raw_client import raw_client

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(sys.platform != "linux", reason="others have one address of their own"),
]

PLACES = 200
SOURCES = [f"127.0.0.{number}" for number in range(2, 14)]
OF_EACH = 20
"""Connections that each address tries to have: all of them are more than there are places."""
VISITORS = count(10)
FLAGS = ("--max-connections", str(PLACES), "--max-tables", str(PLACES), "--bot-delay", "3600")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("way", some(["play", "hold", "half_open"]))
async def test_who_comes_from_elsewhere_is_let_in(programs: Programs, way: str) -> None:
    """Each person from another address is admitted, opens a table, and plays."""
    server = await programs.serve(*FLAGS)
    attackers = [Attackers(server.url, monotonic() + 200, source) for source in SOURCES]
    async with asyncio.TaskGroup() as tasks:
        attacks = [
            tasks.create_task(each.attack(WAYS[way])) for each in attackers for _ in range(OF_EACH)
        ]
        # All have come that may; who may not comes again and again.
        while not all(  # noqa: ASYNC110 - they tell nobody
            each.counts["connections"] >= OF_EACH for each in attackers
        ):
            await asyncio.sleep(0.01)
        for number in range(VISITORS):
            async with raw_client(server.url, address=f"127.0.0.{100 + number}") as visitor:
                assert visitor.welcome["type"] == "welcome"
                answer = await visitor.ask("create_table", game="hearts")
                assert answer["type"] == "ok", answer
                answer = await visitor.ask("start", table=answer["table"], fill=0)
                assert answer["type"] == "ok", answer
        for attack in attacks:
            attack.cancel()
    await server.stop()
