"""The prices of commands, the budgets of addresses, and cached snapshots."""

import asyncio
from collections.abc import Set
from pathlib import Path
from typing import Any, get_args

import pytest

from engine import SPECTATOR
from protocol.codec import codec_for
from protocol.to_server import STORED_REFUSAL, ToServer
from protocol.version import JSON, MSGPACK
from server.net.traffic import AddressBudgets
from server.sessions import snapshot_cache
from server.sessions.snapshot_cache import Snapshots
from server.table.messages import snapshot_for
from server.table.table import Table
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

PRICES = {kind.model_fields["type"].default: kind.price for kind in get_args(get_args(ToServer)[0])}


def test_what_is_expensive_to_answer_costs_more() -> None:
    """Commands that are expensive to answer cost more than a move."""
    assert min(PRICES.values()) == PRICES["act"] == PRICES["ping"] == 1
    assert PRICES["create_table"] > PRICES["sync"] > PRICES["hint"] > PRICES["chat"] > 1


@pytest.mark.parametrize("type", ["sync", "ping"])
async def test_a_command_uses_up_its_price(tmp_path: Path, type: str) -> None:
    """A command uses up its price of the budget, and then gets `rate_limited`."""
    async with open_server(tmp_path, messages_per_second=1, message_burst=65) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        may = 50 // PRICES[type]
        fields: dict[str, Any] = {"table": code} if type == "sync" else {}
        for _ in range(may):
            assert (await ann.ask(type, **fields))["type"] in ("ok", "pong")
        answer = await ann.ask(type, **fields)
        assert (answer["code"], answer["retry_after"]) == ("rate_limited", PRICES[type])
        await server.wait(PRICES[type])
        assert (await ann.ask(type, **fields))["type"] in ("ok", "pong")


async def test_a_command_dearer_than_the_burst_can_be_sent(tmp_path: Path) -> None:
    """A command above the burst costs all there is."""
    async with open_server(tmp_path, messages_per_second=1, message_burst=3) as server:
        ann = await server.client("Ann")
        await server.wait(3)
        assert (await ann.ask("create_table", game="black_queen"))["type"] == "ok"
        assert await ann.refusal("ping") == "rate_limited"


async def test_a_refusal_that_is_stored_costs_more(tmp_path: Path) -> None:
    """A refusal that is stored costs more, to be paid before the next command."""
    async with open_server(tmp_path, messages_per_second=1, message_burst=65) as server:
        _, bea, table = await playing(server)
        cid = await server.client("Cid")
        await server.wait(65)
        move = {"table": table.code, "turn": table.state.turn, "action": "play AS"}
        refused = [await cid.refusal("act", **move) for _ in range(20)]
        allowed = refused.index("rate_limited")
        assert set(refused[allowed:]) == {"rate_limited"}
        assert allowed == -(-65 // (1 + STORED_REFUSAL))
        await server.wait(1 + STORED_REFUSAL)
        assert await cid.refusal("act", **move) == refused[0]
        assert await bea.refusal("act", **move | {"turn": 99}) != "rate_limited"


async def test_a_command_that_changes_nothing_costs_like_a_stored_refusal(tmp_path: Path) -> None:
    """A command without effect costs as much as a stored refusal."""
    async with open_server(tmp_path, messages_per_second=1, message_burst=65) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        await server.wait(65)
        answers = [await ann.ask("back", table=code) for _ in range(20)]
        done = [answer["type"] for answer in answers].count("ok")
        assert done == -(-65 // (PRICES["back"] + STORED_REFUSAL))
        assert {answer.get("code") for answer in answers[done:]} == {"rate_limited"}


async def test_a_table_is_not_sent_again_before_it_has_arrived(tmp_path: Path) -> None:
    """Only one snapshot a table may be on its way to a connection; then `try_again`."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        first, second = await ann.open_table(), await ann.open_table()
        ann.wire.blocked = True
        numbers = [await ann.send("sync", table=code) for code in (first, second, first)]
        await bea.ask("watch", table=first)
        assert (await bea.ask("sync", table=first))["type"] == "ok"
        ann.wire.drain()
        answers = [ann.answers[number][0] for number in numbers]
        assert [answer["type"] for answer in answers] == ["ok", "ok", "error"]
        assert (answers[2]["code"], answers[2]["retry_after"]) == ("try_again", 1.0)
        assert (await ann.ask("sync", table=first))["type"] == "ok"


async def test_an_address_has_one_budget_for_all_its_connections(tmp_path: Path) -> None:
    """All connections of an address share one budget."""
    budgets = AddressBudgets(rate=2, burst=23)
    async with open_server(tmp_path) as server:
        ann, bea, far = (
            TestClient(server),
            TestClient(server),
            TestClient(server, address="192.0.2.7"),
        )
        for client in (ann, bea, far):
            client.connection.session._shared = budgets.of(client.address)
            await client.hello()
        for _ in range(13):
            assert (await ann.ask("ping"))["type"] == "pong"
        for _ in range(100):
            answer = await bea.ask("ping")
            assert (answer["code"], answer["retry_after"]) == ("rate_limited", 0.5)
        assert bea.closed() is None
        assert (await far.ask("ping"))["type"] == "pong"
        await server.wait(0.5)
        assert (await bea.ask("ping"))["type"] == "pong"


async def test_a_move_does_not_wait_for_a_crowd_that_asks_for_tables(tmp_path: Path) -> None:
    """A move is answered before most of a crowd's requests for a table."""
    async with open_server(tmp_path) as server:
        ann, bea, table = await playing(server)
        crowd = [await server.client(f"W{number}") for number in range(100)]
        for spectator in crowd:
            await spectator.ask("watch", table=table.code)
        served: list[str] = []

        async def ask_again(spectator: TestClient) -> None:
            await spectator.send("sync", table=table.code)
            served.append("sync")

        async def move() -> None:
            await (ann if ann.tables[table.code].my_turn else bea).move(table.code)
            served.append("move")

        async with asyncio.TaskGroup() as tasks:
            for spectator in crowd:
                tasks.create_task(ask_again(spectator))
            tasks.create_task(move())
        assert served.count("sync") == 100
        assert served.index("move") < 90


def test_addresses_whose_budget_is_full_are_forgotten() -> None:
    """Addresses with a full budget are forgotten."""
    budgets = AddressBudgets(rate=1, burst=2)

    def spend(address: str, price: float, now: float) -> float:
        take = budgets.of(address)
        assert take is not None
        return take(price, now)

    for number in range(5000):
        assert spend(str(number), 1, float(number)) == 0
    assert len(budgets._buckets) < 3000
    assert spend("4999", 2, 4999.0) == 1
    assert AddressBudgets(rate=0, burst=1).of("4999") is None


class Making:
    """Counts the snapshots that are made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made = 0

        def counting(
            table: Table, viewer: int, now: float, features: Set[str], most: int | None
        ) -> object:
            self.made += 1
            return snapshot_for(table, viewer, now, features, most)

        monkeypatch.setattr(snapshot_cache, "snapshot_for", counting)


async def playing(server: ServerHarness) -> tuple[TestClient, TestClient, Table]:
    code, (ann, bea) = await server.match_of("Ann", "Bea", settings={"turn_seconds": 60})
    return ann, bea, server.table(code)


async def test_a_snapshot_is_made_once_for_all_who_may_see_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A snapshot is made once a version, encoding and viewer, for all spectators."""
    async with open_server(tmp_path) as server:
        ann, bea, table = await playing(server)
        making = Making(monkeypatch)
        crowd = [await server.client(f"W{n}", (JSON, MSGPACK)[n % 2]) for n in range(30)]
        for spectator in crowd:
            await spectator.ask("watch", table=table.code)
        assert making.made == 2
        await ann.ask("sync", table=table.code)
        assert making.made == 3
        assert ann.tables[table.code].choices != bea.tables[table.code].choices
        await (ann if ann.tables[table.code].my_turn else bea).move(table.code)
        for spectator in crowd:
            await spectator.ask("sync", table=table.code)
        assert making.made == 5
        for spectator in crowd:
            assert spectator.tables[table.code].seq == table.state.seq


async def test_a_kept_snapshot_is_never_older_than_what_it_shows(tmp_path: Path) -> None:
    """A cached snapshot equals a fresh one after any change."""
    async with open_server(tmp_path) as server:
        ann, bea, table = await playing(server)
        kept = Snapshots()
        codec = codec_for(MSGPACK)

        def fresh(viewer: int) -> bool:
            made = codec.encode_message(snapshot_for(table, viewer, server.now))
            return kept.encoded(table, viewer, codec, server.now) == made

        assert all(fresh(viewer) for viewer in (0, 1, SPECTATOR))
        bea.disconnect()
        assert all(fresh(viewer) for viewer in (0, 1, SPECTATOR))
        await bea.reconnect()
        assert all(fresh(viewer) for viewer in (0, 1, SPECTATOR))
        server.now += 0.3
        assert all(fresh(viewer) for viewer in (0, 1, SPECTATOR))
        await (ann if ann.tables[table.code].my_turn else bea).move(table.code)
        assert all(fresh(viewer) for viewer in (0, 1, SPECTATOR))


async def test_kept_snapshots_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cached snapshots are limited, and dropped with their table."""
    monkeypatch.setattr(snapshot_cache, "MOST", 2)
    async with open_server(tmp_path) as server:
        _, _, table = await playing(server)
        kept, making, codec = Snapshots(), Making(monkeypatch), codec_for(JSON)
        for viewer in (0, 1, 0, SPECTATOR, 0, 1):
            kept.encoded(table, viewer, codec, server.now)
        assert (len(kept), making.made) == (2, 4)
        kept.forget("XXXX")
        assert len(kept) == 2
        kept.forget(table.code)
        assert len(kept) == 0
