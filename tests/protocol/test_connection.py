"""The asyncio client against a real socket on this machine."""

import asyncio
from functools import cached_property
from random import Random

import pytest

from protocol.client_events import Answered, PutOff, TableEvent, TableSnapshot, Welcomed
from protocol.connection import Client, connect
from protocol.dial import Backoff
from protocol.errors import ConnectionLost, ErrorCode, ProtocolError
from protocol.to_client import Error, Ok, Pong, ToClient
from protocol.to_server import Act, CreateTable, Join, Ping, ToServer
from protocol.version import SUBPROTOCOLS
from tests.protocol.model_server import TABLE
from tests.protocol.model_socket_server import HASTY, ModelSocketServer, kinds_until, running


class TestTalking:
    @pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
    async def test_asking(self, subprotocol: str) -> None:
        """A command gets its answer in either encoding, and the table is followed."""
        async with (
            running() as server,
            connect(server.url, name="Ann", subprotocol=subprotocol) as client,
        ):
            assert await client.ask(Join, table=TABLE) == Ok(id=2, table=TABLE, seq=0)
            assert (await client.ask(Act, table=TABLE, turn=0, action="do it")).seq == 1
            assert isinstance(await client.ask(Ping), Pong)
            assert client.tables[TABLE] == client.session.tables[TABLE] == server.model.truth()
            assert client.token == client.session.token is not None
            kinds = await kinds_until(client, TableEvent)
        assert kinds == [Welcomed, Answered, TableSnapshot, Answered, TableEvent]

    async def test_invitations_name_the_address_that_others_can_use(self) -> None:
        """An invitation has the address that the server gives, and before that the client's own."""
        async with running() as server, connect(server.url) as client:
            assert client.invitation == server.url
            client.session.public_url = "wss://cards.example.org/play"
            assert client.invitation == "wss://cards.example.org/play"

    async def test_many_questions_at_once(self) -> None:
        """Commands sent at once each get their own answer, in order."""
        async with running() as server, connect(server.url) as client:
            answers = await asyncio.gather(*(client.ask(Ping) for _ in range(20)))
        assert [answer.id for answer in answers] == list(range(2, 22))

    async def test_errors_raise(self) -> None:
        """An error answer is raised at the call that sent the command, and the connection stays."""
        server = ModelSocketServer(
            answer=lambda c: refused(c, "table_full") if isinstance(c, Join) else None
        )
        async with running(server), connect(server.url) as client:
            with pytest.raises(ProtocolError, match="table_full") as caught:
                await client.ask(Join, table=TABLE)
            assert caught.value.id == 2
            assert isinstance(await client.ask(Ping), Pong)

    async def test_wrong_questions_are_not_sent(self) -> None:
        """A command that the server could not read raises at once and is not sent."""
        async with running() as server, connect(server.url) as client:
            with pytest.raises(ProtocolError, match="field 'table' of join"):
                await client.ask(Join, table="")
        assert server.hellos == len(server.commands)

    @pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
    async def test_too_much_at_once(self, subprotocol: str) -> None:
        """A command too large for the server is refused locally, and the connection stays."""
        async with (
            running() as server,
            connect(server.url, subprotocol=subprotocol) as client,
        ):
            options = {f"option {number}": "♠" * 20 for number in range(20)}
            with pytest.raises(ProtocolError, match=r"message_too_big: .* the server takes 1000"):
                await client.ask(CreateTable, game="pile", options=options)
            assert isinstance(await client.ask(Ping), Pong)
            assert await kinds_until(client, Answered) == [Welcomed, Answered]
        assert server.hellos == 1

    async def test_who_does_not_wait_for_the_answer(self) -> None:
        """A cancelled call does not disturb the other commands."""
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
        """An exception in the block is raised as it is, not in an exception group."""
        with pytest.raises(ZeroDivisionError):
            async with running() as server, connect(server.url):
                raise ZeroDivisionError

    async def test_happenings_end_with_the_block(self) -> None:
        """The stream of client events ends when the block is left, however often it is read."""
        async with running() as server:
            async with connect(server.url) as client:
                pass
            for expected in ([Welcomed], []):
                assert [type(h) async for h in client.events()] == expected

    async def test_questions_end_with_the_block(self) -> None:
        """Calls that wait when the block is left, or come later, raise that it is over."""
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
    """The result of a command that is not answered."""
    with pytest.raises(ConnectionLost) as caught:
        await client.ask(Ping)
    return str(caught.value)


class Waits(Backoff):
    """Records the delays that the server asks for, and never waits."""

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
        """A postponed command is sent again with its id until it is answered."""
        left = [code, code]
        server = ModelSocketServer(
            answer=lambda c: refused(c, left.pop()) if isinstance(c, Ping) and left else None
        )
        async with running(server), connect(server.url, patience=HASTY) as client:
            assert await client.ask(Ping) == Pong(id=2)
            assert await kinds_until(client, Answered) == [Welcomed, PutOff, PutOff, Answered]
        assert [c.id for c in server.commands if isinstance(c, Ping)] == [2, 2, 2]

    async def test_not_for_ever(self) -> None:
        """A command that is always postponed fails in the end, and is not sent again."""
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
        """The client waits at least the delay that the server asks for, also before a new hello."""
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
        """A delay longer than the wait for a lost server fails the call at once."""
        server = ModelSocketServer(answer=lambda c: later(c, 1e9) if isinstance(c, Ping) else None)
        async with running(server), connect(server.url, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match="try_again") as caught:
                await client.ask(Ping)
        assert caught.value.retry_after == 1e9
        assert len([c for c in server.commands if isinstance(c, Ping)]) == 1
