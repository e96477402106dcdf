"""A node that shares its database: what it gets, what it shows, and when it does nothing."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from server.store import LeaseState
from tests.postgres import Cluster
from tests.server.client import TestClient
from tests.server.harness import ServerHarness
from tests.server.nodes.nodes import lease_of, node_server
from tests.server.store.nodes import SHORT, abandon, believe, die, until
from tests.server.store.test_postgresql import execute

HERE = {"type": "presence", "seat": 1, "away": False}


@pytest.fixture
def url(postgresql: Cluster) -> Iterator[str]:
    """The URL of a database of the test's own."""
    with postgresql.database() as found:
        yield found


async def same_player(server: ServerHarness, client: TestClient) -> TestClient:
    """The player of `client`, connected at another server."""
    twin = TestClient(server)
    assert (await twin.hello(token=client.token))["type"] == "welcome"
    # It is the same program, which counts on.
    twin._ids = count(1000)
    return twin


async def test_a_dead_nodes_players_are_shown_their_tables_by_the_next(
    url: str, tmp_path: Path
) -> None:
    """The players of a dead node are shown their tables by the next one unasked."""
    async with node_server(url, "a", tmp_path) as first, node_server(url, "b", tmp_path) as second:
        code, (ann, bea) = await first.match_of("Ann", "Bea")
        own, _ = await second.match_of("Cem", "Dee")
        await first.play(code, 5, ann, bea)
        twin, bob = await same_player(second, ann), await same_player(second, bea)
        mover, again = (ann, twin) if ann.tables[code].my_turn else (bea, bob)
        mirror = mover.tables[code]
        move = {"table": code, "turn": mirror.question.turn, "action": mirror.choices.actions[0]}
        assert (await mover.ask("act", 900, **move))["type"] == "ok"
        last = first.state(code).seq
        assert twin.tables == {}
        assert not second.game_server.tables.has(code)
        before = second.table(own)
        die(first.store, url)
        registry, duties = second.game_server.tables, lease_of(second)
        await until(lambda: bool(registry.load_queue))
        duties.took([own, code])
        await second.settle()
        assert twin.tables[code].seq == last
        assert twin.tables[code].seat == ann.tables[code].seat
        assert second.table(own) is before
        table = second.table(code)
        assert [table.clocks.is_away(seat) for seat in (0, 1)] == [False, False]
        # Sent again, as the answer of the first node has not come: it is found in the log.
        assert (await again.ask("act", 900, **move))["type"] == "ok"
        assert second.state(code).seq == last
        await second.play(code, 4, twin, bob)
        assert second.state(code).seq > last


async def test_a_node_whose_lease_is_not_sure_does_nothing(url: str, tmp_path: Path) -> None:
    """A node without a sure lease does nothing, and then sends what it held back."""
    async with node_server(url, "a", tmp_path, SHORT) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        node, game_server = server.store.node, server.game_server
        assert node is not None
        abandon(server.store)
        await until(lambda: node.state is LeaseState.UNSURE)
        game_server.subscribers.broadcast(code, HERE | {"table": code})
        bea.new_messages()
        number = await ann.send("chat", table=code, text="Is anybody here?")
        assert ann.answers[number][-1]["code"] == "try_again"
        number = await ann.send("list_tables")
        assert ann.answers[number][-1]["code"] == "try_again"
        assert await game_server.tick() is False
        assert (
            await game_server.why_away()
            == await game_server.ready()
            == ("the store does not answer: node a: its lease was not renewed in time")
        )
        assert bea.new_messages() == []
        believe(server.store)
        execute(url, "UPDATE nodes SET expires = expires + 30")
        node._look()
        assert [message["type"] for message in bea.new_messages()] == ["presence"]
        assert (await ann.ask("chat", table=code, text="There you are"))["type"] == "ok"


async def test_slow_readers_are_looked_at_while_the_lease_is_not_sure(
    url: str, tmp_path: Path
) -> None:
    """A slow reader that has caught up during an unsure lease is not closed."""
    async with node_server(
        url, "a", tmp_path, SHORT, send_buffer_bytes=4096, chat_per_minute=1000
    ) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        node, slow_readers = server.store.node, server.game_server.slow_readers
        assert node is not None
        bea.wire.blocked = True
        while slow_readers.next_check() is None:
            await ann.ask("chat", table=code, text="x" * 500)
        abandon(server.store)
        await until(lambda: node.state is LeaseState.UNSURE)
        bea.wire.drain()
        bea.new_messages()
        assert await server.game_server.tick() is False
        assert slow_readers.next_check() is None
        assert [message["kind"] for message in bea.new_messages()] == ["lagging"]
        server.now += 60
        believe(server.store)
        execute(url, "UPDATE nodes SET expires = expires + 30")
        node._look()
        await server.game_server.tick()
        assert bea.closed() is None
        assert [each["type"] for each in bea.new_messages() if each["type"] != "chat"] == ["table"]


async def test_a_node_that_was_fenced_tells_nobody_anything(url: str, tmp_path: Path) -> None:
    """A fenced node tells its players nothing more."""
    async with node_server(url, "a", tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        ends: list[str] = []
        lease_of(server)._fenced = lambda: ends.append("over")
        bea.new_messages()
        execute(url, "UPDATE nodes SET epoch = epoch + 1, expires = 0")
        await until(lambda: ends == ["over"])
        server.game_server.subscribers.broadcast(code, HERE | {"table": code})
        server.game_server.connections.flush()
        await ann.send("chat", table=code, text="Is anybody here?")
        assert bea.new_messages() == []
        assert "another node has taken over" in await server.game_server.ready()
        assert {ann.closed(), bea.closed()} == {(1012, "other servers have the tables")}
        assert (await ann.reconnect())["code"] == "try_again"
