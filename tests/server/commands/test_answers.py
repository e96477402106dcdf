"""Every command is answered once, and a repeated one gets its first answer."""

import json
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from protocol.version import JSON, MSGPACK
from server.housekeeping import Housekeeping
from server.lobby import service
from tests.server.client import TestClient
from tests.server.harness import open_server
from tests.server.store.rows import results


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_a_match_is_played_to_its_end(tmp_path: Path, subprotocol: str) -> None:
    """Two people open, join, start and finish a match, and see one end."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann", subprotocol)
        bea = await server.client("Bea", subprotocol)
        code = await ann.open_table(options={"deals": 1})
        await bea.ask("join", table=code)
        await ann.ask("start", table=code)
        while ann.tables[code].info.phase == "playing":
            client = ann if ann.tables[code].my_turn else bea
            answer = await client.move(code, at=-1)
            assert answer["type"] == "ok"
            assert answer["seq"] == ann.tables[code].seq == bea.tables[code].seq
        assert ann.tables[code].facts[-1].verb == "match_ended"
        assert ann.tables[code].facts[-1] == bea.tables[code].facts[-1]
        (result,) = await results(server.store, code)
        assert json.loads(result.body)["totals"] == list(totals_of(ann, code))


def totals_of(client: TestClient, code: str) -> tuple[int, ...]:
    totals = client.tables[code].facts[-1].args["totals"]
    assert isinstance(totals, tuple)
    return totals


Act: TypeAlias = tuple[str, dict[str, Any]]
ACTS: list[Act] = [
    ("create_table", {"game": "black_queen", "seats": 3}),
    ("create_table", {"game": "tarot"}),
    ("join", {"table": "NOWHERE"}),
    ("chat", {"table": "{code}", "text": "hello"}),
    ("ready", {"table": "{code}"}),
    ("sit", {"table": "{code}", "seat": 0}),
    ("sit", {"table": "{code}", "seat": 1}),
    ("kick", {"table": "{code}", "seat": 0}),
    ("start", {"table": "{code}", "fill": 9}),
    ("leave", {"table": "{code}"}),
]
"""Commands of every kind of answer: entries, none, and errors of table, desk and engine."""


async def carried_out(client: TestClient, act: Act) -> tuple[int, object]:
    """A command of a player in a lobby: its number and its answer."""
    type, fields = act
    code = await client.open_table()
    number = await client.send(type, **filled(fields, code))
    await client.server.settle()
    (answer,) = client.answers[number]
    return number, answer


def filled(fields: dict[str, Any], code: str) -> dict[str, Any]:
    return {name: code if value == "{code}" else value for name, value in fields.items()}


@pytest.mark.parametrize("act", ACTS, ids=str)
@pytest.mark.parametrize("how", ["same connection", "new connection", "restart"])
async def test_a_command_sent_again_gets_its_first_answer(
    tmp_path: Path, act: Act, how: str
) -> None:
    """A repeated command gets its first answer, over any connection and after a restart."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        number, answer = await carried_out(ann, act)
        code = ann.answers[2][0]["table"] if 2 in ann.answers else ""
        if how == "restart":
            ann.disconnect()
        else:
            before = len(server.game_server.tables.directory)
            if how == "new connection":
                ann.disconnect()
                await ann.reconnect()
            await ann.send(act[0], number, **filled(act[1], code))
            await server.settle()
            assert ann.answers[number] == [answer, answer]
            assert len(server.game_server.tables.directory) == before
    if how == "restart":
        async with open_server(tmp_path, now=server.now + 5) as server:
            await ann.reconnect(server)
            before = len(server.game_server.tables.directory)
            await ann.send(act[0], number, **filled(act[1], code))
            await server.settle()
            assert ann.answers[number] == [answer, answer]
            assert len(server.game_server.tables.directory) == before


async def test_chat_sent_again_is_said_once(tmp_path: Path) -> None:
    """A repeated line of chat is said once."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table()
        await bea.ask("join", table=code)
        number = await ann.send("chat", table=code, text="hello")
        await ann.send("chat", number, table=code, text="hello")
        await server.settle()
        ann.disconnect()
        await ann.reconnect()
        await ann.send("chat", number, table=code, text="hello")
        await server.settle()
        assert [said["text"] for said in bea.new_messages("chat")] == ["hello"]


async def test_a_command_sent_twice_at_once_is_carried_out_once(tmp_path: Path) -> None:
    """Of two equal commands at once the second shares the answer of the first."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        server.store.hold_writes()
        number = await ann.send("create_table", game="black_queen")
        await ann.send("create_table", number, game="black_queen")
        server.store.release_writes()
        await server.settle()
        assert len(server.game_server.tables.directory) == 1
        assert {answer["table"] for answer in ann.answers[number]} == set(ann.tables)


async def test_an_answer_under_way_follows_its_client_to_a_new_connection(tmp_path: Path) -> None:
    """An answer under way when the connection is lost is sent on the next one, once."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        server.store.hold_writes()
        number = await ann.send("create_table", game="black_queen")
        ann.disconnect()
        await ann.reconnect()
        await ann.send("create_table", number, game="black_queen")
        server.store.release_writes()
        await server.settle()
        assert len(server.game_server.tables.directory) == 1
        assert [answer["type"] for answer in ann.answers[number]] == ["ok"]


async def test_an_answer_under_way_is_not_for_another_client(tmp_path: Path) -> None:
    """An answer under way is not sent to another client of the player."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        server.store.hold_writes()
        number = await ann.send("create_table", game="black_queen")
        phone = TestClient(server, client_id="phone")
        await phone.hello(token=ann.token)
        server.store.release_writes()
        await server.settle()
        assert phone.answers[number] == []
        assert len(phone.tables) == 1


@pytest.mark.parametrize("stage", ["last_command", "load"])
async def test_what_is_committed_while_its_client_says_hello_is_not_done_again(
    tmp_path: Path, stage: str
) -> None:
    """A command committed during its client's hello is answered, not done again."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        number = await ann.send("chat", 50, table=code, text="hello")
        ann.disconnect()

        async def commit_now(name: str) -> None:
            if name == stage or stage == "load":
                server.store.gate = None
                await server.settle()

        server.store.gate = commit_now
        ann.connect(server)
        await ann.hello(id=1)
        await server.settle()
        await ann.send("chat", number, table=code, text="hello")
        await server.settle()
        assert len(ann.new_messages("chat")) <= 1
        assert [answer["type"] for answer in ann.answers[number]] == ["ok"]


async def test_what_changes_nothing_is_answered_afresh(tmp_path: Path) -> None:
    """Repeated reading commands are answered with the current state."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        assert (await ann.ask("list_tables", 100))["tables"] == []
        await ann.open_table()
        await ann.send("list_tables", 100)
        assert [len(answer["tables"]) for answer in ann.answers[100]] == [0, 1]


async def test_numbers_belong_to_a_client(tmp_path: Path) -> None:
    """Each client of a player has its own command numbers."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        first = await ann.ask("create_table", 7, game="black_queen")
        ann.disconnect()
        other = TestClient(server, client_id="phone")
        await other.hello(token=ann.token)
        second = await other.ask("create_table", 7, game="black_queen")
        assert first["table"] != second["table"]


async def test_numbers_need_not_come_in_order(tmp_path: Path) -> None:
    """A number that was never used is a new command, even below a used one."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        await ann.ask("chat", 90, table=code, text="first")
        await ann.ask("chat", 80, table=code, text="second")
        assert [said["text"] for said in ann.new_messages("chat")] == ["first", "second"]


async def test_answers_older_than_the_latest_come_from_the_store(tmp_path: Path) -> None:
    """First answers are found in the store, however old."""
    async with open_server(tmp_path, chat_per_minute=1000) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        first = await ann.send("chat", table=code, text="the first")
        unknown = await ann.send("join", table="NOWHERE")
        for _ in range(80):
            await ann.send("chat", table=code, text="more")
        await server.settle()
        ann.new_messages()
        await ann.send("chat", first, table=code, text="the first")
        await ann.send("join", unknown, table="NOWHERE")
        await server.settle()
        for number in (first, unknown):
            assert ann.answers[number][0] == ann.answers[number][1]
        assert ann.new_messages("chat") == []


async def test_a_code_that_is_in_use_is_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A code that is in use is drawn again, for stored and closed tables too."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        codes = iter(["AAAAA", "AAAAA", "BBBBB", "AAAAA", "CCCCC", "AAAAA", "DDDDD"])
        monkeypatch.setattr(service, "new_code", lambda private: next(codes))
        server.store.hold_writes()
        numbers = [await ann.send("create_table", game="black_queen") for _ in range(2)]
        server.store.release_writes()
        await server.settle()
        assert [ann.answers[number][0]["table"] for number in numbers] == ["AAAAA", "BBBBB"]
        assert await ann.open_table() == "CCCCC"
        await ann.ask("leave", table="AAAAA")
        number = await ann.send("create_table", game="black_queen")
        await server.settle()
        assert ann.answers[number][0]["code"] == "try_again"
        await ann.send("create_table", number, game="black_queen")
        await server.settle()
        assert ann.answers[number][1]["table"] == "DDDDD"


async def test_a_command_that_is_too_old_is_not_carried_out_again(tmp_path: Path) -> None:
    """A command older than the stored answers gets `stale_command`, also after a restart."""
    month = 31 * 86_400.0
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        said = await ann.ask("chat", 50, table=code, text="hello")
        assert said["type"] == "ok"
    settings: dict[str, Any] = {"lobby_seconds": 1e9}
    async with open_server(tmp_path, now=server.now + month, **settings) as server:
        keeping = Housekeeping(
            server.settings,
            server.store,
            server.game_server.connections,
            server.game_server.guests,
            server.game_server.bans,
            lambda: server.now,
        )
        # Those to `create_table` and `chat`.
        assert (await keeping.tidy())["answers"] == 2
        await ann.reconnect(server, id=60)
        for number in (50, 49, 50):
            await ann.send("chat", number, table=code, text="hello")
            await server.settle()
            assert ann.answers[number][-1]["code"] == "stale_command"
        assert (await ann.ask("chat", 61, table=code, text="again"))["type"] == "ok"
        assert [line["text"] for line in ann.new_messages("chat")] == ["hello", "again"]
        other = TestClient(server, client_id="phone")
        await other.hello(token=ann.token)
        assert (await other.ask("chat", 50, table=code, text="new"))["type"] == "ok"
