"""Tables that are given to another node in the middle of a deal."""

from functools import partial
from pathlib import Path

import pytest

from server.admin.answers import Balancing, ServerStatus, TablePage
from server.admin.requests import BalanceTables, Status, Tables
from server.bots import thinking
from server.nodes.moving import Moving
from server.players.identities import Identities
from server.store import StoreUnavailable
from tests.server.admin.asking import ask
from tests.server.bots.asking import SLOW
from tests.server.bots.fake_process import FakeProcess
from tests.server.client import TestClient
from tests.server.harness import ServerHarness
from tests.server.nodes.test_whole_nodes import ROAMS, is_moved, roamer, two_nodes, url
from tests.server.store.nodes import until

__all__ = ["url"]  # a fixture


def moving_of(server: ServerHarness) -> Moving:
    """The mover of a node's tables."""
    moving = server.game_server.moving
    assert moving is not None
    return moving


async def match_at(server: ServerHarness) -> tuple[str, TestClient, TestClient]:
    """A match of two players whose clients follow their table."""
    ann, bea = await roamer(server, "Ann"), await roamer(server, "Bea")
    code = await ann.open_table()
    await bea.ask("join", table=code)
    await ann.ask("start", table=code)
    return code, ann, bea


async def follow(server: ServerHarness, *clients: TestClient) -> None:
    """Let clients that were told to move connect to another node."""
    for client in clients:
        await until(partial(is_moved, client))
        await client.reconnect(server, **ROAMS)
    await server.settle()


async def test_a_line_of_chat_is_said_before_its_table_goes(url: str, tmp_path: Path) -> None:
    """A line of chat is told before its table moves."""
    async with two_nodes(url, tmp_path) as (a, b):
        code, ann, bea = await match_at(a)
        a.store.hold_writes()
        await ann.send("chat", 900, table=code, text="hello")
        await until(lambda: any(write.answers for write, _ in a.store.held_writes or ()))
        held = len(a.store.held_writes or ())
        moved = moving_of(a).drain()
        await until(lambda: len(a.store.held_writes or ()) > held)
        a.store.release_writes()
        await moved
        await a.settle()
        assert [line["text"] for line in bea.new_messages("chat")] == ["hello"]
        await follow(b, ann, bea)
        await b.play(code, 2, ann, bea)


async def test_who_waits_at_a_table_that_goes_may_ask_again(
    fakes: list[FakeProcess], url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pending hints and requests end when a table moves, and can be made again."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: SLOW)
    async with two_nodes(url, tmp_path) as (a, b):
        ann, late = await roamer(a, "Ann"), await roamer(a, "Late")
        # Everybody is asked at once what to pass.
        code = await ann.open_table(game="hearts", seats=4, settings={"bot_delay": 60.0})
        await ann.ask("start", table=code, fill=0)
        assert (await late.ask("join", table=code))["type"] == "asked"
        await ann.send("hint", 900, table=code)
        await until(lambda: len(a.game_server.hints) == 1)
        await moving_of(a).drain()
        await a.settle()
        assert [answer["code"] for answer in ann.answers[900]] == ["try_again"]
        told = [client.new_messages("notice")[-1] for client in (late, ann)]
        assert [(each["kind"], each["reason"]) for each in told] == [
            ("refused", "over"),
            ("latecomer_gone", "over"),
        ]
        await follow(b, ann)
        await late.reconnect(b, **ROAMS)
        assert (await late.ask("join", table=code))["type"] == "asked"
        await ann.send("hint", 901, table=code)
        await until(lambda: len(b.game_server.hints) == 1)


async def test_a_fault_at_one_table_does_not_end_a_drain(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error at one table does not end a drain, and new tables move too."""
    async with two_nodes(url, tmp_path) as (a, b):
        code, ann, bea = await match_at(a)
        tables, moving = a.game_server.tables, moving_of(a)
        hand_over = tables.hand_over

        def fail(code: str, node: str) -> None:
            monkeypatch.setattr(tables, "hand_over", hand_over)
            raise RuntimeError("a fault")

        monkeypatch.setattr(tables, "hand_over", fail)
        await moving.drain()
        assert moving.left == 0
        await follow(b, ann, bea)
        await b.play(code, 2, ann, bea)
        again = moving.drain()
        assert not again.done()
        await again


async def test_a_drain_is_taken_back_while_tables_move(url: str, tmp_path: Path) -> None:
    """A drain can be taken back while tables move, and repeated."""
    async with two_nodes(url, tmp_path) as (a, _):
        codes = {(await match_at(a))[0] for _ in range(2)}
        moving = moving_of(a)
        a.store.hold_writes()
        drain = moving.drain()
        await until(lambda: bool(a.store.held_writes))
        moving.undrain()
        a.store.release_writes()
        await drain
        assert moving.left == 1
        assert {*a.game_server.tables.directory} < codes
        await moving.drain()
        assert moving.left == 0


async def test_a_node_gives_the_others_their_share(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node gives the others their share of tables."""
    async with two_nodes(url, tmp_path) as (a, b):
        mine, yours = (await match_at(a))[0], (await match_at(a))[0]
        monkeypatch.setattr("server.nodes.moving.heir", lambda code, _: "ab"[code == yours])
        assert await ask(a, BalanceTables(), Balancing) == Balancing(tables=1)
        await until(lambda: b.game_server.tables.has(yours))
        assert [*a.game_server.tables.directory] == [mine]
        assert await ask(a, BalanceTables(), Balancing) == Balancing(tables=0)


async def test_an_administrator_is_shown_the_tables_of_all_nodes(url: str, tmp_path: Path) -> None:
    """An administrator sees the tables of all nodes; spectators are known to the table's."""
    async with two_nodes(url, tmp_path) as (a, b):
        code, _, bea = await match_at(a)
        known = b.game_server.tables.directory
        await until(lambda: known.elsewhere(code) == "a" and known.sits(bea.player, code))
        own, _, _ = await match_at(b)
        lines = {
            line.table: (line.node, line.spectators, line.in_memory)
            for line in (await ask(b, Tables(), TablePage)).tables
        }
        assert lines == {code: ("a", None, None), own: ("b", 0, True)}
        assert (await ask(b, Status(), ServerStatus)).tables == {"playing": 2}


async def test_who_cannot_be_told_where_a_table_goes_has_to_come_back(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the database fails when its players are to be told, they reconnect and hear of it."""

    async def fails(*_: object) -> None:
        raise StoreUnavailable("no answer")

    async with two_nodes(url, tmp_path) as (a, _):
        code, ann, bea = await match_at(a)
        monkeypatch.setattr(Identities, "store", fails)
        await moving_of(a).drain()
        await until(lambda: ann.wire.closed is not None and bea.wire.closed is not None)
        assert not a.game_server.tables.has(code)
