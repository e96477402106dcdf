"""Commands while the store fails: clients are told, and may send them again."""

import asyncio
from pathlib import Path

import pytest
import structlog

from server.store.errors import StoreUnavailable
from server.table.decide import Decider
from tests.server.harness import open_server


async def test_a_full_disk_is_told_and_the_command_may_come_again(tmp_path: Path) -> None:
    """On a full disk a command gets `try_again`, and can be sent again with its number."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        for type, fields in (
            ("ready", {"table": code}),
            ("create_table", {"game": "black_queen"}),
            ("chat", {"table": code, "text": "hello"}),
            ("sit", {"table": code, "seat": 0}),
            ("join", {"table": "NOWHERE"}),
        ):
            server.store.broken = True
            number = await ann.send(type, **fields)
            await server.settle()
            assert [answer["code"] for answer in ann.answers[number]] == ["try_again"]
            server.store.broken = False
            await ann.send(type, number, **fields)
            await server.settle()
            assert ann.answers[number][-1].get("code") in (None, "unknown_table")
            assert len(ann.answers[number]) == 2
        assert len(server.game_server.tables.directory) == len(server.loaded()) == 2
        assert len(ann.new_messages("chat")) == 1


async def test_a_table_whose_first_entries_are_lost_never_was(tmp_path: Path) -> None:
    """A table whose first entries are lost does not exist."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        server.store.broken = True
        assert await ann.refusal("create_table", game="black_queen") == "try_again"
        server.store.broken = False
        assert server.loaded() == set()
        assert (await ann.ask("list_tables"))["tables"] == []
        assert ann.tables == {}


async def test_a_store_that_cannot_be_read_is_told_and_asked_again(tmp_path: Path) -> None:
    """If a table cannot be loaded the answer is `try_again` and not `unknown_table`."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
    async with open_server(tmp_path) as server:
        bea = await server.client("Bea")

        async def fail(name: str) -> None:
            raise StoreUnavailable("disk gone")

        server.store.gate = fail
        first = await bea.send("join", table=code)
        assert [answer["code"] for answer in bea.answers[first]] == ["try_again"]
        server.store.gate = None
        await bea.send("join", first, table=code)
        await server.settle()
        assert bea.answers[first][-1]["type"] == "ok"


async def test_several_who_wait_for_the_same_table_all_hear_that_it_cannot_be_read(
    tmp_path: Path,
) -> None:
    """All who wait for a table that cannot be loaded get the right error."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
    async with open_server(tmp_path) as server:
        clients = [await server.client("Bea"), await server.client("Cid")]

        async def fail(name: str) -> None:
            await asyncio.sleep(0)
            raise StoreUnavailable("disk gone")

        server.store.gate = fail
        for client in clients:
            client.answers.clear()
        numbers = await asyncio.gather(*(client.send("join", table=code) for client in clients))
        for client, number in zip(clients, numbers, strict=True):
            assert [answer["code"] for answer in client.answers[number]] == ["try_again"]


async def test_a_mistake_of_ours_costs_one_command(
    tmp_path: Path, log_events: list[structlog.typing.EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An internal error is answered `internal`, and the command can be sent again later."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        with monkeypatch.context() as broken:
            broken.setattr(Decider, "decide", lambda *_: 1 / 0)
            number = await ann.send("ready", table=code)
            assert [answer["code"] for answer in ann.answers[number]] == ["internal"]
        await ann.send("ready", number, table=code)
        await server.settle()
        assert ann.answers[number][-1]["type"] == "ok"
    (logged,) = [event for event in log_events if event["event"] == "table_failed"]
    assert logged["table"] == code
