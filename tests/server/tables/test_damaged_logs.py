"""Logs and summaries that cannot be read: their tables are reported, others go on."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import structlog

from engine import GAMES, Catalogue
from engine.games.black_queen import BlackQueen
from engine.match import Match
from server.ops.logs import describe
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.statements import execute

Logged = list[structlog.typing.EventDict]


DAMAGE = {
    "broken JSON": "update entries set body = '{' where seq = 2",
    "unknown kind": "update entries set kind = 'sung' where seq = 2",
    "a gap": "delete from entries where seq = 2",
    "no entries": "delete from entries",
    "no such seat": "update entries set body = replace(body, ':0,', ':9,') where kind = 'seated'",
    "no such game": "update entries set body = replace(body, 'black_queen', 'tarot') where seq = 1",
    "an illegal move": "update entries set body = replace(body, 'play ', 'play A') "
    "where kind = 'act'",
    "another's move": """update entries set body = replace(replace(replace(body,
    '"seat":0', '"seat":?'), '"seat":1', '"seat":0'), '"seat":?', '"seat":1') where kind = 'act'""",
    "a newer server's kind of entry": "update entries set kind = 'asked' where kind = 'seated'",
    "a newer server's format": """update entries set body = '{"format":99}' where kind = 'act'""",
    "a wrong seed": "update entries set body = '{\"seed\":\"00\"}' where kind = 'dealt'",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
async def test_a_log_that_cannot_be_replayed_is_reported_and_not_fatal(
    tmp_path: Path, damage: str, log_events: Logged
) -> None:
    """A table with a bad log is gone from the lobby, and the others go on."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        await server.play(code, 1, ann, bea)
    execute(server, damage)
    async with open_server(tmp_path, now=server.now + 1) as server:
        await ann.reconnect(server)
        await server.settle()
        assert [message["reason"] for message in ann.new_messages("closed")] == ["damaged"]
        assert await bea_asks(bea, server, code) == "table_damaged"
        await ann.reconnect(resume={code: 1})
        await server.settle()
        assert [message["reason"] for message in ann.new_messages("closed")] == ["damaged"]
        other = await ann.open_table()
        await server.wait(100)
        assert [t["table"] for t in (await ann.ask("list_tables"))["tables"]] == [other]
    (reported,) = [event for event in log_events if event["event"] == "table_unplayable"]
    assert reported["table"] == code
    if damage != DAMAGE["no entries"]:
        assert "play " not in str(describe(reported["exc_info"]))


async def test_what_a_newer_server_wrote_is_not_called_damaged(
    tmp_path: Path, log_events: Logged
) -> None:
    """A log of a newer server is reported as such, with its entry."""
    async with open_server(tmp_path) as server:
        code, (ann, _) = await server.table_of("Ann", "Bea")
    execute(server, "update entries set kind = 'asked' where seq = 3")
    async with open_server(tmp_path, now=server.now + 1) as server:
        await ann.reconnect(server)
        answer = await ann.ask("join", table=code)
        assert answer["code"] == "table_damaged"
        assert "a newer version of the server" in answer["reason"]
    (reported,) = [event for event in log_events if event["event"] == "table_unplayable"]
    told = describe(reported["exc_info"])
    assert str(told["type"]).endswith(".NewerLog")
    assert "entry 3" in str(told)


async def test_a_page_that_cannot_be_read_is_the_trouble_of_its_tables(
    tmp_path: Path, log_events: Logged
) -> None:
    """A damaged page of the database affects its tables only."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", options={"deals": 1})
        await server.play(code, 40, ann, bea)
        other = await ann.open_table()
    wreck_page(server.settings.data / "blackqueen.sqlite3", b'{"game":"black_queen"')
    async with open_server(tmp_path, now=server.now + 1) as server:
        assert server.store.found.last_entry is not None
        assert await bea_asks(bea, server, code) == "table_damaged"
        assert (await bea.ask("join", table=other))["type"] == "ok"
        assert await bea.open_table()
    assert "table_unplayable" in [event["event"] for event in log_events]


def wreck_page(path: Path, words: bytes) -> None:
    """Damage the page with the rows that first hold some words."""
    with closing(sqlite3.connect(path)) as database:
        (size,) = database.execute("pragma page_size").fetchone()
    data = bytearray(path.read_bytes())
    page = data.index(words) // size
    data[page * size : page * size + 64] = b"\xff" * 64
    path.write_bytes(data)


async def bea_asks(bea: TestClient, server: ServerHarness, code: str) -> str:
    bea.connect(server)
    await bea.hello()
    return await bea.refusal("join", table=code)


async def test_a_table_that_cannot_be_replayed_is_met_by_the_clock_as_well(
    tmp_path: Path, log_events: Logged
) -> None:
    """A deadline of a damaged table does not stop the others' clocks."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        bad = await ann.open_table()
        good = await bea.open_table()
    execute(server, "update entries set body = '{' where table_code = :code", code=bad)
    async with open_server(tmp_path, now=server.now + 1) as server:
        await server.wait(1799)
        assert [event["table"] for event in log_events if event["event"] == "table_unplayable"] == [
            bad
        ]
        assert len(server.game_server.tables.directory) == 0
        assert good not in server.loaded()


@pytest.mark.parametrize(
    "summary", ["{", "[]", "{}", '{"info":{"settings":{}},"settings":{"a":1}}']
)
async def test_a_summary_that_cannot_be_read_costs_nothing(tmp_path: Path, summary: str) -> None:
    """An unreadable summary is computed again from the log."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        listed = (await ann.ask("list_tables"))["tables"]
    execute(server, "update tables set summary = :summary", summary=summary)
    async with open_server(tmp_path, now=server.now + 1) as server:
        table = server.game_server.live.directory.info(code)
        assert table is not None
        assert {**table, "seats": listed[0]["seats"]} == listed[0]
        await ann.reconnect(server)
        await bea.reconnect(server)
        await server.play(code, 3, ann, bea)


async def test_names_in_old_summaries_are_cleaned_as_well(tmp_path: Path) -> None:
    """Names in old summaries are shown cleaned."""
    async with open_server(tmp_path) as server:
        code, (_, _) = await server.table_of("Ann", "Bea")
    old = json.dumps("Ann\u3164\x1b[2J")
    execute(server, "update tables set summary = replace(summary, '\"Ann\"', :old)", old=old)
    async with open_server(tmp_path, now=server.now + 1) as server:
        nina = await server.client("Nina")
        (table,) = (await nina.ask("list_tables"))["tables"]
        assert code not in server.loaded()
        assert [seat["name"] for seat in table["seats"]] == ["Ann[2J", "Bea"]


async def test_a_log_of_another_version_of_its_game_is_not_played(
    tmp_path: Path, log_events: Logged
) -> None:
    """A log of another version of its game is not loaded."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()

    class Changed(BlackQueen):
        info = GAMES.game("black_queen").info.__class__(
            id="black_queen", version=99, title="Black Queen", seats=(2, 3), usual_seats=2
        )

    async with open_server(tmp_path, Catalogue((Match(Changed()),))) as server:
        await ann.reconnect(server)
        assert await ann.refusal("join", table=code) == "table_damaged"
    assert "table_unplayable" in [event["event"] for event in log_events]


async def test_a_disk_that_cannot_be_read_for_a_moment_loses_no_table(
    tmp_path: Path, log_events: Logged
) -> None:
    """After a failed read a deadline is kept and comes again."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        await ann.ask("start", table=code, fill=0)
        ann.disconnect()
        await server.wait(31)
        assert code not in server.loaded()

        async def fail(name: str) -> None:
            raise OSError("disk gone")

        server.store.gate = fail
        await server.wait(3600)
        assert code in server.game_server.tables.directory
        server.store.gate = None
        await server.wait(2)
        assert code not in server.game_server.tables.directory
    assert "tick_failed" in [event["event"] for event in log_events]
