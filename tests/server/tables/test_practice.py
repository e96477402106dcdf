"""Undo at a whole server: restarts, resuming, spectators and results."""

import json
from pathlib import Path

import pytest

from engine.facts import SPECTATOR
from protocol.version import JSON, MSGPACK
from server.table.undo import turns_of
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.store.rows import results


async def alone(
    server: ServerHarness, game: str = "black_queen", seats: int = 3, encoding: str = MSGPACK
) -> tuple[str, TestClient]:
    """Ann alone with bots, after two moves."""
    ann = await server.client("Ann", encoding)
    code = await ann.open_table(game=game, seats=seats)
    await ann.ask("start", table=code, fill=0)
    await server.play(code, 2, ann)
    return code, ann


async def finish(server: ServerHarness, code: str, ann: TestClient) -> None:
    while ann.tables[code].info.phase == "playing":
        await ann.move(code)


async def number_of_results(server: ServerHarness, code: str) -> int:
    """The number of stored results of a table."""
    rows = await results(server.store, code)
    return len(rows)


async def test_a_client_folds_what_was_taken_back(tmp_path: Path) -> None:
    """A client's folded view after an undo equals a snapshot."""
    async with open_server(tmp_path) as server:
        code, ann = await alone(server)
        assert (await ann.ask("undo", table=code))["type"] == "ok"
        live = ann.tables[code]
        assert live.info.practice
        await ann.ask("sync", table=code)
        assert ann.tables[code] == live
        await server.play(code, 3, ann)


async def test_it_works_after_a_restart(tmp_path: Path) -> None:
    """After a restart the log gives the turns for undo, and a repeated move is made once."""
    async with open_server(tmp_path) as server:
        code, ann = await alone(server)
        turns = [moment.turn for moment in server.state(code).undo_points or ()]
        undo = await ann.send("undo", table=code)
        await server.settle()
        before = server.state(code)
    async with open_server(tmp_path, now=server.now + 5) as server:
        await ann.reconnect(server)
        await ann.send("undo", undo, table=code)
        await server.settle()
        first, again = ann.answers[undo]
        assert first == again
        assert server.state(code) == before
        assert (await ann.ask("undo", table=code))["type"] == "ok"
        assert server.state(code).turn > max(turns)
        assert server.state(code).undone == 2
        await server.play(code, 2, ann)


@pytest.mark.parametrize("encoding", [JSON, MSGPACK])
async def test_resuming_from_any_entry(tmp_path: Path, encoding: str) -> None:
    """Resuming gives events from the last undo on, and a snapshot from before."""
    async with open_server(tmp_path) as server:
        code, ann = await alone(server, encoding=encoding)
        await ann.ask("undo", table=code)
        first = server.state(code).seq
        await server.play(code, 2, ann)
        await ann.ask("undo", table=code)
        last = server.state(code).seq
        await server.play(code, 1, ann)
        now = ann.tables[code]
        assert first < last < now.seq
        for seen in range(now.seq + 1):
            ann.disconnect()
            ann.connect(server)
            ann.new_messages()
            ann.tables.clear()
            await ann.hello(resume={code: seen})
            await server.settle()
            sent = [m for m in ann.new_messages() if m["type"] in ("event", "table")]
            if seen < last - 1:
                assert [message["type"] for message in sent] == ["table"]
                assert ann.tables[code].view == now.view
                assert ann.tables[code].facts == now.facts
            else:
                assert [m["seq"] for m in sent] == list(range(seen + 1, now.seq + 1))


async def test_practice_has_no_result(tmp_path: Path) -> None:
    """A practice match has no stored result, and the next match has one."""
    async with open_server(tmp_path) as server:
        code, ann = await alone(server, "black_queen", 2)
        await ann.ask("undo", table=code)
        await finish(server, code, ann)
        assert await number_of_results(server, code) == 0
        assert ann.tables[code].info.practice
        await ann.ask("rematch", table=code)
        await ann.ask("start", table=code)
        assert not ann.tables[code].info.practice
        await finish(server, code, ann)
        assert await number_of_results(server, code) == 1


async def test_a_spectator_ends_it_for_good(tmp_path: Path) -> None:
    """After a spectator came nothing is taken back, over a restart too."""
    async with open_server(tmp_path) as server:
        code, ann = await alone(server, "black_queen", 3)
        played = [fact for fact in ann.tables[code].facts if fact.verb == "card_played"]
        lost = [fact for fact in played if fact.args["seat"] == 0]
        assert lost
        await ann.ask("undo", table=code, turn=first_turn(server, code))
        walter = await server.client("Walter")
        answer = await walter.ask("watch", table=code)
        assert (answer["type"], answer["seq"]) == ("ok", server.state(code).seq)
        frames = [walter.codec.load(frame) for frame in walter.frames]
        assert ["ok", "table"] in [[message["type"] for message in frame] for frame in frames]
        assert not set(map(str, lost)) & set(map(str, walter.tables[code].facts))
        history = server.table(code).history
        assert walter.tables[code].facts == history.facts_of_deal(walter.player)
        assert await ann.refusal("undo", table=code) == "forbidden"
    async with open_server(tmp_path) as server:
        await ann.reconnect(server)
        assert await ann.refusal("undo", table=code) == "forbidden"
        await walter.reconnect(server)
        assert walter.tables[code].seat is None


def first_turn(server: ServerHarness, code: str) -> int:
    """The first turn of the deal in which Ann has moved."""
    return turns_of(server.state(code).undo_points or (), 0)[0]


async def test_who_watched_in_the_lobby_resumes_in_the_match(tmp_path: Path) -> None:
    """A spectator of the lobby who resumes in the match ends undo."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table(seats=3)
        walter = await server.client("Walter")
        await walter.ask("watch", table=code)
        walter.disconnect()
        await ann.ask("start", table=code, fill=0)
        await server.play(code, 2, ann)
        await ann.ask("undo", table=code)
        seen = walter.tables[code].seq
        walter.connect(server)
        walter.new_messages()
        await walter.hello(resume={code: seen})
        await server.settle()
        told = [m["type"] for m in walter.new_messages() if m["type"] in ("table", "event")]
        assert told == ["table"]
        assert walter.tables[code].seq == server.state(code).seq
        assert await ann.refusal("undo", table=code) == "forbidden"


async def test_who_watches_from_the_lobby_sees_it_all(tmp_path: Path) -> None:
    """With a spectator since the lobby nothing is taken back."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table(seats=2)
        walter = await server.client("Walter")
        await walter.ask("watch", table=code)
        await ann.ask("start", table=code, fill=0)
        await server.play(code, 2, ann)
        assert await ann.refusal("undo", table=code) == "forbidden"
        assert walter.tables[code].view == server.table(code).game.view(
            server.state(code).play, SPECTATOR
        )


async def test_a_hint_is_worked_out_anew(tmp_path: Path) -> None:
    """A turn that is asked again has a new hint."""
    async with open_server(tmp_path) as server:
        code, ann = await alone(server, "black_queen", 2)
        await ann.ask("hint", table=code)
        await ann.ask("undo", table=code)
        hint = await ann.ask("hint", table=code)
        assert hint["turn"] == server.state(code).turn
        assert hint["action"] in ann.tables[code].choices.actions


async def test_an_undo_again_gets_its_first_answer(tmp_path: Path) -> None:
    """A repeated undo gets its first answer."""
    async with open_server(tmp_path) as server:
        code, ann = await alone(server)
        number = await ann.send("undo", table=code)
        await server.settle()
        state = server.state(code)
        await ann.reconnect(server)
        await ann.send("undo", number, table=code)
        await server.settle()
        first, again = ann.answers[number]
        assert first == again
        assert server.state(code) is state
        refused = await ann.send("undo", table=code, turn=0)
        await server.settle()
        assert ann.answers[refused][0]["code"] == "nothing_to_undo"
        assert await server.store.answer(ann.player, "laptop", refused, frozenset()) is None


async def test_the_list_says_practice(tmp_path: Path) -> None:
    """The list marks practice tables, in memory and sleeping."""
    async with open_server(tmp_path) as server:
        code, ann = await alone(server)
        await ann.ask("undo", table=code)
        (listed,) = (await ann.ask("list_tables"))["tables"]
        assert listed["practice"] is True
    async with open_server(tmp_path) as server:
        bea = await server.client("Bea")
        (listed,) = (await bea.ask("list_tables"))["tables"]
        assert listed["practice"] is True
        assert json.dumps(listed)
