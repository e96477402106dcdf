"""What players are told of bots that are not ready, and when bots are compiled."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog

from protocol.wire_form import WireForm
from server.sessions.connection import Connection
from server.table.entries import Acted
from server.tables.rows import entry_of
from tests.server.bots.fake_process import FakeProcess
from tests.server.bots.kernels import COMPILED, NAMES, PLAIN, Kept, pretend_kernels
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


@pytest.fixture(autouse=True)
def plain_bots() -> None:
    """Keep the kernels, which these tests are about."""


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    return pretend_kernels(monkeypatch)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerHarness]:
    async with open_server(tmp_path) as server:
        yield server


def notices(client: TestClient) -> list[WireForm]:
    """The notices about bots that a client has got since the last call."""
    kinds = ("warming", "warmed", "not_warmed")
    return [told for told in client.new_messages("notice") if told["kind"] in kinds]


async def begun(
    server: ServerHarness, ann: TestClient, seed: int | None = None, seats: int = 3
) -> str:
    """A match of Ann and bots that must be compiled."""
    code = await ann.open_table(seats=seats, **({} if seed is None else {"seed": seed}))
    await ann.ask("start", table=code, fill=COMPILED)
    await server.settle()
    return code


async def compile_bot(server: ServerHarness, fakes: list[FakeProcess]) -> None:
    """Let the process compile the bot, and the worker load it."""
    for process in (0, 1):
        fakes[process].work()
        await server.settle()


async def moves(server: ServerHarness, code: str) -> list[Acted]:
    """The moves of the table's log."""
    stored = await server.store.load(code)
    assert stored is not None
    bodies = [entry_of(row).body for row in stored[1]]
    return [body for body in bodies if isinstance(body, Acted)]


async def test_everybody_hears_who_plays_until_a_bot_is_ready(
    server: ServerHarness, fakes: list[FakeProcess]
) -> None:
    """Everybody is told once who plays until a bot is ready, and for how long."""
    ann, walter, zoe = [await server.client(name) for name in ("Ann", "Walter", "Zoe")]
    code = await ann.open_table(seats=3)
    await walter.ask("watch", table=code)
    await ann.ask("start", table=code, fill=COMPILED)
    await server.settle()
    while not (told := notices(ann)):
        await ann.move(code)
        await server.settle()
    (notice,) = told
    seats = [1, 2]
    assert notice == {
        "type": "notice",
        "kind": "warming",
        "table": code,
        "seats": seats,
        "strength": PLAIN,
        "seconds": 30.0,
    }
    assert notices(walter) == [notice]
    await zoe.ask("watch", table=code)
    assert notices(zoe) == [notice]
    await compile_bot(server, fakes)
    ready = {"type": "notice", "kind": "warmed", "table": code, "seats": seats}
    for client in (ann, walter, zoe):
        assert notices(client) == [{**ready, "strength": COMPILED}]
    await zoe.ask("sync", table=code)
    assert notices(zoe) == []


async def test_nothing_is_compiled_before_a_person_can_move(
    server: ServerHarness, fakes: list[FakeProcess]
) -> None:
    """Nothing is compiled before a person can move."""
    ann, bea = [await server.client(name) for name in ("Ann", "Bea")]
    code = await ann.open_table(seats=8)
    await bea.ask("join", table=code, seat=1)
    await ann.ask("configure", table=code, settings={"bot_delay": 1.0})
    await ann.ask("start", table=code, fill=COMPILED)
    while not (ann.tables[code].my_turn or bea.tables[code].my_turn):
        assert fakes == []
        await server.wait(1.0)
    assert fakes[0].job == NAMES[COMPILED]


async def test_bots_that_need_no_compiling_have_nothing_compiled(
    server: ServerHarness, fakes: list[FakeProcess]
) -> None:
    """Bots that need no compiling cause no notices."""
    ann = await server.client("Ann")
    code = await ann.open_table(seats=3)
    await ann.ask("start", table=code, fill=PLAIN)
    await server.settle()
    for _ in range(5):
        await ann.move(code)
        await server.settle()
    assert (fakes, notices(ann)) == ([], [])


async def test_every_move_of_a_bot_says_the_strength_that_made_it(
    server: ServerHarness,
    fakes: list[FakeProcess],
    log_events: list[structlog.typing.EventDict],
) -> None:
    """Every bot's move has its strength in the table's and the server's log."""
    ann = await server.client("Ann")
    code = await begun(server, ann, seats=2)
    await ann.move(code)
    await server.settle()
    await compile_bot(server, fakes)
    # Who has taken a trick leads the next one, so it is not known how soon the bot is asked.
    while not any(move.strength == COMPILED for move in await moves(server, code)):
        if ann.tables[code].my_turn:
            await ann.move(code)
        else:
            fakes[1].work()
        await server.settle()
    made = [(move.by, move.strength) for move in await moves(server, code)]
    assert set(made) == {("player", None), ("bot", PLAIN), ("bot", COMPILED)}
    logged = [event["strength"] for event in log_events if event["event"] == "act"]
    assert logged == [strength for _, strength in made]


async def test_a_table_with_a_seed_waits_for_its_bots(
    server: ServerHarness, fakes: list[FakeProcess]
) -> None:
    """A table with a chosen seed waits for its bots."""
    ann = await server.client("Ann")
    code = await begun(server, ann, seed=7, seats=2)
    if ann.tables[code].my_turn:
        await ann.move(code)
    await server.settle()
    before = len(await moves(server, code))
    (notice,) = notices(ann)
    assert (notice["kind"], "strength" in notice) == ("warming", False)
    await server.wait(120)
    assert len(await moves(server, code)) == before
    await compile_bot(server, fakes)
    fakes[1].work()
    await server.settle()
    last = (await moves(server, code))[-1]
    assert (last.by, last.strength) == ("bot", COMPILED)


async def test_a_player_who_wants_a_hint_hears_who_gives_it(
    server: ServerHarness, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain bot gives a hint at once, and only its player is told; then the strong one.

    In the same turn too: the plain bot's hint says how long that takes.
    """
    monkeypatch.setattr("server.tables.hints.strength_of", lambda game, level: COMPILED)
    ann, bea = [await server.client(name) for name in ("Ann", "Bea")]
    code = await ann.open_table()
    await bea.ask("join", table=code)
    await ann.ask("start", table=code)
    asked, other = (ann, bea) if ann.tables[code].my_turn else (bea, ann)
    hint = await asked.ask("hint", table=code)
    assert (hint["type"], hint["strength"]) == ("hint", PLAIN)
    (notice,) = notices(asked)
    assert (notice["kind"], notice["strength"], "seats" in notice) == ("warming", PLAIN, False)
    assert (hint["weaker"], hint["seconds"]) == (True, notice["seconds"])
    assert (await asked.ask("hint", table=code))["strength"] == PLAIN
    await compile_bot(server, fakes)
    assert [told["kind"] for told in notices(asked)] == ["warmed"]
    stronger = await asked.send("hint", table=code)
    await server.settle()
    fakes[1].work()
    await server.settle()
    (answer,) = asked.answers[stronger]
    assert (answer["strength"], "seconds" in answer) == (COMPILED, False)
    await asked.move(code)
    assert notices(other) == []
    again = await other.send("hint", table=code)
    await server.settle()
    fakes[1].work()
    await server.settle()
    assert other.answers[again][0]["strength"] == COMPILED


async def test_a_notice_that_fails_costs_only_the_player_it_was_for(
    server: ServerHarness, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notice that fails disconnects only its player."""
    monkeypatch.setattr("server.tables.hints.strength_of", lambda game, level: COMPILED)
    clients = [await server.client(name) for name in ("Ann", "Bea", "Cid")]
    for client in clients:
        code = await client.open_table()
        await client.ask("start", table=code, fill=PLAIN)
        await server.settle()
        assert (await client.ask("hint", table=code))["type"] == "hint"
        assert [told["kind"] for told in notices(client)] == ["warming"]
    broken = clients[1].connection

    def tell(connection: Connection, message: WireForm) -> None:
        if connection is broken:
            raise RuntimeError("a fault of the server")
        original(connection, message)

    original = Connection.tell
    monkeypatch.setattr(Connection, "tell", tell)
    await compile_bot(server, fakes)
    assert [client.closed() for client in clients] == [None, (1011, "internal"), None]
    for client in (clients[0], clients[2]):
        assert [told["kind"] for told in notices(client)] == ["warmed"]
