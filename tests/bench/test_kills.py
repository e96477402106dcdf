"""The figures of killed nodes, from made-up pauses, and the proxy in front of them."""

import asyncio

import pytest

from bench import measure_kills
from bench.figures import Unmeasured
from bench.measure_kills import Shown, figures_of
from bench.nodes import Entry, entry
from bench.processes import free_ports


def test_each_promise_has_a_limit() -> None:
    """Each promise has a limit: after a kill, after a stop, at a node's end and in a crowd."""
    shown = Shown(
        killed=[2.5, 3.0, 60.0],
        stopped=[7.0, 10.5],
        moves=[0.1, 0.3],
        crowd=[4.0, 9.0],
        hellos=[0, 2, 4],
    )
    figures = {each.name: each for each in figures_of(shown)}
    assert figures["kills.p50"].value == 3.0
    assert figures["kills.ended.worst"].value == 300.0
    missed = {name for name, each in figures.items() if not each.kept}
    assert missed == {"kills.stopped.worst", "kills.crowd.hellos"}


def test_without_postgresql_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PostgreSQL the measure says what is missing, and counts as a missed limit."""
    monkeypatch.setattr(measure_kills, "postgresql", lambda: None)
    (gap,) = measure_kills.measure()
    assert isinstance(gap, Unmeasured)
    assert not gap.kept


async def asked(proxy: Entry) -> bytes:
    """The first message of a connection to the proxy; empty if no node is there."""
    reader, writer = await asyncio.open_connection(*proxy.url.removeprefix("ws://").split(":"))
    try:
        return await reader.readline()
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_the_proxy_leads_to_nodes_that_are_there() -> None:
    """The proxy connects to a node that listens, or to none."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\n")
        writer.close()

    gone, there = free_ports(2)
    node = await asyncio.start_server(greet, "127.0.0.1", there)
    async with node, entry((gone, there)) as proxy:
        assert await asked(proxy) == b"HTTP/1.1 200 OK\n"
        node.close()
        assert await asked(proxy) == b""
