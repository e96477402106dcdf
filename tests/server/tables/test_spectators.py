"""The number of a table's spectators is told to it when it changes, and only then."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from protocol.version import JSON, MSGPACK
from server.sessions.spectator_counts import INTERVAL_SECONDS
from tests.raw_client import RawClient
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.socket_server import open_socket_server


def counts(client: TestClient) -> list[int]:
    """The numbers of spectators that a guest was told since the last call."""
    return [told["count"] for told in client.new_messages("notice") if told["kind"] == "spectators"]


async def watched(server: ServerHarness, *names: str) -> tuple[str, list[TestClient]]:
    """A match of Ann and Bea, and guests who know its code."""
    code, players = await server.match_of("Ann", "Bea")
    others = [await server.client(name) for name in names]
    await server.wait(INTERVAL_SECONDS)
    return code, [*players, *others]


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_at_a_socket(tmp_path: Path, subprotocol: str) -> None:
    """At a real socket a player is told of a spectator's coming and going."""
    async with open_socket_server(tmp_path) as server, AsyncExitStack() as stack:
        ann = await stack.enter_async_context(server.client(subprotocol))
        opened = await ann.ask("create_table", game="black_queen")
        code = opened["table"]
        async with server.client(subprotocol) as walter:
            await walter.ask("watch", table=code)
            assert await next_count(ann, code) == 1
            assert await next_count(walter, code) == 1
        assert await next_count(ann, code) == 0


async def next_count(raw: RawClient, code: str) -> int:
    while True:
        for message in await raw.receive():
            if message.get("kind") == "spectators":
                assert message["table"] == code
                count: int = message["count"]
                return count


async def test_no_move_tells_it_again(tmp_path: Path) -> None:
    """Moves and syncs do not tell the number again."""
    async with open_server(tmp_path) as server:
        code, (ann, bea, walter) = await watched(server, "Walter")
        assert counts(ann) == counts(bea) == []
        await walter.ask("watch", table=code)
        assert counts(ann) == counts(bea) == counts(walter) == [1]
        for _ in range(6):
            mover = ann if ann.tables[code].my_turn else bea
            await mover.move(code)
            await server.wait(INTERVAL_SECONDS)
        await walter.ask("sync", table=code)
        await walter.ask("watch", table=code)
        await server.wait(INTERVAL_SECONDS)
        assert counts(ann) == counts(bea) == counts(walter) == []


async def test_many_who_come_and_go_are_told_of_once_a_second(tmp_path: Path) -> None:
    """Many changes are told once a second, the first at once."""
    async with open_server(tmp_path) as server:
        code, (ann, _, *others) = await watched(server, *(f"Guest {at}" for at in range(20)))
        for client in others:
            await client.ask("watch", table=code)
        assert counts(ann) == [1]
        for client in others[:5]:
            client.disconnect()
        await server.settle()
        assert counts(ann) == []
        await server.wait(INTERVAL_SECONDS)
        assert counts(ann) == [15]
        for client in others[5:]:
            await client.ask("leave", table=code)
        await server.wait(INTERVAL_SECONDS)
        assert counts(ann) == [0]


async def test_who_comes_and_goes_at_once_is_not_told_of(tmp_path: Path) -> None:
    """A spectator who comes and goes at once is not told."""
    async with open_server(tmp_path) as server:
        code, (ann, _, walter, wilma, zoe) = await watched(server, "Walter", "Wilma", "Zoe")
        await walter.ask("watch", table=code)
        assert counts(ann) == [1]
        await wilma.ask("watch", table=code)
        wilma.disconnect()
        await server.wait(INTERVAL_SECONDS)
        assert counts(ann) == []
        walter.disconnect()
        await zoe.ask("watch", table=code)
        await server.wait(INTERVAL_SECONDS)
        assert counts(ann) == []
        assert counts(zoe) == [1]


async def test_who_comes_later_hears_how_many_there_are(tmp_path: Path) -> None:
    """A returning player is told the number."""
    async with open_server(tmp_path) as server:
        code, (ann, bea, walter) = await watched(server, "Walter")
        await walter.ask("watch", table=code)
        await server.wait(INTERVAL_SECONDS)
        counts(ann)
        bea.disconnect()
        await server.wait(INTERVAL_SECONDS)
        bea.new_messages()
        await bea.reconnect()
        await server.settle()
        assert counts(bea) == [1]
        assert counts(ann) == []


async def test_a_spectator_who_sits_down_watches_no_longer(tmp_path: Path) -> None:
    """A spectator who sits down is no longer counted."""
    async with open_server(tmp_path) as server:
        ann, walter = await server.client("Ann"), await server.client("Walter")
        code = await ann.open_table(seats=2)
        await walter.ask("watch", table=code)
        assert counts(ann) == [1]
        await walter.ask("join", table=code)
        await server.wait(INTERVAL_SECONDS)
        assert counts(ann) == [0]


async def test_tables_that_are_gone_leave_nothing_behind(tmp_path: Path) -> None:
    """Closed and sleeping tables leave nothing behind."""
    async with open_server(tmp_path) as server:
        code, (ann, bea, walter) = await watched(server, "Walter")
        await walter.ask("watch", table=code)
        await ann.ask("leave", table=code)
        await bea.ask("leave", table=code)
        await server.wait(INTERVAL_SECONDS)
        kept = server.game_server.subscribers.counts
        assert (kept._told, kept._not_before, dict(kept._changed)) == ({}, {}, {})
        assert kept.next_announcement() is None


@pytest.mark.parametrize("ends", ["admitted", "refused", "leaves", "leaves at once", "lost"])
async def test_who_watches_while_they_wait_is_counted_as_long_as_they_watch(
    tmp_path: Path, ends: str
) -> None:
    """A spectator with a request is counted until they stop watching."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann", seats=3, settings={"bot_delay": 60.0})
        bea = await server.client("Bea")
        asked = await bea.ask("join", table=code)
        await bea.ask("watch", table=code)
        if ends != "leaves at once":
            await server.wait(INTERVAL_SECONDS)
            assert counts(ann) == [1]
        if ends in ("admitted", "refused"):
            await ann.ask("admit", table=code, request=asked["request"], admit=ends == "admitted")
        elif ends == "lost":
            bea.disconnect()
        else:
            await bea.ask("leave", table=code)
        await server.wait(INTERVAL_SECONDS)
        told = {"refused": [], "leaves at once": [1, 0]}
        assert counts(ann) == told.get(ends, [0])
        assert bea.player not in server.table(code).seat_requests
        assert (server.state(code).seat_of(bea.player) is not None) == (ends == "admitted")
        if ends == "admitted":
            # Whoever gives their seat up does not watch again.
            await bea.ask("leave", table=code)
            await server.wait(INTERVAL_SECONDS)
            assert counts(ann) == []
