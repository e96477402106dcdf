"""`log` at a whole server: it folds to what was seen, and is limited."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine import SPECTATOR
from protocol.mirror import TableMirror
from protocol.replaying import TableLog, opened
from protocol.to_client import TO_CLIENT, LogPage
from protocol.to_server import COMMANDS, Log
from server.store import EntryRow
from server.table import fold
from server.table.messages import view_of
from server.tables import table_logs
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


class Watching(TestClient):
    """A client that records its mirror at each entry of its table."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        self.seen: dict[int, TableMirror] = {}
        super().__init__(*args, **fields)

    def _follow(self, message: Mapping[str, Any]) -> None:
        super()._follow(message)
        for mirror in self.tables.values():
            self.seen[mirror.seq] = mirror


async def player(server: ServerHarness, name: str) -> Watching:
    client = Watching(server)
    await client.hello(name=name)
    return client


async def log(client: TestClient, table: str, size: int = 256, **fields: Any) -> TableLog:
    """The log as a client reads it, in pages of this size."""
    pages: list[LogPage] = []
    after = 0
    while not pages or after < pages[-1].last:
        answer = await client.ask("log", table=table, after=after, size=size, **fields)
        page = TO_CLIENT.validate_python(answer)
        assert isinstance(page, LogPage), answer
        assert 0 < len(page.entries) <= size
        pages.append(page)
        after += len(page.entries)
    return TableLog(pages)


def same_picture(one: TableMirror, other: TableMirror) -> bool:
    # The names may lag behind live, where several entries are told together.
    return (one.view, one.seat) == (other.view, other.seat)


async def test_folding_it_gives_what_was_seen_live(tmp_path: Path) -> None:
    """The log folds to what players and spectators saw live, at every entry."""
    async with open_server(tmp_path) as server:
        ann, bea, walter = [await player(server, name) for name in ("Ann", "Bea", "Walter")]
        code = await ann.open_table(game="whist", seats=4, options={"cards": 3})
        await bea.ask("join", table=code)
        await ann.ask("start", table=code, fill=0)
        await walter.ask("watch", table=code)
        for moves in (5, 9, 1000):
            await server.play(code, moves, ann, bea)
            for client in (ann, bea, walter):
                told = await log(client, code, size=100)
                assert len(told) == ann.tables[code].seq
                assert len(client.seen) > 6
                for seq, mirror in client.seen.items():
                    assert same_picture(told.at(seq), mirror), seq
                    assert told.at(seq).question.to_act == mirror.question.to_act
                end = told.at(len(told))
                assert (end.legend, end.layout) == (mirror.legend, mirror.layout)
        assert ann.tables[code].info.phase == "finished"


async def test_of_a_match_that_is_over_any_seat_is_told(tmp_path: Path) -> None:
    """Any seat of a finished match is told to anybody with the code."""
    async with open_server(tmp_path) as server:
        ann, bea = [await player(server, name) for name in ("Ann", "Bea")]
        settings = {"private": True}
        code = await ann.open_table(options={"deals": 1}, settings=settings)
        await bea.ask("join", table=code)
        await ann.ask("start", table=code)
        await server.play(code, 10, ann, bea)
        zoe = await server.client("Zoe")
        asked = await log(zoe, code, seat=0)
        assert same_picture(asked.at(len(asked)), (await log(zoe, code)).at(len(asked)))
        table = server.table(code)
        assert asked.at(len(asked)).view == view_of(table, SPECTATOR)
        await server.play(code, 1000, ann, bea)
        hands = [await log(zoe, code, seat=seat) for seat in (0, 1)]
        for client, told in zip((ann, bea), hands, strict=True):
            for seq, mirror in client.seen.items():
                if mirror.info.phase == "playing":
                    assert same_picture(told.at(seq), mirror)
        begun = opened(told.at(8).view for told in hands)
        assert begun.cards("hand", 0)
        assert begun.cards("hand", 1)
        for client in (ann, bea):
            await client.ask("leave", table=code)
        assert await zoe.refusal("watch", table=code) == "unknown_table"
        assert len(await log(zoe, code, seat=1)) > len(hands[1])


async def test_who_never_sat_at_an_unwatchable_table_is_told_nothing(tmp_path: Path) -> None:
    """At an unwatchable table strangers are told nothing, and players their own past."""
    async with open_server(tmp_path) as server:
        ann, bea = [await player(server, name) for name in ("Ann", "Bea")]
        settings = {"watchable": False, "latecomers": "anyone"}
        code = await ann.open_table(seats=3, settings=settings, options={"deals": 1})
        await ann.ask("start", table=code, fill=0)
        zoe = await server.client("Zoe")
        for seat in (None, 0):
            assert await zoe.refusal("log", table=code, seat=seat) == "forbidden"
        await server.play(code, 4, ann)
        await bea.ask("join", table=code)
        came = bea.tables[code].seq
        await server.play(code, 1000, ann, bea)
        assert await zoe.refusal("log", table=code) == "forbidden"
        told = await log(bea, code, seat=0)
        assert all(entry.hidden == (entry.seq <= came) for entry in told.entries)
        for seq, mirror in bea.seen.items():
            assert same_picture(told.at(seq), mirror)
        assert told.at(came).view == bea.seen[came].view


async def test_moves_taken_back_are_told_to_their_player_alone(tmp_path: Path) -> None:
    """Undone moves are told to their player alone until the match is over."""
    async with open_server(tmp_path) as server:
        ann = await player(server, "Ann")
        code = await ann.open_table()
        await ann.ask("start", table=code, fill=0)
        zoe = await server.client("Zoe")
        started = next(seq for seq, m in ann.seen.items() if m.info.phase == "playing")
        for _ in range(2):
            told = await log(zoe, code)
            assert all(entry.hidden for entry in told.entries if entry.seq > started)
            await server.play(code, 2, ann)
            await ann.ask("undo", table=code)
            await zoe.ask("watch", table=code)
        mine = await log(ann, code)
        for seq, mirror in ann.seen.items():
            assert same_picture(mine.at(seq), mirror)


async def test_what_is_asked_wrongly_is_refused(tmp_path: Path) -> None:
    """Wrong requests are refused, and after the end there is an empty page."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann")
        assert await ann.refusal("log", table="NONE2") == "unknown_table"
        assert await ann.refusal("log", table=code, seat=2) == "no_such_seat"
        assert await ann.refusal("log", table=code, size=257) == "bad_message"
        behind = await ann.ask("log", table=code, after=10_000)
        assert (behind["entries"], behind["last"]) == ([], ann.tables[code].seq)
        assert Log.price == max(kind.price for kind in COMMANDS)


async def test_a_page_holds_a_bounded_number_of_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page has a limited number of facts, but at least one entry."""
    monkeypatch.setattr(table_logs, "MOST_FACTS", 2)
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann")
        first = await ann.ask("log", table=code)
        assert 0 < len(first["entries"]) < 4
        assert "legend" in first
        later = await ann.ask("log", table=code, after=1)
        assert "legend" not in later
        assert len(await log(ann, code)) == ann.tables[code].seq


async def test_a_log_is_played_once_and_then_only_what_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is replayed once and then continued; unused ones are dropped."""
    played: list[int] = []
    advance = fold.advance

    def counted(game: Any, state: Any, entries: Any) -> Any:
        played.append(entries[0].seq)
        return advance(game, state, entries)

    monkeypatch.setattr(table_logs, "advance", counted)
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        for client in (ann, bea, ann):
            await log(client, code, size=3)
        assert played == list(range(1, ann.tables[code].seq + 1))
        await server.play(code, 3, ann, bea)
        await log(ann, code)
        assert played == list(range(1, ann.tables[code].seq + 1))
        monkeypatch.setattr(table_logs, "MOST_KEPT", 1)
        other, (cid,) = await server.match_of("Cid")
        await log(cid, other)
        played.clear()
        await log(ann, code)
        assert len(played) == ann.tables[code].seq


@pytest.mark.parametrize("most", ["MOST_WAITING", "MOST_OF_AN_ADDRESS"])
async def test_one_log_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: str
) -> None:
    """A player has one log made at a time, and the number waiting is limited.

    The limit by address is lower.
    """
    monkeypatch.setattr(table_logs, most, 2)
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        cid = await server.client("Cid")
        entries, reading, go_on = server.store.entries, asyncio.Event(), asyncio.Event()

        async def held(table: str, after: int) -> list[EntryRow]:
            reading.set()
            await go_on.wait()
            return await entries(table, after)

        monkeypatch.setattr(server.store, "entries", held)
        async with asyncio.TaskGroup() as tasks:
            first = tasks.create_task(ann.send("log", table=code))
            await reading.wait()
            second = tasks.create_task(bea.send("log", table=code))
            await asyncio.sleep(0)
            answers = [await client.ask("log", table=code) for client in (ann, cid)]
            assert [answer["retry_after"] for answer in answers] == [1.0, 1.0]
            assert {answer["code"] for answer in answers} == {"try_again"}
            far = await server.client("Dan", address="192.0.2.9")
            other = tasks.create_task(far.send("log", table=code))
            await asyncio.sleep(0)
            assert not first.done()
            assert not second.done()
            go_on.set()
        await server.settle()
        for client, asked in ((ann, first), (bea, second)):
            assert [answer["type"] for answer in client.answers[asked.result()]] == ["log"]
        (answer,) = far.answers[other.result()]
        assert (answer["type"] == "log") is (most == "MOST_OF_AN_ADDRESS")
        assert (await cid.ask("log", table=code))["type"] == "log"


async def test_a_log_that_cannot_be_played_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that cannot be replayed is reported as damaged, and nothing is cached."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann")
        rows = await server.store.entries(code, 0)

        async def broken(table: str, after: int) -> Any:
            return [rows[0], *rows[2:]] if after == 0 else []

        monkeypatch.setattr(server.store, "entries", broken)
        assert await ann.refusal("log", table=code) == "table_damaged"

        async def headless(table: str, after: int) -> Any:
            return rows[1:]

        monkeypatch.setattr(server.store, "entries", headless)
        assert await ann.refusal("log", table=code) == "table_damaged"
        monkeypatch.undo()
        assert len(await log(ann, code)) == len(rows)
