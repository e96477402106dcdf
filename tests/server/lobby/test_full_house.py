"""A server full of tables: nobody takes them all, and deserted tables make room."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

OTHER = "198.51.100.7"


async def opened(
    server: ServerHarness, name: str, *, times: int = 1, **who: Any
) -> tuple[TestClient, list[str]]:
    """A guest with this many tables."""
    client = await server.client(name, **who)
    return client, [await client.open_table() for _ in range(times)]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerHarness]:
    """A server with room for four tables, three of one address in the lobby."""
    async with open_server(tmp_path, max_tables=4, max_lobby_tables_per_address=3) as server:
        yield server


async def test_an_address_does_not_take_all_tables(server: ServerHarness) -> None:
    """One address cannot open all tables, whatever its number of guests; matches go on."""
    first, (code, _) = await opened(server, "Ann", times=2)
    await opened(server, "Bea")
    cid = await server.client("Cid")
    answer = await cid.ask("create_table", game="black_queen")
    assert answer["code"] == "too_many_tables"
    assert "from your address" in answer["reason"]
    await first.ask("start", table=code, fill=0)
    assert (await cid.ask("create_table", game="black_queen"))["type"] == "ok"


async def test_limits_by_address_count_addresses(server: ServerHarness) -> None:
    """Limits by address count each address, without tables that are gone."""
    ann, codes = await opened(server, "Ann", times=3)
    dan, _ = await opened(server, "Dan", address=OTHER)
    assert len(server.game_server.tables.directory) == 4
    for code in codes:
        await ann.ask("leave", table=code)
    assert await ann.open_table()
    assert await dan.open_table()


async def test_tables_of_other_nodes_take_no_room(server: ServerHarness) -> None:
    """Tables of other nodes do not count for a node's limits."""
    ann, codes = await opened(server, "Ann", times=3)
    directory = server.game_server.tables.directory
    info = directory.info(codes[0])
    assert info is not None
    for number in range(4):
        directory.learn(f"ELSE{number}", info, [], "b")
    await opened(server, "Dan", address=OTHER)
    assert await ann.refusal("create_table", game="black_queen") == "too_many_tables"


async def test_what_will_be_refused_takes_no_room(tmp_path: Path) -> None:
    """Refused tables take no room from others."""
    async with open_server(tmp_path, max_tables=4, max_tables_per_address=3) as server:
        greedy = [await server.client(f"Guest {number}") for number in range(8)]
        dan = await server.client("Dan", address=OTHER)
        await asyncio.gather(
            *(guest.ask("create_table", game="black_queen") for guest in greedy),
            dan.ask("create_table", game="black_queen"),
        )
        directory = server.game_server.tables.directory
        assert len(directory) == 4
        assert directory.tables_of(dan.player)


async def test_a_table_that_cannot_be_stored_counts_for_nobody(server: ServerHarness) -> None:
    """A table that cannot be stored counts for no limit."""
    ann = await server.client("Ann")
    server.store.broken = True
    for _ in range(5):
        assert await ann.refusal("create_table", game="black_queen") == "try_again"
    server.store.broken = False
    assert [await ann.open_table() for _ in range(3)]


async def test_without_the_limit_one_address_may_take_them_all(tmp_path: Path) -> None:
    async with open_server(tmp_path, max_tables=4, max_lobby_tables_per_address=0) as server:
        ann, _ = await opened(server, "Ann", times=4)
        assert await ann.refusal("create_table", game="black_queen") == "too_many_tables"


async def test_deserted_tables_make_room(server: ServerHarness) -> None:
    """The table deserted first makes room, and host and spectators are told why."""
    ann, (first,) = await opened(server, "Ann")
    bea, (second,) = await opened(server, "Bea")
    _, (third,) = await opened(server, "Cid")
    _, (fourth,) = await opened(server, "Dan", address=OTHER)
    await ann.ask("add_bot", table=first, strength=0)
    watcher = await server.client("Wim")
    await watcher.ask("watch", table=second)
    bea.disconnect()
    await server.wait(2)
    ann.disconnect()
    eve, (fifth,) = await opened(server, "Eve", address=OTHER)
    assert set(server.loaded()) == {first, third, fourth, fifth}
    assert watcher.new_messages("closed") == [
        {"type": "closed", "table": second, "reason": "evicted"}
    ]
    await bea.reconnect()
    assert bea.new_messages("closed") == [{"type": "closed", "table": second, "reason": "evicted"}]
    sixth = await eve.open_table()
    assert set(server.loaded()) == {third, fourth, fifth, sixth}
    assert await eve.refusal("create_table", game="black_queen") == "too_many_tables"


async def test_a_match_that_was_begun_goes_last(server: ServerHarness) -> None:
    """A table with a match goes after those in the lobby and finished ones."""
    ann, (playing,) = await opened(server, "Ann")
    await ann.ask("start", table=playing, fill=0)
    ann.disconnect()
    await server.wait(60)
    assert playing not in server.loaded()
    bea, (waiting,) = await opened(server, "Bea", address=OTHER)
    await opened(server, "Cid", times=2)
    bea.disconnect()
    dan, _ = await opened(server, "Dan", address=OTHER)
    assert waiting not in server.game_server.tables.directory
    assert playing in server.game_server.tables.directory
    await dan.open_table()
    assert playing not in server.game_server.tables.directory


@pytest.mark.parametrize("restart", [False, True])
async def test_a_match_waits_for_who_lost_the_connection(tmp_path: Path, restart: bool) -> None:
    """A table in play waits for its absent players as long as elsewhere."""
    settings: dict[str, Any] = {"max_tables": 2, "grace_seconds": 30.0}
    async with open_server(tmp_path, **settings) as server:
        ann, (playing,) = await opened(server, "Ann")
        await ann.ask("start", table=playing, fill=0)
        bea, _ = await opened(server, "Bea")
        if not restart:
            ann.disconnect()
            await _is_spared(server, ann, playing)
    if restart:
        async with open_server(tmp_path, now=server.now + 1, **settings) as server:
            await bea.reconnect(server)
            await _is_spared(server, ann, playing)


async def _is_spared(server: ServerHarness, ann: TestClient, playing: str) -> None:
    """Check that Ann's match is kept until she has had time to come back."""
    eve = await server.client("Eve")
    assert await eve.refusal("create_table", game="black_queen") == "too_many_tables"
    await ann.reconnect(server)
    assert ann.tables[playing].info.phase == "playing"
    ann.disconnect()
    await server.wait(30)
    await eve.open_table()
    assert playing not in server.game_server.tables.directory


async def test_where_anybody_else_sits_a_table_stays(server: ServerHarness) -> None:
    """A table with another seated player, even an absent one, stays."""
    ann, (code,) = await opened(server, "Ann")
    bea = await server.client("Bea")
    await bea.ask("join", table=code)
    await opened(server, "Cid", times=2)
    dan, _ = await opened(server, "Dan", address=OTHER)
    ann.disconnect()
    bea.disconnect()
    assert await dan.refusal("create_table", game="black_queen") == "too_many_tables"


async def test_tables_of_before_a_restart_make_room(tmp_path: Path) -> None:
    """Sleeping tables of before a restart make room, except those whose hosts came back."""
    settings: dict[str, Any] = {"max_tables": 3, "max_lobby_tables_per_address": 0}
    async with open_server(tmp_path, **settings) as server:
        ann, (mine,) = await opened(server, "Ann")
        _, codes = await opened(server, "Bea", times=2)
    async with open_server(tmp_path, now=server.now + 1, **settings) as server:
        await ann.reconnect(server)
        cid, new = await opened(server, "Cid", times=2)
        assert server.loaded() == {mine, *new}
        assert await cid.refusal("create_table", game="black_queen") == "too_many_tables"
        assert not any(code in server.game_server.tables.directory for code in codes)


async def test_a_disk_that_fails_evicts_nobody(server: ServerHarness) -> None:
    """On a failing disk no table is evicted, and the newcomer is told."""
    ann, codes = await opened(server, "Ann", times=3)
    _, (other,) = await opened(server, "Bea", address=OTHER)
    ann.disconnect()
    cid = await server.client("Cid", address=OTHER)
    server.store.broken = True
    assert await cid.refusal("create_table", game="black_queen") == "try_again"
    server.store.broken = False
    assert set(codes) | {other} == {
        c for c in [*codes, other] if c in server.game_server.tables.directory
    }
    await cid.open_table()
    assert len(server.game_server.tables.directory) == 4


async def test_many_at_once_evict_one_table_each(server: ServerHarness) -> None:
    """Several newcomers evict one table each."""
    ann, _ = await opened(server, "Ann", times=3)
    bea, (other,) = await opened(server, "Bea", address=OTHER)
    ann.disconnect()
    server.store.hold_writes()
    numbers = [await bea.send("create_table", game="black_queen", seats=2) for _ in range(4)]
    server.store.release_writes()
    await server.settle()
    answers = [bea.answers[number][0] for number in numbers]
    assert [answer.get("code") for answer in answers].count("too_many_tables") == 2
    assert len(server.game_server.tables.directory) == 4
    assert other in server.game_server.tables.directory
