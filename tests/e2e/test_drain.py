"""Tests that Ctrl-C and SIGTERM lose nothing, and that the next server continues the matches."""

import asyncio
import signal
from contextlib import AsyncExitStack
from random import Random
from time import monotonic

import pytest

from protocol.client_events import Answered, Noticed
from protocol.connection import connect
from protocol.dial import Backoff
from protocol.errors import ConnectionLost, ProtocolError
from protocol.to_server import CreateTable, Join, Start
from tests.counts import some
from tests.e2e.client_log import ClientLog
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs, free_port
from tests.e2e.proxy import proxy
from tests.e2e.stored import only_table, tables

pytestmark = pytest.mark.e2e

STOPPED_WITHIN = 8.0
"""Seconds; the server itself takes a fraction of one."""


@pytest.mark.parametrize("sign", some([signal.SIGTERM, signal.SIGINT]), ids=str)
async def test_a_drained_server_goes_on_where_it_stood(
    programs: Programs, rng: Random, sign: signal.Signals
) -> None:
    """Clients hear of the stop, the exit code is 0, and the next server finishes the match."""
    server = await programs.serve(port=free_port(rng))
    async with AsyncExitStack() as stack:
        middle = asyncio.Event()

        def follow(seq: int) -> None:
            if seq == 100:
                middle.set()

        client_logs = [ClientLog(on_event=follow), ClientLog()]
        clients = [
            await stack.enter_async_context(connect(server.url, name=name, patience=HASTY))
            for name in ("Ann", "Ben")
        ]
        code = (await clients[0].ask(CreateTable, game="black_queen")).table
        await clients[1].ask(Join, table=code)
        async with asyncio.TaskGroup() as tasks:
            for client, client_log in zip(clients, client_logs, strict=True):
                tasks.create_task(play(client, client_log, Random(rng.random())))
            await clients[0].ask(Start, table=code, fill=1)
            await middle.wait()
            began = monotonic()
            server.program.signal(sign)
            await server.program.done()
            assert monotonic() - began < STOPPED_WITHIN
            server = await programs.serve(port=server.port)
    await server.stop()
    stored = only_table(programs.data)
    for client_log in client_logs:
        client_log.check(stored)
        assert client_log.notices == ["draining"]
        assert client_log.returns == client_log.losses == 1


async def test_a_draining_server_opens_no_tables(programs: Programs) -> None:
    """A client that asks for a table after the stop was announced gets none."""
    server = await programs.serve()
    brief = Backoff(first=0.02, longest=0.1, give_up_after=0.3)
    async with connect(server.url, name="Ann", patience=brief) as ann:
        await ann.ask(CreateTable, game="black_queen")
        async for event in ann.events():
            if isinstance(event, Answered):
                server.program.signal(signal.SIGTERM)
            if isinstance(event, Noticed):
                break
        with pytest.raises((ProtocolError, ConnectionLost), match=r"about to stop|gave up"):
            await ann.ask(CreateTable, game="black_queen")
    await server.program.done()
    assert len(tables(programs.data)) == 1


async def test_frozen_clients_do_not_hold_up_the_end(programs: Programs) -> None:
    """A server waits for clients that neither read nor hang up no longer than its setting says."""
    server = await programs.serve("--drain-seconds", "0.5")
    async with proxy(server.port) as between, connect(between.url, patience=HASTY):
        between.freeze()
        began = monotonic()
        await server.stop()
        assert monotonic() - began < STOPPED_WITHIN


async def test_a_caller_who_never_speaks_does_not_hold_up_the_end(programs: Programs) -> None:
    """A server stops in time although a client has connected and sent nothing, not even HTTP."""
    server = await programs.serve("--drain-seconds", "0.5")
    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    began = monotonic()
    await server.stop()
    assert monotonic() - began < STOPPED_WITHIN
    writer.close()
