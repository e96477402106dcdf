"""What nodes share by rows: answers, seats, and guests."""

import json
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from server.refusals import refusal, refused
from server.store import AnswerRow, Write
from tests.postgres import Cluster
from tests.server.client import TestClient
from tests.server.harness import ServerHarness
from tests.server.nodes.nodes import node_server
from tests.server.pairs import template
from tests.server.store.nodes import die, until


@pytest.fixture
def url(postgresql: Cluster) -> Iterator[str]:
    """The URL of a database of the test's own, with the schema."""
    with postgresql.database(template(postgresql)) as found:
        yield found


async def comes_to(server: ServerHarness, client: TestClient) -> TestClient:
    """The program of a player, on a connection to another node."""
    again = TestClient(server, client_id=client.client_id)
    again.token, again._ids = client.token, client._ids
    assert (await again.hello())["type"] == "welcome"
    return again


async def open_tables(server: ServerHarness) -> list[str]:
    return [row.code for row in await server.store.open_tables()]


async def test_two_nodes_that_get_the_same_command_open_one_table(url: str, tmp_path: Path) -> None:
    """Of two nodes that get one command only one opens a table, and both answer alike."""
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(node_server(url, name, tmp_path)) for name in "ab"
        ]
        ann = await first.client("Ann")
        known = await ann.open_table()
        twin = await comes_to(second, ann)
        for client in (ann, twin):
            client.server.store.hold_writes()
            await client.send("create_table", 7, game="hearts")
        for client in (twin, ann):
            client.server.store.release_writes()
            await client.server.settle()
        (answer,) = ann.answers[7]
        assert answer["type"] == "ok"
        assert twin.answers[7] == [answer]
        assert sorted(await open_tables(first)) == sorted([known, answer["table"]])
        assert second.game_server.tables.directory.is_here(answer["table"])
        assert not first.game_server.tables.directory.is_here(answer["table"])


async def test_a_refusal_at_one_node_holds_at_another(url: str, tmp_path: Path) -> None:
    """A stored refusal at one node holds at the other."""
    async with node_server(url, "a", tmp_path) as server:
        ann = await server.client("Ann")
        known = await ann.open_table()
        refused_there = refused(7, refusal("too_many_tables", "refused_no_room"))
        row = AnswerRow(ann.player, ann.client_id, 7, json.dumps(refused_there), server.now)
        await server.store.save(Write(answers=(row,)))
        assert await ann.ask("create_table", 7, game="hearts") == refused_there
        assert await open_tables(server) == [known]
        assert (await ann.ask("create_table", 8, game="hearts"))["type"] == "ok"


@pytest.mark.parametrize("stored", [True, False], ids=["stored", "not stored"])
async def test_a_command_sent_again_after_a_kill_opens_one_table(
    url: str, tmp_path: Path, stored: bool
) -> None:
    """A command repeated after a kill opens one table."""
    async with AsyncExitStack() as stack:
        second = await stack.enter_async_context(node_server(url, "b", tmp_path))
        first = await stack.enter_async_context(node_server(url, "a", tmp_path))
        ann = await first.client("Ann")
        known = await ann.open_table()
        ann.wire.blocked = True
        if not stored:
            first.store.hold_writes()
        await ann.send("create_table", 7, game="hearts")
        if stored:
            await first.settle()
        die(first.store, url)
        await until(lambda: second.game_server.tables.has(known))
        twin = await comes_to(second, ann)
        answer = await twin.ask("create_table", 7, game="hearts")
        assert answer["type"] == "ok"
        if not stored:
            first.store.release_writes()
            await first.settle()
        assert sorted(await open_tables(second)) == sorted([known, answer["table"]])
        await until(lambda: second.game_server.tables.has(answer["table"]))
        # Whatever the first node says, it says to nobody who is there.
        assert ann.answers[7] == []


async def test_seats_at_all_nodes_count(url: str, tmp_path: Path) -> None:
    """Seats at all nodes are listed and limited together."""
    limit: dict[str, Any] = {"max_tables_per_player": 2}
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(node_server(url, name, tmp_path, **limit))
            for name in "ab"
        ]
        ann, bea = await first.client("Ann"), await second.client("Bea")
        here = await ann.open_table()
        twin = await comes_to(second, ann)
        there, other = await twin.open_table(), await bea.open_table(settings={"private": True})
        for client in (ann, twin):
            tables = (await client.ask("my_tables"))["tables"]
            assert [table["info"]["table"] for table in tables] == sorted([here, there])
            assert [table["seat"] for table in tables] == [0, 0]
            assert await client.refusal("create_table", game="hearts") == "too_many_tables"
        assert await twin.refusal("join", table=other) == "too_many_tables"
        await ann.ask("leave", table=here)
        assert (await twin.ask("join", table=other))["type"] == "ok"
        tables = (await ann.ask("my_tables"))["tables"]
        assert sorted((t["info"]["table"], t["seat"]) for t in tables) == sorted(
            [(there, 0), (other, 1)]
        )


async def test_a_guest_who_has_done_something_is_known_at_every_node(
    url: str, tmp_path: Path
) -> None:
    """A guest who has done something is known at every node; others are new."""
    async with AsyncExitStack() as stack:
        second = await stack.enter_async_context(node_server(url, "b", tmp_path))
        async with node_server(url, "a", tmp_path) as first:
            asked, looked = await first.client("Asked"), await first.client("Looked")
            refused_there = await asked.ask("join", 7, table="NOWHERE")
            await looked.ask("list_tables")
        twin = await comes_to(second, asked)
        assert twin.player == asked.player
        assert await twin.ask("join", 7, table="NOWHERE") == refused_there
        stranger = TestClient(second)
        assert (await stranger.hello(token=looked.token))["code"] == "unauthorized"
        # They sit down here, and are no guest there any more.
        code = await twin.open_table()
        async with node_server(url, "a", tmp_path) as first:
            again = await comes_to(first, asked)
            assert again.player not in first.game_server.guests
            tables = (await again.ask("my_tables"))["tables"]
            assert [table["info"]["table"] for table in tables] == [code]
