"""Administrators' requests to one node that all nodes carry out."""

import asyncio
from pathlib import Path

import psycopg
import pytest

from server.admin.answers import (
    Announced,
    AuditLines,
    Balancing,
    Banned,
    BanPage,
    ClosedTable,
    Draining,
    Kicked,
    PlayerPage,
    ServerStatus,
    Unbanned,
    Undrained,
)
from server.admin.audit import FILE, AuditLog, Caller
from server.admin.requests import (
    Announce,
    BalanceTables,
    Ban,
    CloseTable,
    Drain,
    KickPlayer,
    ListBans,
    ListPlayers,
    ReadLog,
    Status,
    Unban,
    Undrain,
)
from server.nodes.admin_errors import (
    INTERNAL,
    NO_ANSWER,
    TRY_AGAIN,
    UNKNOWN_NODE,
    UNKNOWN_PLAYER,
    UNKNOWN_REQUEST,
    UNKNOWN_TABLE,
    AdminError,
)
from server.nodes.node_requests import Body, NodeRequests
from tests.counts import count
from tests.server.admin.asking import administration, ask, refusal
from tests.server.admin.test_service import housekeeping
from tests.server.client import TestClient
from tests.server.harness import ServerHarness
from tests.server.nodes.nodes import node_server
from tests.server.nodes.test_whole_nodes import ROAMS, others_of, roamer, two_nodes, url
from tests.server.store.nodes import abandon, die, until

__all__ = ["url"]  # a fixture


async def knows(server: ServerHarness, code: str) -> None:
    """Wait until a node has read the row of another one's table."""
    await until(lambda: code in server.game_server.tables.directory)


async def test_an_announcement_is_told_by_every_node(url: str, tmp_path: Path) -> None:
    """An announcement is told once by every node, to tables and other clients."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann, bea = await roamer(a, "Ann"), await roamer(b, "Bea")
        await bea.open_table()
        long = "ä" * 500
        assert await ask(a, Announce(text=long), Announced) == Announced(clients=2)
        await b.settle()
        assert [told["reason"] for told in ann.new_messages("notice")] == [long]
        assert [told["text"] for told in bea.new_messages("chat")] == [long]


async def test_a_kick_ends_connections_and_seats_at_every_node(url: str, tmp_path: Path) -> None:
    """A kick ends the player's connections and seats at every node."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann, bea = await roamer(a, "Ann"), await roamer(b, "Bea")
        here, there = await bea.open_table(), await ann.open_table()
        await ann.ask("start", table=there, fill=0)
        await bea.reconnect(a, **ROAMS)
        await bea.ask("join", table=there)
        away = TestClient(b, client_id=bea.client_id)
        away.token = bea.token
        await away.hello(**ROAMS)
        request = KickPlayer(player="Bea", reason="be nice")
        (gone,) = (await ask(a, request, Kicked)).kicked
        assert (gone.player, gone.online) == (bea.player, True)
        assert here in gone.tables
        for client in (bea, away):
            await client.server.settle()
            assert client.closed() == (4001, "forbidden")
        assert here not in b.loaded() or b.state(here).seat_of(str(bea.player)) is None
        assert await a.store.seats_of(str(bea.player)) == []
        told = await ask(b, KickPlayer(player=str(bea.player)), Kicked)
        assert [(line.online, line.tables) for line in told.kicked] == [(False, ())]
        # They may come back, and sit down where they have a table.
        await bea.reconnect(b, **ROAMS)
        assert bea.closed() is None


async def test_a_guest_of_another_node_is_kicked_by_name(url: str, tmp_path: Path) -> None:
    """A guest connected to another node is kicked by name, if it is unique."""
    async with two_nodes(url, tmp_path) as (a, b):
        bea = await b.client("Bea", address="192.0.2.7")
        other = await a.client("Cem")
        (gone,) = (await ask(a, KickPlayer(player="Bea"), Kicked)).kicked
        assert (gone.player, gone.name, gone.address) == (bea.player, "Bea", "192.0.2.7")
        await b.settle()
        assert bea.closed() == (4001, "forbidden")
        cem = await b.client("Cem", address="192.0.2.8")
        with pytest.raises(AdminError) as several:
            await ask(a, KickPlayer(player="Cem"), Kicked)
        assert f"{cem.player}  at no table, 192.0.2.8" in str(several.value)
        assert str(other.player) in str(several.value)
        assert await refusal(a, KickPlayer(player="Zoe")) == UNKNOWN_PLAYER


async def test_bans_hold_at_every_node(url: str, tmp_path: Path) -> None:
    """Bans of players and addresses hold at every node until lifted at any."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann, bea = await roamer(b, "Ann"), await b.client("Bea", address="192.0.2.7")
        code = await ann.open_table()
        await bea.ask("join", table=code)
        seat = b.state(code).seat_of(str(bea.player))
        assert seat is not None
        told = await ask(a, Ban(subject="192.0.2.7", reason="spam"), Banned)
        assert [(line.player, line.tables) for line in told.kicked] == [(bea.player, (code,))]
        await b.settle()
        assert bea.closed() == (4001, "forbidden")
        assert b.state(code).seat_of(str(bea.player)) is None
        assert len((await ask(b, ListBans(), BanPage)).bans) == 1
        stranger = TestClient(b, address="192.0.2.7")
        assert (await stranger.hello(name="New"))["code"] == "forbidden"
        await ask(b, Ban(subject=str(ann.player)), Banned)
        assert ann.closed() == (4001, "forbidden")
        for subject in ("192.0.2.7", str(ann.player)):
            assert (await ask(a, Unban(subject=subject), Unbanned)).failed == ()
        assert (await ask(b, ListBans(), BanPage)).bans == ()
        assert (await stranger.reconnect(b))["type"] == "welcome"


async def test_a_table_is_closed_by_the_node_that_has_it(url: str, tmp_path: Path) -> None:
    """A table is closed by its node, whichever is asked; twice does no harm."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann = await roamer(b, "Ann")
        code, other = await ann.open_table(), await ann.open_table()
        await ask(a, CloseTable(table=code.lower()), ClosedTable)
        assert ann.new_messages("closed")[-1]["reason"] == "closed_by_administrator"
        assert await refusal(a, CloseTable(table=code)) == UNKNOWN_TABLE
        assert await refusal(b, CloseTable(table=code)) == UNKNOWN_TABLE
        await ask(a, CloseTable(table=other), ClosedTable)
        assert not b.game_server.tables.has(other)


async def test_a_table_of_nobody_is_closed_by_the_node_asked(url: str, tmp_path: Path) -> None:
    """A table without a node is closed by the node that is asked."""
    async with two_nodes(url, tmp_path) as (a, b):
        code = await (await roamer(b, "Ann")).open_table()
        await b.store.close()
        await ask(a, CloseTable(table=code), ClosedTable)
        assert (await a.store.load(code))[0].phase == "closed"  # type: ignore[index]


async def test_any_node_is_drained_and_balanced_from_any(url: str, tmp_path: Path) -> None:
    """Any node can be drained or balanced from any other."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann = await roamer(b, "Ann")
        codes = [await ann.open_table() for _ in range(4)]
        told = await ask(a, Drain(node="b"), Draining)
        assert (told.node, told.tables) == ("b", 4)
        # Sent again it goes on.
        assert (await ask(a, Drain(node="b"), Draining)).node == "b"
        await until(lambda: all(map(a.game_server.tables.has, codes)))
        assert b.game_server.moving.drains  # type: ignore[union-attr]
        assert await ask(a, Undrain(node="b"), Undrained) == Undrained(node="b")
        await until(lambda: not a.game_server.moving.drained())  # type: ignore[union-attr]
        balanced = await ask(b, BalanceTables(), Balancing)
        assert balanced.failed == ()
        await until(
            lambda: len(b.game_server.tables.directory) == balanced.tables,
        )
        assert await refusal(a, Drain(node="c")) == UNKNOWN_NODE


async def test_two_nodes_that_are_drained_at_once_keep_their_tables(
    url: str, tmp_path: Path
) -> None:
    """Two nodes drained at once keep their tables."""
    async with two_nodes(url, tmp_path) as (a, b):
        code, (ann, bea) = await a.match_of("Ann", "Bea")
        for server in (a, b):
            server.game_server.moving.begin()  # type: ignore[union-attr]
        await until(lambda: a.game_server.moving.drained() == ["a", "b"])  # type: ignore[union-attr]
        where = a if a.game_server.tables.has(code) else b
        if where is a:
            await a.play(code, 4, ann, bea)
        assert await ask(b, Undrain(node="a"), Undrained) == Undrained(node="a")


async def test_status_and_log_of_other_nodes(url: str, tmp_path: Path) -> None:
    """The audit log has the lines of all nodes by time; status is of one."""
    async with two_nodes(url, tmp_path) as (a, b):
        await roamer(b, "Bea")
        assert await refusal(a, Status(node="b")) == UNKNOWN_REQUEST
        assert await ask(a, ReadLog(), AuditLines) == AuditLines(log=())
        b.settings = b.settings.model_copy(update={"data": tmp_path / "b"})
        administration(b)
        told = await ask(a, Status(node="b"), ServerStatus)
        assert (told.node, told.connections) == ("b", 1)
        own = await ask(a, Status(), ServerStatus)
        assert (own.node, own.connections) == ("a", 0)
        (tmp_path / "b").mkdir()
        for name, folder, act in (
            ("b", tmp_path / "b", "kick"),
            ("a", tmp_path, "ban"),
            # As where two nodes have one folder.
            ("c", tmp_path, "close"),
            ("b", tmp_path / "b", "unban"),
        ):
            a.now += 1
            audit = AuditLog(folder / FILE, lambda: a.now, name)
            await audit.record(Caller(None, 7), act, {}, "ok")
        lines = (await ask(a, ReadLog(), AuditLines)).log
        told_of = [(line.act, line.node) for line in lines]
        assert told_of == [("kick", "b"), ("ban", "a"), ("unban", "b")]
        lines = (await ask(b, ReadLog(lines=2), AuditLines)).log
        assert [line.act for line in lines] == ["ban", "unban"]


async def test_players_are_those_of_the_node_asked(url: str, tmp_path: Path) -> None:
    """Players are those of the asked node and all with a seat; others' presence is unknown."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann, bea = await roamer(a, "Ann"), await roamer(b, "Bea")
        code = await bea.open_table()
        await knows(a, code)
        page = await ask(a, ListPlayers(), PlayerPage)
        assert page.node == "a"
        assert {line.player: (line.online, line.tables) for line in page.players} == {
            ann.player: (True, ()),
            bea.player: (None, (code,)),
        }


async def test_a_node_that_does_not_answer_is_named(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that does not answer is named, and asked alone it gives an error."""
    monkeypatch.setattr("server.nodes.node_requests.WORK_SECONDS", 0.1)
    async with two_nodes(url, tmp_path) as (a, b):
        ann = await roamer(a, "Ann")
        abandon(b.store)
        told = await ask(a, Announce(text="hello"), Announced)
        assert told.clients == 1
        assert [(each.node, each.code) for each in told.failed] == [("b", "no_answer")]
        assert "may still do it" in told.failed[0].reason
        assert ann.new_messages("notice")
        with pytest.raises(AdminError, match="node 'b' has not answered within"):
            await ask(a, Drain(node="b"), Draining)


def requests_of(server: ServerHarness) -> NodeRequests:
    return server.game_server.for_administrators.requests


async def test_a_request_that_is_read_again_is_done_once(url: str, tmp_path: Path) -> None:
    """A request that is read twice is carried out once."""
    async with two_nodes(url, tmp_path) as (a, b):
        bea = await roamer(b, "Bea")
        await ask(a, Announce(text="hello"), Announced)
        assert a.store.node is not None
        rows = (await b.store.changed_since(1)).requests
        assert [row.kind for row in rows] == ["announce"]
        requests_of(b).read(rows)
        await b.settle()
        assert len(bea.new_messages("notice")) == 1


async def test_a_node_that_dies_over_a_request_is_named(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that dies over a request is named; asked again, the table's new node does it."""
    monkeypatch.setattr("server.nodes.node_requests.WORK_SECONDS", 0.1)
    async with two_nodes(url, tmp_path) as (a, b):
        code = await (await roamer(b, "Ann")).open_table()
        read = asyncio.Event()

        async def dies(body: Body) -> Body:
            read.set()
            die(b.store, url)
            never: asyncio.Future[Body] = asyncio.get_running_loop().create_future()
            return await never

        requests_of(b).handlers["close"] = dies
        assert await refusal(a, CloseTable(table=code)) == NO_ANSWER
        assert read.is_set()
        await ask(a, CloseTable(table=code), ClosedTable)
        assert (await a.store.load(code))[0].phase == "closed"  # type: ignore[index]


async def test_a_node_does_nothing_that_was_asked_before_it_began(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restarted node ignores older requests, except kicks of players with seats."""
    monkeypatch.setattr("server.nodes.node_requests.WORK_SECONDS", 0.1)
    async with node_server(url, "a", tmp_path) as a:
        async with node_server(url, "b", tmp_path) as b:
            await until(lambda: bool(others_of(a) and others_of(b)))
            ann = await roamer(b, "Ann")
            code = await ann.open_table()
            await knows(a, code)
            abandon(b.store)
            assert await refusal(a, Drain(node="b")) == NO_ANSWER
            told = await ask(a, Announce(text="hello"), Announced)
            assert [each.node for each in told.failed] == ["b"]
            told_of = await ask(a, KickPlayer(player=str(ann.player)), Kicked)
            assert [each.node for each in told_of.failed] == ["b"]
        monkeypatch.undo()
        async with node_server(url, "b", tmp_path) as again:
            cem = await roamer(again, "Cem")
            await until(lambda: "b" in others_of(a))
            assert (await ask(a, Announce(text="now"), Announced)).failed == ()
            await again.settle()
            assert [told["reason"] for told in cem.new_messages("notice")] == ["now"]
            assert not again.game_server.moving.drains  # type: ignore[union-attr]
            await until(lambda: _is_free(again, str(ann.player)))


async def _is_free(server: ServerHarness, player: str) -> bool:
    await server.settle()
    return await server.store.seats_of(player) == []


async def test_a_kicked_player_loses_seats_that_are_on_their_way(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kicked player loses seats at tables of a lost node when they are taken over."""
    monkeypatch.setattr("server.nodes.node_requests.WORK_SECONDS", 0.1)
    # As those after a match.
    monkeypatch.setattr("server.nodes.taken_tables._AWAKE", ())
    async with two_nodes(url, tmp_path) as (a, b):
        code, (ann, bea) = await b.match_of("Ann", "Bea")
        await knows(a, code)
        die(b.store, url)
        told = await ask(a, KickPlayer(player=str(bea.player)), Kicked)
        assert {each.node for each in told.failed} <= {"b"}
        await until(lambda: _is_free(a, str(bea.player)))
        assert [each.row.code for each in await a.store.seats_of(str(ann.player))] == [code]


async def test_many_are_removed_at_once(url: str, tmp_path: Path) -> None:
    """All players of an address are removed, at tables of both nodes."""
    many = count(40)
    async with two_nodes(url, tmp_path) as (a, b):
        people = [await b.client(f"Bea {at}", address="192.0.2.7") for at in range(many)]
        code = await (await roamer(a, "Ann")).open_table(seats=2)
        table = await people[0].open_table()
        with pytest.raises(AdminError, match=f"close {many} of {many + 1} connections"):
            await ask(a, Ban(subject="192.0.2.7"), Banned)
        told = await ask(a, Ban(subject="192.0.2.7", yes=True), Banned)
        assert told.failed == ()
        assert {line.player for line in told.kicked} == {each.player for each in people}
        await b.settle()
        assert all(each.closed() == (4001, "forbidden") for each in people)
        assert not b.game_server.tables.has(table)
        assert a.game_server.tables.has(code)


async def test_a_node_of_another_version_says_so(url: str, tmp_path: Path) -> None:
    """A node of another version, or with an internal error, answers with an error."""
    async with two_nodes(url, tmp_path) as (a, b):

        async def fails(body: Body) -> Body:
            raise ZeroDivisionError

        del requests_of(b).handlers["announce"]
        requests_of(b).handlers["who"] = fails
        told = await ask(a, Announce(text="hello"), Announced)
        assert [(each.node, each.code) for each in told.failed] == [("b", "unknown_request")]
        assert await refusal(a, KickPlayer(player="Zoe")) == INTERNAL


async def test_what_the_database_does_not_take_is_said(url: str, tmp_path: Path) -> None:
    """If the database fails the request is done here, except for bans."""
    async with two_nodes(url, tmp_path) as (a, _):
        ann = await roamer(a, "Ann")
        a.store.broken = True
        told = await ask(a, Announce(text="hello"), Announced)
        assert (told.clients, [each.code for each in told.failed]) == (1, ["try_again"])
        assert await refusal(a, Ban(subject=str(ann.player))) == TRY_AGAIN
        a.store.broken = False
        assert (await ask(a, ListBans(), BanPage)).bans == ()
        assert ann.closed() is None


async def test_a_given_table_goes_on_at_once(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bots and clocks of a table that moves go on without a client."""
    monkeypatch.setattr("server.store.lease_keeper.SCAN_SECONDS", 1e9)
    async with two_nodes(url, tmp_path) as (a, b):
        code, _ = await a.match_of("Ann", "Bea")
        assert await a.game_server.moving._give(code, "b")  # type: ignore[union-attr]

        async def goes_on() -> bool:
            await b.settle()
            return code in b.loaded()

        await until(goes_on)


async def test_old_requests_are_deleted(url: str, tmp_path: Path) -> None:
    """Old requests, their answers and expired device codes are deleted."""
    async with two_nodes(url, tmp_path) as (a, _):
        ann = await roamer(a, "Ann")
        await ask(a, Announce(text="hello"), Announced)
        await ann.ask("add_device")
        tables = ("node_requests", "node_answers", "device_codes")
        await housekeeping(a).tidy()
        assert [count_rows(url, table) for table in tables] == [1, 1, 1]
        a.now += 7200.0
        await housekeeping(a).tidy()
        assert [count_rows(url, table) for table in tables] == [0, 0, 0]


def count_rows(url: str, table: str) -> int:
    """The number of rows of a table of the database."""
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        found = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        assert found is not None
        return int(found[0])
