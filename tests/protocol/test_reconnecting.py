"""Reconnecting: a client comes back after a lost connection, and nothing is lost or done twice."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest
from websockets.asyncio.server import ServerConnection

from protocol.client_events import (
    Answered,
    Disconnected,
    Reconnected,
    TableEvent,
    TableSnapshot,
    Welcomed,
)
from protocol.codec import codec_for
from protocol.connection import connect
from protocol.dial import Backoff
from protocol.errors import ConnectionLost, ErrorCode, ProtocolError
from protocol.to_client import Notice, Pong
from protocol.to_server import Act, Hello, Join, Ping, Sync
from protocol.version import CLOSE_REFUSED, CLOSE_REPLACED, MSGPACK
from tests.counts import count
from tests.e2e.proxy import proxy
from tests.protocol.model_server import TABLE, encode_frame
from tests.protocol.model_socket_server import (
    HASTY,
    ModelSocketServer,
    kinds_until,
    running,
    serving,
    until,
)

CODEC = codec_for(MSGPACK)


class TestComingBack:
    async def test_a_command_is_answered_over_two_connections(self) -> None:
        """A command whose connection breaks is answered on the next one."""
        cuts = [True]
        server = ModelSocketServer(
            cut_before=lambda c: isinstance(c, Ping) and bool(cuts) and cuts.pop()
        )
        async with running(server), connect(server.url, patience=HASTY) as client:
            assert isinstance(await client.ask(Ping), Pong)
            reason = [
                h.reason async for h in until(client, Answered) if isinstance(h, Disconnected)
            ]
        assert reason == ["the model went for a walk"]
        assert server.hellos == 2

    async def test_a_dead_connection_is_noticed_by_a_command_without_an_answer(self) -> None:
        """A dead connection is noticed by an unanswered command, which is then answered once."""
        hurried = replace(HASTY, answer=0.01, sign=0.01, ping=60.0)
        async with (
            running() as server,
            proxy(server.port) as between,
            connect(between.url, patience=hurried) as client,
        ):
            await client.ask(Join, table=TABLE)
            between.freeze()
            await client.ask(Act, table=TABLE, turn=0, action="do it")
            kinds = await kinds_until(client, TableEvent)
            assert Disconnected in kinds
            assert client.session.tables[TABLE] == server.model.truth()
        acts = [command for command in server.commands if isinstance(command, Act)]
        assert len(acts) == 1

    async def test_a_dead_connection_is_noticed_where_a_table_is_in_play(self) -> None:
        """A dead connection is noticed sooner by a client at a table in play."""
        watchful = replace(HASTY, table=0.01, sign=0.01, ping=60.0, answer=0.01)
        async with (
            running() as server,
            proxy(server.port) as between,
            connect(between.url, patience=watchful) as client,
        ):
            await client.ask(Join, table=TABLE)
            await kinds_until(client, TableSnapshot)
            between.freeze()
            [*_, lost] = [event async for event in until(client, Disconnected)]
            assert isinstance(lost, Disconnected)
            assert "no answer for" in lost.reason
            await kinds_until(client, Reconnected)

    async def test_a_server_that_is_no_more_than_busy_is_not_left(self) -> None:
        """A server that answers pings but no commands is not left."""
        hurried = replace(HASTY, answer=0.001, ping=60.0)
        server = ModelSocketServer(answer=lambda c: [] if isinstance(c, Sync) else None)
        async with running(server), connect(server.url, patience=hurried) as client:
            await client.ask(Join, table=TABLE)
            socket, pings = client._first.socket, asyncio.Semaphore(0)
            ping = socket.ping

            async def counted() -> Awaitable[float]:
                pings.release()
                return await ping()

            with patch.object(socket, "ping", counted):
                async with asyncio.TaskGroup() as tasks:
                    asked = tasks.create_task(client.ask(Sync, table=TABLE))
                    for _ in range(4):
                        await pings.acquire()
                    await client.ask(Ping)
                    asked.cancel()
            assert client._first.socket is socket
            assert server.hellos == 1

    async def test_what_is_told_of_it(self) -> None:
        """The loss, the return and the missed events are reported in this order."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            await client.ask(Join, table=TABLE)
            server.cut_after = lambda c: isinstance(c, Sync)
            await client.ask(Sync, table=TABLE)
            server.model.happens()
            kinds = await kinds_until(client, TableEvent)
            assert kinds[kinds.index(Disconnected) :] == [
                Disconnected,
                Reconnected,
                Welcomed,
                TableEvent,
            ]
            assert client.session.tables[TABLE] == server.model.truth()

    async def test_nothing_is_lost_or_done_twice(self) -> None:
        """With many random cuts every act is applied once and in order."""
        rng, acts = Random(7), count(60)
        server = ModelSocketServer(
            cut_before=lambda c: isinstance(c, Act) and rng.random() < 0.2,
            cut_after=lambda c: isinstance(c, Act | Hello) and rng.random() < 0.2,
        )
        async with running(server), connect(server.url, patience=HASTY) as client:
            await client.ask(Join, table=TABLE)
            for start in range(0, acts, 3):
                await asyncio.gather(
                    *(
                        client.ask(Act, table=TABLE, turn=0, action=f"do {number}")
                        for number in range(start, start + 3)
                    )
                )
            server.cut_before = server.cut_after = lambda c: False
            await client.ask(Ping)
            assert client.session.tables[TABLE] == server.model.truth()
        assert server.model.applied == [f"do {number}" for number in range(acts)]
        assert server.hellos > 5

    async def test_a_server_that_restarts(self) -> None:
        """A server that restarts is reached again by its clients."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            await client.ask(Join, table=TABLE)
            port = server.port
            await server.close()
            kinds = await kinds_until(client, Disconnected)
            await server.open(port)
            kinds = await kinds_until(client, Welcomed)
            assert kinds == [Reconnected, Welcomed]
            assert isinstance(await client.ask(Ping), Pong)

    async def test_refusals_that_pass(self) -> None:
        """A server that refuses temporarily, such as a draining one, is asked again."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            server.refuse_hello = ["draining", "try_again"]
            server.cut_after = lambda c: isinstance(c, Ping)
            await client.ask(Ping)
            server.cut_after = lambda c: False
            assert isinstance(await client.ask(Ping), Pong)
        assert server.hellos == 4

    async def test_a_forgotten_guest_is_somebody_new(self) -> None:
        """A guest forgotten by the server says hello without a token; its commands are answered."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            server.refuse_hello = ["unauthorized"]
            server.cut_before = lambda c: isinstance(c, Ping) and server.hellos == 1
            assert isinstance(await client.ask(Ping), Pong)
        hellos = [command for command in server.commands if isinstance(command, Hello)]
        assert [hello.token is None for hello in hellos] == [True, False, True]

    async def test_a_forgotten_guest_reads_no_refusal(self) -> None:
        """The refusal of a forgotten token is not reported, since the client recovers by itself."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            await kinds_until(client, Welcomed)
            server.refuse_hello = ["unauthorized"]
            server.cut_before = lambda c: isinstance(c, Ping) and server.hellos == 1
            await client.ask(Ping)
            assert await kinds_until(client, Welcomed) == [Disconnected, Reconnected, Welcomed]

    @pytest.mark.parametrize("code", ["unauthorized", "version_unsupported", "replaced"])
    async def test_refusals_that_do_not(self, code: ErrorCode) -> None:
        """A client that is refused for good does not try again."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            await client.ask(Join, table=TABLE)
            await kinds_until(client, Answered)
            server.refuse_hello = [code]
            server.cut_before = lambda c: isinstance(c, Ping)
            with pytest.raises(ProtocolError, match=code):
                await client.ask(Ping)
            with pytest.raises(ProtocolError, match=code):
                await kinds_until(client, Answered)
            with pytest.raises(ProtocolError, match=code):
                await client.ask(Ping)
        assert server.hellos == 2

    async def test_being_replaced(self) -> None:
        """A replaced client closes its connection, even if the server does not."""
        server = ModelSocketServer(
            answer=lambda c: [Notice(kind="replaced")] if isinstance(c, Ping) else None
        )
        async with running(server), connect(server.url, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match="replaced"):
                await client.ask(Ping)
        assert server.hellos == 1

    async def test_being_replaced_and_thrown_out(self) -> None:
        """A client that is replaced and then disconnected does not reconnect."""
        server = ModelSocketServer(
            answer=lambda c: [Notice(kind="replaced")] if isinstance(c, Ping) else None,
            cut_after=lambda c: isinstance(c, Ping),
        )
        async with running(server), connect(server.url, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match="replaced"):
                await client.ask(Ping)
        assert server.hellos == 1

    @pytest.mark.parametrize(
        ("code", "reason", "final"),
        [
            (CLOSE_REPLACED, "replaced", True),
            (CLOSE_REFUSED, "unauthorized", True),
            (CLOSE_REFUSED, "draining", False),
            # It said hello, and either was too slow for the other.
            (CLOSE_REFUSED, "hello_first", False),
            (CLOSE_REFUSED, "a bad mood", False),
            (1008, "replaced", False),
        ],
    )
    async def test_closing_with_an_error_code(self, code: int, reason: str, final: bool) -> None:
        """A close with one of our permanent error codes counts as that error."""
        server = ModelSocketServer(parting=(code, reason))
        async with running(server), connect(server.url, patience=HASTY) as client:
            server.cut_before = lambda c: isinstance(c, Ping) and server.hellos == 1
            if final:
                with pytest.raises(ProtocolError, match=reason):
                    await client.ask(Ping)
            else:
                assert isinstance(await client.ask(Ping), Pong)
        assert server.hellos == (1 if final else 2)

    async def test_giving_up(self) -> None:
        """A client gives up after the limit, and all waiting calls raise."""
        brief = Backoff(first=0.001, longest=0.01, give_up_after=0.05)
        async with running() as server, connect(server.url, patience=brief) as client:
            await server.close()
            with pytest.raises(
                ConnectionLost, match=r"gave up after 0\.05 seconds: nothing answers"
            ):
                await client.ask(Ping)
            with pytest.raises(ConnectionLost, match="gave up"):
                await kinds_until(client, Answered)

    async def test_a_server_that_talks_nonsense(self) -> None:
        """A message that no server of ours would send ends the connection with a clear error."""

        async def babble(socket: ServerConnection) -> None:
            server = ModelSocketServer()
            async for raw in socket:
                command = CODEC.decode_command(raw)
                await socket.send(encode_frame(CODEC, server._frame(command)))
                await socket.send("gibberish")

        async with serving(babble, MSGPACK) as url, connect(url, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match="a text frame"):
                await kinds_until(client, Answered)
