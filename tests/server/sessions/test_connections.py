"""Connections: the newest counts, and a lost one leaves nothing behind."""

import asyncio
from pathlib import Path

import pytest

from protocol.to_server import ListTables
from server.names import CommandKey
from server.sessions.registry import MOST_READS
from server.sessions.snapshot_cache import Snapshots
from server.store.errors import StoreUnavailable
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


async def twin(server: ServerHarness, client: TestClient) -> TestClient:
    """Another program of the player."""
    other = TestClient(server, client_id="phone")
    await other.hello(token=client.token)
    return other


async def test_the_older_of_two_connections_is_told_and_closed(tmp_path: Path) -> None:
    """The newest connection has the seat; the older one is told `replaced` and closed."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        other = await twin(server, ann)
        assert ann.new_messages("notice") == [{"type": "notice", "kind": "replaced"}]
        assert ann.closed() == (4000, "replaced")
        assert other.closed() is None
        ann.disconnect()
        await other.ask("start", table=code, fill=0)
        assert other.tables[code].info.phase == "playing"
        assert not other.tables[code].info.seats[0].away


async def test_what_a_replaced_connection_says_is_not_heard(tmp_path: Path) -> None:
    """Commands of a replaced connection are neither carried out nor answered."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        await twin(server, ann)
        number = await ann.send("create_table", game="black_queen")
        await server.settle()
        assert ann.answers[number] == []
        assert len(server.game_server.tables.directory) == 0


async def test_of_two_hellos_at_once_the_later_one_counts(tmp_path: Path) -> None:
    """Of two hellos at once the later one counts, even if the earlier takes longer."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        ann.disconnect()
        first, second = TestClient(server), TestClient(server)
        held, later = asyncio.Event(), asyncio.Event()

        async def hold(name: str) -> None:
            server.store.gate = None
            held.set()
            await later.wait()

        server.store.gate = hold
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(first.hello(token=ann.token))
            await held.wait()
            await second.hello(token=ann.token)
            later.set()
        assert second.received[0]["type"] == "welcome"
        assert second.closed() is None
        assert [message.get("code") for message in first.received] == ["replaced"]
        assert first.closed() == (4001, "replaced")
        assert (await second.ask("ping"))["type"] == "pong"


async def test_a_connection_lost_in_its_hello_is_gone(tmp_path: Path) -> None:
    """A client that vanishes before its welcome counts as absent."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table()
        await bea.ask("join", table=code)
        bea.disconnect()
        await bea.reconnect()
        bea.disconnect()
        await server.settle()
        assert server.table(code).clocks.is_away(1)
        assert len(server.game_server.connections) == 1


async def test_a_refused_hello_closes_the_connection(tmp_path: Path) -> None:
    """A refused hello gets an error, then 4001."""
    async with open_server(tmp_path) as server:
        for fields, code in (
            ({"version": 2}, "version_unsupported"),
            ({"version": 0}, "version_unsupported"),
            ({"token": "made up"}, "unauthorized"),
        ):
            client = TestClient(server)
            answer = await client.hello(**fields)
            assert (answer["code"], answer["id"]) == (code, 1)
            assert client.closed() == (4001, code)
        assert len(server.game_server.connections) == 0


async def test_a_hello_that_cannot_be_read_leaves_another_try(tmp_path: Path) -> None:
    """A hello that cannot be read gets an error, and another try."""
    async with open_server(tmp_path) as server:
        client = TestClient(server)
        answer = await client.hello(name="\u200d")
        assert (answer["code"], answer["id"]) == ("bad_message", 1)
        assert client.closed() is None
        assert (await client.hello(name="Ann"))["type"] == "welcome"


async def test_hello_may_be_said_again_where_the_store_failed(tmp_path: Path) -> None:
    """A hello that gets `try_again` may be sent again on its connection."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        ann.disconnect()

        async def fail(name: str) -> None:
            raise StoreUnavailable("disk gone")

        server.store.gate = fail
        ann.connect(server)
        assert (await ann.hello())["code"] == "try_again"
        assert ann.closed() is None
        server.store.gate = None
        assert (await ann.hello())["type"] == "welcome"
        assert (await ann.ask("ping"))["type"] == "pong"


async def test_hello_comes_first_and_once(tmp_path: Path) -> None:
    """Commands before hello, and a second hello, are refused with their numbers."""
    async with open_server(tmp_path) as server:
        ann = TestClient(server)
        assert await ann.refusal("ping") == "hello_first"
        assert await ann.refusal("create_table", game="black_queen") == "hello_first"
        await ann.hello(name="Ann")
        assert await ann.refusal("hello", version=1, client="laptop") == "hello_first"
        assert (await ann.ask("ping"))["type"] == "pong"


async def test_a_name_is_put_in_order_and_may_be_changed(tmp_path: Path) -> None:
    """A name is normalised and may be changed; the token keeps the player."""
    async with open_server(tmp_path) as server:
        ann = await server.client("  Zoe\u0308   B ")
        assert ann.received[0]["name"] == "Zo\u00eb B"
        player = ann.player
        welcome = await ann.reconnect(name="\U0001f469\u200d\U0001f373")
        assert (welcome["name"], ann.player) == ("\U0001f469\u200d\U0001f373", player)
        assert (await ann.reconnect())["name"] == welcome["name"]
        assert (await server.client(welcome["name"])).player != player


async def test_who_gives_no_name_is_a_guest(tmp_path: Path) -> None:
    """A player without a name is a guest."""
    async with open_server(tmp_path) as server:
        nobody = TestClient(server)
        assert (await nobody.hello())["name"] == "Guest"


async def test_a_closed_connection_is_deaf(tmp_path: Path) -> None:
    """Data on a closed connection is ignored."""
    async with open_server(tmp_path, messages_per_second=1, message_burst=1) as server:
        ann = await server.client("Ann")
        while ann.closed() is None:
            await ann.send("ping")
        server.now += 1000
        number = await ann.send("create_table", game="black_queen")
        await server.settle()
        assert ann.answers[number] == []
        assert len(server.game_server.tables.directory) == 0


async def test_who_cannot_be_shown_a_new_seat_does_not_keep_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the snapshot of a new seat fails the client is disconnected and comes back."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table(seats=2)
        await bea.ask("watch", table=code)
        with monkeypatch.context() as broken:
            broken.setattr(Snapshots, "encoded", no_snapshot)
            await ann.send("sit", table=code, seat=1)
            await server.settle()
        assert ann.closed() == (1011, "internal")
        await bea.ask("join", table=code, seat=0)
        before = len(ann.received)
        await bea.ask("ready", table=code)
        assert len(ann.received) == before
        await ann.reconnect()
        assert ann.tables[code].seat == 1
        assert bea.closed() is None


async def test_reads_without_answers_are_forgotten(tmp_path: Path) -> None:
    """Unanswered reading commands are dropped: of closed connections, and the oldest of many."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        registry = server.game_server.connections
        for number in range(100, 200):
            key, command = CommandKey(ann.player, "laptop", number), ListTables(id=number)
            assert registry.begin(key, command, server.now, ann.connection)
        waiting = [key.command for key in registry._reads[ann.connection]]
        assert waiting == [*range(200 - MOST_READS, 200)]
        ann.disconnect()
        assert registry._reads == {}


def no_snapshot(self: Snapshots, *asked: object) -> bytes:
    raise RuntimeError("a fault of the server")
