"""Nodes with addresses of their own, which share only a database."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from structlog.typing import EventDict

from protocol.features import MOVED
from protocol.wire_form import WireForm
from server.nodes.lease_duties import LeaseDuties
from server.store import (
    DatabaseInUse,
    LeaseState,
    LeaseTimes,
    NodeDetails,
    Store,
    StoreUnavailable,
)
from tests.postgres import Cluster
from tests.server.client import TestClient
from tests.server.harness import ServerHarness
from tests.server.nodes.nodes import address, lease_of, node_server
from tests.server.pairs import template
from tests.server.store.nodes import STEADY, abandon, cut_off, die, until
from tests.server.store.test_postgresql import execute


@pytest.fixture
def url(postgresql: Cluster) -> Iterator[str]:
    """The URL of a database of the test's own, with the schema."""
    with postgresql.database(template(postgresql)) as found:
        yield found


ROAMS = {"features": [MOVED, "unchanged"]}


@asynccontextmanager
async def two_nodes(url: str, folder: Path, **more: Any) -> AsyncIterator[list[ServerHarness]]:
    """Nodes a and b, each of which has read the other's row."""
    async with (
        node_server(url, "a", folder, **more) as a,
        node_server(url, "b", folder, **more) as b,
    ):
        await until(lambda: bool(others_of(a) and others_of(b)))
        yield [a, b]


def others_of(server: ServerHarness) -> list[str]:
    others = server.game_server.neighbours
    assert others is not None
    return others.here()


def lose_database(server: ServerHarness) -> LeaseDuties:
    """Let a node notice that its lease is not sure any more."""
    duties = lease_of(server)
    cut_off(server.store)
    duties.lease(LeaseState.UNSURE)
    return duties


async def answer(client: TestClient, type: str, **fields: Any) -> WireForm:
    """The answer to a command, waiting until the server has read its rows again."""
    number = await client.send(type, **fields)
    await until(lambda: bool(client.answers[number]))
    await client.server.settle()
    return client.answers[number][0]


def is_moved(client: TestClient) -> bool:
    """Whether a client was last told that a table is elsewhere."""
    return bool(client.received) and client.received[-1]["type"] == "moved"


async def roamer(server: ServerHarness, name: str) -> TestClient:
    """A new player whose client follows tables to their nodes."""
    client = TestClient(server)
    await client.hello(name=name, **ROAMS)
    return client


async def test_a_client_is_told_where_a_table_is(url: str, tmp_path: Path) -> None:
    """A client is told where a table is, and the command is carried out there by its player."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann = await roamer(a, "Ann")
        code = await ann.open_table()
        bea = await roamer(b, "Bea")
        number = await bea.send("join", table=code)
        await until(lambda: bool(bea.answers[number]))
        told = {"type": "moved", "id": number, "table": code, "url": address("a")}
        assert bea.answers.pop(number) == [told]
        await bea.reconnect(a, **ROAMS)
        assert (await bea.ask("join", number, table=code))["type"] == "ok"
        assert [chair.player for chair in a.state(code).chairs] == [ann.player, bea.player]
        # Wherever they come in they hear of their seats.
        bea.new_messages()
        await bea.reconnect(b, **ROAMS)
        await until(lambda: is_moved(bea))
        assert bea.received[-1] == {"type": "moved", "table": code, "url": address("a")}
        assert not bea.new_messages("closed")


async def test_an_older_client_is_told_to_go_there_or_to_be_updated(
    url: str, tmp_path: Path
) -> None:
    """An older client is told to connect there or update, as a stored answer."""
    async with two_nodes(url, tmp_path) as (a, b):
        code = await (await roamer(a, "Ann")).open_table()
        old = await b.client("Old")
        number = await old.send("join", table=code)
        await until(lambda: bool(old.answers[number]))
        await b.settle()
        (refused,) = old.answers.pop(number)
        assert (refused["type"], refused["code"]) == ("error", "elsewhere")
        assert address("a") in refused["reason"]
        await old.reconnect()
        assert await old.ask("join", number, table=code) == refused
        assert (await answer(old, "watch", table=code))["code"] == "elsewhere"
        assert not old.new_messages("closed")


async def test_a_table_of_a_node_that_is_gone_is_taken_by_whoever_is_asked(
    url: str, tmp_path: Path
) -> None:
    """A table of a lost node is taken by the node that is asked."""
    async with two_nodes(url, tmp_path) as (a, b):
        code, (ann, bea) = await a.match_of("Ann", "Bea")
        other = await (await roamer(a, "Cem")).open_table()
        die(a.store, url)
        watcher = await roamer(b, "Dee")
        watched = await answer(watcher, "watch", table=other, failed=address("a"))
        assert watched["type"] == "ok"
        assert other in watcher.tables
        await bea.reconnect(b, **ROAMS)
        await until(lambda: "view" in bea.received[-1] or bea.received[-1]["type"] != "welcome")
        await b.settle()
        assert not bea.new_messages("moved")
        assert b.state(code).seat_of(bea.player) == 1
        await ann.reconnect(b, **ROAMS)
        await b.settle()
        await b.play(code, 4, ann, bea)


async def test_who_could_not_reach_a_node_waits_until_it_has_surely_lived_since(
    url: str, tmp_path: Path
) -> None:
    """A client that could not reach a node waits until it has surely been alive since."""
    times = LeaseTimes(lasts=1.5, renewal=0.05, margin=0.2, grace=0.1)
    async with two_nodes(url, tmp_path, times=times) as (a, b):
        code = await (await roamer(a, "Ann")).open_table()
        bea, cem = await roamer(b, "Bea"), await roamer(b, "Cem")
        told = await answer(bea, "watch", table=code, failed=address("a"))
        assert (told["type"], told["url"]) == ("moved", address("a"))
        abandon(a.store)
        others = b.game_server.neighbours
        assert others is not None
        # As if it had begun a moment ago.
        others._rows.clear()
        waits = await bea.send("watch", table=code, failed=address("a"))
        assert not bea.answers[waits]
        # One who has not tried it yet may.
        told = await answer(cem, "watch", table=code)
        assert (told["type"], told["url"]) == ("moved", address("a"))
        await until(lambda: bool(bea.answers[waits]))
        assert bea.answers[waits][0]["type"] == "ok"
        assert b.state(code) is not None


async def test_those_who_follow_a_table_hear_where_it_was_given(url: str, tmp_path: Path) -> None:
    """Players and spectators are told where a table moves, and shown it there."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann, bea, cem = [await roamer(a, name) for name in ("Ann", "Bea", "Cem")]
        code = await ann.open_table()
        await bea.ask("join", table=code)
        await ann.ask("start", table=code)
        await cem.ask("watch", table=code)
        await a.play(code, 3, ann, bea)
        seen = ann.tables[code].seq
        moving = a.game_server.moving
        assert moving is not None
        moving.begin()
        assert await a.game_server.ready() == "draining"
        for client in (ann, bea, cem):
            await until(partial(is_moved, client))
            assert client.received[-1] == {"type": "moved", "table": code, "url": address("b")}
            assert not client.new_messages("closed")
            await client.reconnect(b, **ROAMS)
            await b.settle()
        assert ann.tables[code].seq == seen
        await b.play(code, 3, ann, bea)
        assert cem.tables[code].seq == ann.tables[code].seq
        assert moving.left == 0


async def test_a_table_that_could_not_be_given_away_goes_on(url: str, tmp_path: Path) -> None:
    """A table that could not be moved goes on."""
    async with two_nodes(url, tmp_path) as (a, _):
        ann, cem = await roamer(a, "Ann"), await roamer(a, "Cem")
        code = await ann.open_table()
        await cem.ask("watch", table=code)
        ann.new_messages()
        moving = a.game_server.moving
        assert moving is not None
        a.store.broken = True
        assert not await moving._give(code)
        a.store.broken = False
        await until(lambda: code in a.game_server.live)
        await a.settle()
        assert not ann.new_messages("moved")
        await ann.ask("configure", table=code, settings={"watchable": True})
        assert cem.tables[code].seq == ann.tables[code].seq


async def test_lists_have_the_tables_of_all_nodes(url: str, tmp_path: Path) -> None:
    """Lists have the tables of all nodes, without closed ones."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann, bea = await roamer(a, "Ann"), await roamer(b, "Bea")
        code = await ann.open_table()

        async def listed() -> list[str]:
            tables = (await bea.ask("list_tables"))["tables"]
            return [table["table"] for table in tables]

        async def has(*codes: str) -> bool:
            return await listed() == [*codes]

        await until(lambda: has(code))
        assert not b.loaded()
        await ann.ask("leave", table=code)
        await until(lambda: has())


async def test_a_node_without_its_database_sends_its_players_to_the_others(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node without its database sends its players away after a while, if not alone."""
    monkeypatch.setattr("server.nodes.lease_duties.PATIENCE_SECONDS", 0.0)
    async with two_nodes(url, tmp_path) as (a, b):
        ann = await roamer(b, "Ann")
        code = await ann.open_table()
        lose_database(b)
        await until(lambda: ann.closed() is not None)
        execute(url, "UPDATE nodes SET expires = 1 WHERE name = 'b'")
        ann.connect(b)
        assert (await ann.hello(**ROAMS))["code"] == "try_again"
        await ann.reconnect(a, **ROAMS)
        await a.settle()
        assert ann.tables[code].seat == 0
    async with node_server(url, "c", tmp_path) as alone:
        bea = await roamer(alone, "Bea")
        lose_database(alone)._leave_to_others()
        await alone.settle()
        assert bea.closed() is None


async def test_nodes_of_different_kinds_do_not_share_a_database(url: str, tmp_path: Path) -> None:
    """Nodes of different kinds do not share a database."""
    async with node_server(url, "a", tmp_path):
        with pytest.raises(DatabaseInUse, match="used by a, nodes of a cluster"):
            await Store.open(url)
        with pytest.raises(DatabaseInUse, match="used by a, nodes with an address for clients"):
            await Store.open(url, node=NodeDetails("n1", times=STEADY, address="host"))
    store = await Store.open(url)
    try:
        with pytest.raises(DatabaseInUse, match="a server that is no node uses this database"):
            await Store.open(url, node=NodeDetails("a", times=STEADY, address=address("a")))
    finally:
        await store.close()


async def test_while_the_database_is_away_tables_elsewhere_are_asked_for_again(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_events: list[EventDict]
) -> None:
    """While the database is away tables elsewhere are asked for again, logged once."""
    async with two_nodes(url, tmp_path) as (a, b):
        code = await (await roamer(a, "Ann")).open_table()
        bea = await roamer(b, "Bea")

        async def away(table: str) -> None:
            raise StoreUnavailable("gone")

        monkeypatch.setattr(b.store, "owner", away)
        assert (await answer(bea, "watch", table=code))["code"] == "try_again"
        assert not [event for event in log_events if event["log_level"] == "error"]


async def test_a_crowd_that_looks_for_one_table_asks_once(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many requests for one table at once cause one look."""
    async with two_nodes(url, tmp_path) as (a, b):
        code = await (await roamer(a, "Ann")).open_table()
        asked = 0
        owner = b.store.owner

        async def counted(table: str) -> Any:
            nonlocal asked
            asked += 1
            return await owner(table)

        monkeypatch.setattr(b.store, "owner", counted)
        clients = [await roamer(b, f"Bea {number}") for number in range(20)]
        asked = 0
        answers = await asyncio.gather(*(answer(each, "watch", table=code) for each in clients))
        assert {each["url"] for each in answers} == {address("a")}
        assert asked < len(clients)
