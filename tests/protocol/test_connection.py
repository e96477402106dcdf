"""The asyncio client against a real socket on this machine."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cached_property
from random import Random

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from protocol.client_events import (
    Answered,
    ClientEvent,
    Disconnected,
    PutOff,
    Reconnected,
    TableEvent,
    TableSnapshot,
    Welcomed,
)
from protocol.codec import codec_for
from protocol.connection import Client, connect
from protocol.dial import Patience
from protocol.errors import ConnectionLost, ErrorCode, ProtocolError
from protocol.to_client import Error, Notice, Ok, Pong, ToClient
from protocol.to_server import Act, CreateTable, Hello, Join, Ping, Sync, ToServer
from protocol.version import CLOSE_REFUSED, CLOSE_REPLACED, MSGPACK, SUBPROTOCOLS
from tests.counts import count
from tests.protocol.model_server import TABLE
from tests.protocol.model_socket_server import HASTY, ModelSocketServer, running


async def until(client: Client, last: type[ClientEvent]) -> AsyncIterator[ClientEvent]:
    """All that happens, up to the first of kind `last`."""
    async for event in client.events():
        yield event
        if isinstance(event, last):
            return


async def told(client: Client, last: type[ClientEvent]) -> list[type[ClientEvent]]:
    return [type(event) async for event in until(client, last)]


@asynccontextmanager
async def serving(
    handler: Callable[[ServerConnection], Awaitable[None]], *subprotocols: str
) -> AsyncIterator[str]:
    """The address of a server that is not ours."""
    names = [Subprotocol(name) for name in subprotocols] or None
    async with serve(handler, "127.0.0.1", 0, subprotocols=names, close_timeout=0.1) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}"


CODEC = codec_for(MSGPACK)


class TestTalking:
    @pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
    async def test_asking(self, subprotocol: str) -> None:
        """A question gets its answer, in either encoding, and the table is followed."""
        async with (
            running() as server,
            connect(server.url, name="Ann", subprotocol=subprotocol) as client,
        ):
            assert await client.ask(Join, table=TABLE) == Ok(id=2, table=TABLE, seq=0)
            assert (await client.ask(Act, table=TABLE, turn=0, action="do it")).seq == 1
            assert isinstance(await client.ask(Ping), Pong)
            assert client.session.tables[TABLE] == server.model.truth()
            kinds = await told(client, TableEvent)
        assert kinds == [Welcomed, Answered, TableSnapshot, Answered, TableEvent]

    async def test_invitations_name_the_address_that_others_can_use(self) -> None:
        """What the server says of itself, once it has; the own address before that."""
        async with running() as server, connect(server.url) as client:
            assert client.invitation == server.url
            client.session.public_url = "wss://cards.example.org/play"
            assert client.invitation == "wss://cards.example.org/play"

    async def test_many_questions_at_once(self) -> None:
        """Questions asked at the same time each get their own answer, in order."""
        async with running() as server, connect(server.url) as client:
            answers = await asyncio.gather(*(client.ask(Ping) for _ in range(20)))
        assert [answer.id for answer in answers] == list(range(2, 22))

    async def test_errors_raise(self) -> None:
        """An error in answer is raised where the question was asked; the connection stays."""
        server = ModelSocketServer(
            answer=lambda c: refused(c, "table_full") if isinstance(c, Join) else None
        )
        async with running(server), connect(server.url) as client:
            with pytest.raises(ProtocolError, match="table_full") as caught:
                await client.ask(Join, table=TABLE)
            assert caught.value.id == 2
            assert isinstance(await client.ask(Ping), Pong)

    async def test_wrong_questions_are_not_sent(self) -> None:
        """What the server could not read is raised at once."""
        async with running() as server, connect(server.url) as client:
            with pytest.raises(ProtocolError, match="field 'table' of join"):
                await client.ask(Join, table="")
        assert server.hellos == len(server.commands)

    @pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
    async def test_too_much_at_once(self, subprotocol: str) -> None:
        """What the server would hang up on is refused here, and the connection stays."""
        async with (
            running() as server,
            connect(server.url, subprotocol=subprotocol) as client,
        ):
            options = {f"option {number}": "♠" * 20 for number in range(20)}
            with pytest.raises(ProtocolError, match=r"message_too_big: .* the server takes 1000"):
                await client.ask(CreateTable, game="pile", options=options)
            assert isinstance(await client.ask(Ping), Pong)
            assert await told(client, Answered) == [Welcomed, Answered]
        assert server.hellos == 1

    async def test_who_does_not_wait_for_the_answer(self) -> None:
        """A question that is no longer waited for does not disturb the others."""
        gate = asyncio.Event()
        async with running() as server, connect(server.url) as client:

            async def impatient() -> None:
                gate.set()
                await client.ask(Ping)

            async with asyncio.TaskGroup() as tasks:
                task = tasks.create_task(impatient())
                await gate.wait()
                task.cancel()
            assert isinstance(await client.ask(Ping), Pong)

    async def test_the_block_raises_what_it_raises(self) -> None:
        """An exception in the block comes out as it is, not in a group."""
        with pytest.raises(ZeroDivisionError):
            async with running() as server, connect(server.url):
                raise ZeroDivisionError

    async def test_happenings_end_with_the_block(self) -> None:
        """A listener is told of the end when the block is left, as often as it asks."""
        async with running() as server:
            async with connect(server.url) as client:
                pass
            for expected in ([Welcomed], []):
                assert [type(h) async for h in client.events()] == expected

    async def test_questions_end_with_the_block(self) -> None:
        """Callers that wait when the block is left, or ask later, are told that it is over."""
        server = ModelSocketServer(answer=lambda c: [] if isinstance(c, Ping) else None)
        async with running(server), asyncio.TaskGroup() as tasks:
            async with connect(server.url) as client:
                asked = tasks.create_task(outcome(client))
                await client.ask(Join, table=TABLE)
            assert "was closed" in await asked
            assert "was closed" in await outcome(client)


def refused(command: ToServer, code: ErrorCode) -> list[ToClient]:
    return [Error(id=command.id, code=code, reason="no")]


async def outcome(client: Client) -> str:
    """What becomes of a question that is not answered."""
    with pytest.raises(ConnectionLost) as caught:
        await client.ask(Ping)
    return str(caught.value)


class Waits(Patience):
    """Notes what it was asked to wait, and does not."""

    @cached_property
    def asked(self) -> list[float]:
        return []

    def delay(self, attempt: int, rng: Random, at_least: float = 0.0) -> float:
        self.asked.append(at_least)
        return 0.0


def later(command: ToServer, seconds: float | None) -> list[ToClient]:
    return [Error(id=command.id, code="try_again", reason="not now", retry_after=seconds)]


class TestPuttingOff:
    @pytest.mark.parametrize("code", ["try_again", "rate_limited"])
    async def test_it_is_tried_again(self, code: ErrorCode) -> None:
        """A command that is put off is sent again under its id until it is answered."""
        left = [code, code]
        server = ModelSocketServer(
            answer=lambda c: refused(c, left.pop()) if isinstance(c, Ping) and left else None
        )
        async with running(server), connect(server.url, patience=HASTY) as client:
            assert await client.ask(Ping) == Pong(id=2)
            assert await told(client, Answered) == [Welcomed, PutOff, PutOff, Answered]
        assert [c.id for c in server.commands if isinstance(c, Ping)] == [2, 2, 2]

    async def test_not_for_ever(self) -> None:
        """A command that is always put off fails in the end, and is not sent any more."""
        server = ModelSocketServer(
            answer=lambda c: refused(c, "try_again") if isinstance(c, Join) else None
        )
        async with running(server), connect(server.url, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match="try_again"):
                await client.ask(Join, table=TABLE)
            assert isinstance(await client.ask(Ping), Pong)
        joins = [c for c in server.commands if isinstance(c, Join)]
        assert len(joins) == 1 + HASTY.retries

    async def test_as_late_as_the_server_asks(self) -> None:
        """A server that says how long to wait is not asked earlier, a new hello included."""
        waits = Waits(first=0.001, longest=0.01, opening=5.0, give_up_after=20.0)
        async with running() as server, connect(server.url, patience=waits) as client:
            left = [None, 7.5]
            server.answer = lambda c: later(c, left.pop()) if left else None
            assert isinstance(await client.ask(Ping), Pong)
            assert waits.asked == [7.5, 0.0]
            left = [3.0, 3.0]
            server.cut_before = lambda c: isinstance(c, Ping) and len(left) == 2
            assert isinstance(await client.ask(Ping), Pong)
        assert waits.asked == [7.5, 0.0, 0.0, 3.0, 3.0]

    async def test_not_later_than_it_is_worth(self) -> None:
        """A caller that would wait longer than for a server that is gone is told at once."""
        server = ModelSocketServer(answer=lambda c: later(c, 1e9) if isinstance(c, Ping) else None)
        async with running(server), connect(server.url, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match="try_again") as caught:
                await client.ask(Ping)
        assert caught.value.retry_after == 1e9
        assert len([c for c in server.commands if isinstance(c, Ping)]) == 1


class TestComingBack:
    async def test_a_command_is_answered_over_two_connections(self) -> None:
        """A connection lost before the answer is made again, and the answer comes."""
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

    async def test_what_is_told_of_it(self) -> None:
        """The owner hears of the loss, of the return, and of what they missed, in this order."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            await client.ask(Join, table=TABLE)
            server.cut_after = lambda c: isinstance(c, Sync)
            await client.ask(Sync, table=TABLE)
            server.model.happens()
            kinds = await told(client, TableEvent)
            assert kinds[kinds.index(Disconnected) :] == [
                Disconnected,
                Reconnected,
                Welcomed,
                TableEvent,
            ]
            assert client.session.tables[TABLE] == server.model.truth()

    async def test_nothing_is_lost_or_done_twice(self) -> None:
        """Many cuts at random moments: every act is applied once and in order."""
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
        """A server that was away for a while finds its clients again."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            await client.ask(Join, table=TABLE)
            port = server.port
            await server.close()
            kinds = await told(client, Disconnected)
            await server.open(port)
            kinds = await told(client, Welcomed)
            assert kinds == [Reconnected, Welcomed]
            assert isinstance(await client.ask(Ping), Pong)

    async def test_refusals_that_pass(self) -> None:
        """A server that is draining is asked again."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            server.refuse_hello = ["draining", "try_again"]
            server.cut_after = lambda c: isinstance(c, Ping)
            await client.ask(Ping)
            server.cut_after = lambda c: False
            assert isinstance(await client.ask(Ping), Pong)
        assert server.hellos == 4

    async def test_a_forgotten_guest_is_somebody_new(self) -> None:
        """A client without a seat says hello again without a token; its commands are answered."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            server.refuse_hello = ["unauthorized"]
            server.cut_before = lambda c: isinstance(c, Ping) and server.hellos == 1
            assert isinstance(await client.ask(Ping), Pong)
        hellos = [command for command in server.commands if isinstance(command, Hello)]
        assert [hello.token is None for hello in hellos] == [True, False, True]

    @pytest.mark.parametrize("code", ["unauthorized", "version_unsupported", "replaced"])
    async def test_refusals_that_do_not(self, code: ErrorCode) -> None:
        """A client that the server refuses does not try again."""
        async with running() as server, connect(server.url, patience=HASTY) as client:
            await client.ask(Join, table=TABLE)
            await told(client, Answered)
            server.refuse_hello = [code]
            server.cut_before = lambda c: isinstance(c, Ping)
            with pytest.raises(ProtocolError, match=code):
                await client.ask(Ping)
            with pytest.raises(ProtocolError, match=code):
                await told(client, Answered)
            with pytest.raises(ProtocolError, match=code):
                await client.ask(Ping)
        assert server.hellos == 2

    async def test_being_replaced(self) -> None:
        """A client that was replaced leaves, even if the server does not close the connection."""
        server = ModelSocketServer(
            answer=lambda c: [Notice(kind="replaced")] if isinstance(c, Ping) else None
        )
        async with running(server), connect(server.url, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match="replaced"):
                await client.ask(Ping)
        assert server.hellos == 1

    async def test_being_replaced_and_thrown_out(self) -> None:
        """A client that is told so and then disconnected does not come back either."""
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
            (CLOSE_REFUSED, "a bad mood", False),
            (1008, "replaced", False),
        ],
    )
    async def test_closing_with_an_error_code(self, code: int, reason: str, final: bool) -> None:
        """A close with one of our codes counts like the error it names, if that is for good."""
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
        """The client gives up a server that stays away, and everybody who waits is told."""
        brief = Patience(first=0.001, longest=0.01, give_up_after=0.05)
        async with running() as server, connect(server.url, patience=brief) as client:
            await server.close()
            with pytest.raises(ConnectionLost, match=r"gave up after 0\.05 seconds: cannot reach"):
                await client.ask(Ping)
            with pytest.raises(ConnectionLost, match="gave up"):
                await told(client, Answered)

    async def test_a_server_that_talks_nonsense(self) -> None:
        """What no server of ours would say ends the connection with a clear error."""

        async def babble(socket: ServerConnection) -> None:
            server = ModelSocketServer()
            async for raw in socket:
                command = CODEC.decode_command(raw)
                await socket.send(CODEC.encode_frame(server._frame(command)))
                await socket.send("gibberish")

        async with serving(babble, MSGPACK) as url, connect(url, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match="a text frame"):
                await told(client, Answered)


class TestTheFirstConnection:
    """Where it fails there is nothing to come back to: the error says what to look at."""

    async def fails(self, url: str, patience: Patience = HASTY) -> str:
        with pytest.raises(ConnectionLost) as caught:
            async with connect(url, patience=patience):
                raise AssertionError("there is no such server")
        return str(caught.value)

    async def test_nobody_is_there(self) -> None:
        """A port where nobody listens."""
        async with running() as server:
            url = server.url
        reason = await self.fails(url)
        assert reason.startswith(f"cannot reach {url}: ")
        assert reason.endswith("is the server running?")

    @pytest.mark.parametrize("url", ["", "localhost:80", "http://localhost", "ws://[::1", "ws://"])
    async def test_what_is_no_address(self, url: str) -> None:
        """Text that is no WebSocket address."""
        assert "is no address of a server; one looks like ws://" in await self.fails(url)

    async def test_something_else_listens(self) -> None:
        """A server that does not speak WebSocket."""

        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            assert "404" in await self.fails(f"ws://127.0.0.1:{port}")

    async def test_nobody_answers(self) -> None:
        """A server that takes connections and is silent."""
        release = asyncio.Event()

        async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await release.wait()
            writer.close()

        async with await asyncio.start_server(hold, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            reason = await self.fails(f"ws://127.0.0.1:{port}", Patience(opening=0.05))
            release.set()
        assert reason.startswith("no answer from")

    async def test_another_language(self) -> None:
        """A WebSocket server that speaks none of our subprotocols."""

        async def listen(socket: ServerConnection) -> None:
            await socket.wait_closed()

        async with serving(listen) as url:
            with pytest.raises(ProtocolError, match=r"version_unsupported: .* does not speak"):
                async with connect(url):
                    raise AssertionError("it does not speak our language")

    async def test_hello_without_an_answer(self) -> None:
        """A server that says nothing to hello."""

        async def listen(socket: ServerConnection) -> None:
            await socket.wait_closed()

        async with serving(listen, MSGPACK) as url:
            reason = await self.fails(url, Patience(opening=0.05))
        assert reason.endswith("does not answer our hello")

    async def test_hanging_up_on_hello(self) -> None:
        """A server that hangs up on hello, with words and without."""
        for said, expected in (("no entry", "no entry"), ("", "received 1008")):

            async def slam(socket: ServerConnection, said: str = said) -> None:
                await socket.recv()
                await socket.close(1008, said)

            async with serving(slam, MSGPACK) as url:
                assert f"hung up on our hello: {expected}" in await self.fails(url)

    async def test_a_broken_line(self) -> None:
        """A connection that breaks without goodbye."""

        async def drop(socket: ServerConnection) -> None:
            await socket.recv()
            socket.transport.abort()

        async with serving(drop, MSGPACK) as url:
            assert "hung up on our hello: no close frame" in await self.fails(url)

    @pytest.mark.parametrize("code", ["unauthorized", "draining"])
    async def test_refusals(self, code: ErrorCode) -> None:
        """A refused hello says so by its code, whether it may pass or not."""
        async with running(ModelSocketServer(refuse_hello=[code])) as server:
            with pytest.raises(ProtocolError, match=code):
                async with connect(server.url, token="stolen"):
                    raise AssertionError("we are not welcome")

    async def test_proxies(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A proxy is used for servers elsewhere, and never for one on this machine."""
        async with running() as server:
            for kind in ("no", "all", "https", "socks", "ws"):
                monkeypatch.delenv(f"{kind}_proxy", raising=False)
                monkeypatch.delenv(f"{kind}_proxy".upper(), raising=False)
            monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
            async with connect(server.url) as client:
                assert isinstance(await client.ask(Ping), Pong)
            assert "('127.0.0.1', 1)" in await self.fails("ws://cards.example:1234")


class TestPatience:
    def test_delays_grow_and_are_spread(self) -> None:
        """Each delay is up to twice the one before, within bounds, and not always the same."""
        patience, rng = Patience(first=1.0, longest=5.0), Random(1)
        for attempt, most in enumerate([1.0, 2.0, 4.0, 5.0, 5.0]):
            delays = {patience.delay(attempt, rng) for _ in range(20)}
            assert len(delays) > 1
            assert all(most / 2 <= delay <= most for delay in delays)

    @pytest.mark.parametrize("asked", [0.0, 3.0, -1.0, float("nan")])
    def test_what_the_server_asks_for_is_the_least(self, asked: float) -> None:
        """Still spread, and never less than no time at all."""
        delay = Patience(first=1.0, longest=5.0).delay(0, Random(1), at_least=asked)
        least = 3.0 if asked == 3.0 else 0.0
        assert least + 0.5 <= delay <= least + 1.0
