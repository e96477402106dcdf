"""Connections: the newest counts, a slow one is caught up, a lost one leaves nothing behind."""

import asyncio
from pathlib import Path

import pytest

from server.store.errors import StoreUnavailable
from server.tables.snapshot_cache import Snapshots
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


async def twin(server: ServerHarness, client: TestClient) -> TestClient:
    """Another program of the same player."""
    other = TestClient(server, client_id="phone")
    await other.hello(token=client.token)
    return other


async def test_the_older_of_two_connections_is_told_and_closed(tmp_path: Path) -> None:
    """The latest connection has the seat; the older one hears `replaced` and nothing more."""
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
    """Its commands are neither carried out nor answered."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        await twin(server, ann)
        number = await ann.send("create_table", game="black_queen")
        await server.settle()
        assert ann.answers[number] == []
        assert len(server.game_server.tables.directory) == 0


async def test_of_two_hellos_at_once_the_later_one_counts(tmp_path: Path) -> None:
    """Even if the earlier one takes longer: its connection may be the one that was given up."""
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
    """A client that vanishes before its welcome counts as absent, at its tables too."""
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
    """A wrong version, an unknown token: an error, then 4001."""
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
    """A name that nobody could see is a bad message like any other; the connection stays."""
    async with open_server(tmp_path) as server:
        client = TestClient(server)
        answer = await client.hello(name="\u200d")
        assert (answer["code"], answer["id"]) == ("bad_message", 1)
        assert client.closed() is None
        assert (await client.hello(name="Ann"))["type"] == "welcome"


async def test_hello_may_be_said_again_where_the_store_failed(tmp_path: Path) -> None:
    """`try_again` to a hello leaves the connection as it was."""
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
    """Every other command before it, and a second hello, is refused under its own number."""
    async with open_server(tmp_path) as server:
        ann = TestClient(server)
        assert await ann.refusal("ping") == "hello_first"
        assert await ann.refusal("create_table", game="black_queen") == "hello_first"
        await ann.hello(name="Ann")
        assert await ann.refusal("hello", version=1, client="laptop") == "hello_first"
        assert (await ann.ask("ping"))["type"] == "pong"


async def test_a_name_is_put_in_order_and_may_be_changed(tmp_path: Path) -> None:
    """Spaces are made single and letters one form; the token keeps the player."""
    async with open_server(tmp_path) as server:
        ann = await server.client("  Zoe\u0308   B ")
        assert ann.received[0]["name"] == "Zo\u00eb B"
        player = ann.player
        welcome = await ann.reconnect(name="\U0001f469\u200d\U0001f373")
        assert (welcome["name"], ann.player) == ("\U0001f469\u200d\U0001f373", player)
        assert (await ann.reconnect())["name"] == welcome["name"]
        assert (await server.client(welcome["name"])).player != player


async def test_who_gives_no_name_is_a_guest(tmp_path: Path) -> None:
    """A name is not needed to play."""
    async with open_server(tmp_path) as server:
        nobody = TestClient(server)
        assert (await nobody.hello())["name"] == "Guest"


class Slow:
    """A table of ann and bea, whose reading ann stops."""

    bound = 20_000

    def __init__(self, server: ServerHarness, code: str, ann: TestClient, bea: TestClient) -> None:
        self.server, self.code, self.ann, self.bea = server, code, ann, bea

    @classmethod
    async def at(cls, server: ServerHarness) -> "Slow":
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await bea.open_table()
        await ann.ask("join", table=code)
        ann.wire.blocked = True
        return cls(server, code, ann, bea)

    async def chatter(self, lines: int) -> None:
        for _ in range(lines):
            await self.bea.ask("chat", table=self.code, text="x" * 500)

    async def events(self, number: int) -> None:
        for place in range(number):
            await self.bea.ask("ready", table=self.code, ready=place % 2 == 0)


async def test_a_slow_reader_gets_no_events_and_then_one_snapshot(tmp_path: Path) -> None:
    """Above the bound events are left out; a client that reads again gets its whole tables."""
    async with open_server(tmp_path, send_buffer_bytes=Slow.bound, chat_per_minute=1000) as server:
        slow = await Slow.at(server)
        await slow.chatter(40)
        assert slow.ann.connection.lagging_since is not None
        unsent = slow.ann.wire.unsent()
        assert unsent > Slow.bound
        await slow.events(9)
        assert slow.ann.wire.unsent() == unsent
        slow.ann.new_messages()
        slow.ann.wire.drain()
        await server.wait(0.5)
        heard = [
            message["type"] for message in slow.ann.new_messages() if message["type"] != "chat"
        ]
        assert heard == ["notice", "table"]
        assert 'slow_clients_total{outcome="snapshot"} 1.0' in server.metrics.render()[1].decode()
        seen, other = slow.ann.tables[slow.code], slow.bea.tables[slow.code]
        assert (seen.seq, seen.info, seen.view) == (other.seq, other.info, other.view)
        await slow.events(2)
        assert slow.ann.tables[slow.code].seq == slow.bea.tables[slow.code].seq


async def test_a_slow_readers_answers_are_never_dropped(tmp_path: Path) -> None:
    """Every command of a client that does not read is answered when it does."""
    async with open_server(tmp_path, send_buffer_bytes=4096, chat_per_minute=1000) as server:
        slow = await Slow.at(server)
        await slow.chatter(9)
        assert slow.ann.connection.lagging_since is not None
        numbers = [await slow.ann.send("ping") for _ in range(20)]
        numbers.append(await slow.ann.send("ready", table=slow.code))
        await server.settle()
        assert not any(slow.ann.answers[number] for number in numbers)
        slow.ann.wire.drain()
        assert all(len(slow.ann.answers[number]) == 1 for number in numbers)


async def test_chat_is_left_out_for_a_slow_reader_too(tmp_path: Path) -> None:
    """A missed line of chat stays missed; nobody is cut off for what others say."""
    async with open_server(tmp_path, send_buffer_bytes=4096, chat_per_minute=1000) as server:
        slow = await Slow.at(server)
        await slow.chatter(200)
        assert slow.ann.closed() is None
        assert slow.ann.wire.unsent() < 3 * 4096


async def test_a_reader_who_never_reads_is_cut_off(tmp_path: Path) -> None:
    """After half a minute behind, or over four times the bound: 1013."""
    async with open_server(tmp_path, send_buffer_bytes=4096, chat_per_minute=1000) as server:
        slow = await Slow.at(server)
        await slow.chatter(9)
        await server.wait(29)
        assert slow.ann.closed() is None
        await server.wait(2)
        assert slow.ann.closed() == (1013, "too slow")
        slow.ann.disconnect()
        assert server.game_server.next_tick() is not None
        hungry = await server.client("Cid")
        hungry.wire.blocked = True
        for _ in range(30):
            await hungry.send("games", game="black_queen")
        assert hungry.closed() == (1013, "too slow")
        assert 'slow_clients_total{outcome="dropped"} 2.0' in server.metrics.render()[1].decode()


async def test_a_slow_reader_who_hangs_up_is_forgotten(tmp_path: Path) -> None:
    """Nothing waits for a connection that is gone."""
    async with open_server(tmp_path, send_buffer_bytes=4096, chat_per_minute=1000) as server:
        slow = await Slow.at(server)
        await slow.chatter(9)
        assert server.game_server.next_tick() == server.now + 0.25
        slow.ann.disconnect()
        assert server.game_server.next_tick() != server.now + 0.25


async def test_sending_too_fast_is_refused_and_may_be_repeated(tmp_path: Path) -> None:
    """A burst is allowed, then a fixed rate; a refused command may be sent again by its number."""
    async with open_server(tmp_path, messages_per_second=2, message_burst=45) as server:
        ann = await server.client("Ann")
        numbers = [await ann.send("create_table", game="black_queen") for _ in range(6)]
        await server.settle()
        codes = [ann.answers[number][0].get("code") for number in numbers]
        assert codes == [None] * 4 + ["rate_limited"] * 2
        assert [ann.answers[number][0]["retry_after"] for number in numbers[4:]] == [5.0, 5.0]
        await server.wait(10)
        for number in numbers[4:]:
            await ann.send("create_table", number, game="black_queen")
        await server.settle()
        assert [ann.answers[number][-1]["type"] for number in numbers] == ["ok"] * 6
        assert len(server.game_server.tables.directory) == 6


@pytest.mark.parametrize("spare", [0.0, 1e-3], ids=["all at once", "a thousand a second"])
async def test_who_never_stops_is_cut_off(tmp_path: Path, spare: float) -> None:
    """A flood is refused message by message, and finally disconnected with 1008."""
    async with open_server(tmp_path, messages_per_second=50, message_burst=100) as server:
        ann = await server.client("Ann")
        sent = 0
        while ann.closed() is None and sent < 10_000:
            await ann.send("ping")
            server.now += spare
            sent += 1
        assert ann.closed() == (1008, "too many messages")
        assert 100 < sent < 200
        refused = [message for message in ann.received if message.get("code") == "rate_limited"]
        assert 20 <= len(refused) < 40


async def test_who_is_a_little_too_fast_is_not_cut_off(tmp_path: Path) -> None:
    """A client at one and a half times the rate is told so for as long as it continues."""
    async with open_server(tmp_path, messages_per_second=50, message_burst=100) as server:
        ann = await server.client("Ann")
        for _ in range(10_000):
            await ann.send("ping")
            server.now += 1 / 75
        assert ann.closed() is None


async def test_a_closed_connection_is_deaf(tmp_path: Path) -> None:
    """Data that still arrives on a closed connection changes nothing."""
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
    """By a server fault the snapshot is missing: the client is disconnected and comes back."""
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


def no_snapshot(self: Snapshots, *asked: object) -> bytes:
    raise RuntimeError("a fault of the server")
