"""Clients that read too slowly or send too fast."""

from pathlib import Path

import pytest

from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


class Slow:
    """A table of Ann and Bea, at which Ann stops reading."""

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
    """A slow reader gets no events, and then one snapshot of each table."""
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
    """The answers for a slow reader are never dropped."""
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
    """Chat is left out for a slow reader too."""
    async with open_server(tmp_path, send_buffer_bytes=4096, chat_per_minute=1000) as server:
        slow = await Slow.at(server)
        await slow.chatter(200)
        assert slow.ann.closed() is None
        assert slow.ann.wire.unsent() < 3 * 4096


async def test_what_was_said_to_a_slow_reader_is_told_behind_the_table(tmp_path: Path) -> None:
    """Chat that a slow reader missed is told after the table, if it asks for missed chat."""
    async with open_server(tmp_path, send_buffer_bytes=4096, chat_per_minute=1000) as server:
        slow = await Slow.at(server)
        slow.ann.wire.drain()
        await slow.ann.reconnect(features=["chat.earlier"])
        slow.ann.wire.blocked = True
        await slow.chatter(12)
        walter = await server.client("Walter")
        await walter.ask("watch", table=slow.code)
        await slow.bea.ask("chat", table=slow.code, text="the last one")
        slow.ann.wire.drain()
        slow.ann.new_messages()
        await server.wait(0.5)
        await server.wait(1)
        table, *told, count = slow.ann.new_messages()[1:]
        assert (table["type"], count["kind"], count["count"]) == ("table", "spectators", 1)
        assert {line["earlier"] for line in told} == {True}
        assert told[-1]["text"] == "the last one"


async def test_a_reader_who_never_reads_is_cut_off(tmp_path: Path) -> None:
    """A reader that is behind for half a minute or by four times the bound is closed: 1013."""
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
    """A slow reader that disconnects leaves nothing waiting."""
    async with open_server(tmp_path, send_buffer_bytes=4096, chat_per_minute=1000) as server:
        slow = await Slow.at(server)
        await slow.chatter(9)
        assert server.game_server.next_tick() == server.now + 0.25
        slow.ann.disconnect()
        assert server.game_server.next_tick() != server.now + 0.25


async def test_sending_too_fast_is_refused_and_may_be_repeated(tmp_path: Path) -> None:
    """A burst of commands is allowed, then a rate; refused ones may be sent again."""
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
    """A flood of commands is refused, and finally closed with 1008."""
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
    """A client a little above the rate is refused, but not disconnected."""
    async with open_server(tmp_path, messages_per_second=50, message_burst=100) as server:
        ann = await server.client("Ann")
        for _ in range(10_000):
            await ann.send("ping")
            server.now += 1 / 75
        assert ann.closed() is None
