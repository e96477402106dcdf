"""Hints: one a turn, one at a time for each player, dropped when they are of no use."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bots import Decision
from server.bots import pool, thinking, workers
from tests.server.bots.asking import Odd
from tests.server.bots.fake_process import FakeProcess
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


@pytest.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ServerHarness]:
    """A server whose bots think in one fake process."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: Odd("unused", in_place=False))
    async with open_server(tmp_path) as server:
        yield server


async def at_a_table(server: ServerHarness, name: str) -> tuple[TestClient, str]:
    """A player to move, at a table with another person."""
    code, (host, other) = await server.match_of(name, f"{name}'s friend")
    asked = host if server.state(code).to_act == (0,) else other
    return asked, code


def advise(process: FakeProcess) -> str:
    """Let a process advise the first choice."""
    (request,) = process.job
    action: str = request.position.choices.actions[0]
    process.answer(Decision(action))
    return action


async def test_one_hint_at_a_time(server: ServerHarness, fakes: list[FakeProcess]) -> None:
    """A player who asks for a second hint is told when to ask again."""
    ann, code = await at_a_table(server, "Ann")
    other = await ann.open_table()
    friend = await server.client("Zoe")
    await friend.ask("join", table=other)
    await ann.ask("start", table=other)
    while server.state(other).to_act != (0,):
        await friend.move(other)
        await server.settle()
    first = await ann.send("hint", table=code)
    refused = await ann.ask("hint", table=other)
    assert (refused["code"], refused["retry_after"]) == ("try_again", 1.0)
    assert ann.answers[first] == []
    action = advise(fakes[0])
    await server.settle()
    assert [answer["action"] for answer in ann.answers[first]] == [action]
    second = await ann.send("hint", table=other)
    await server.settle()
    advise(fakes[0])
    await server.settle()
    assert ann.answers[second][0]["table"] == other


async def test_the_same_question_is_worked_out_once(
    server: ServerHarness, fakes: list[FakeProcess]
) -> None:
    """A repeated request for a hint uses one bot's work."""
    ann, code = await at_a_table(server, "Ann")
    numbers = [await ann.send("hint", table=code) for _ in range(2)]
    await ann.send("hint", id=numbers[0], table=code)
    advise(fakes[0])
    later = await ann.ask("hint", table=code)
    assert len(fakes[0].jobs) == 1
    for number in numbers:
        (answer,) = ann.answers[number]
        assert {**answer, "id": 0} == {**later, "id": 0}


async def test_no_more_than_a_few_wait_for_one_hint(
    server: ServerHarness, fakes: list[FakeProcess]
) -> None:
    """Only a few requests may wait for one hint."""
    ann, code = await at_a_table(server, "Ann")
    numbers = [await ann.send("hint", table=code) for _ in range(20)]
    await server.settle()
    refused = [ann.answers[number][0]["code"] for number in numbers if ann.answers[number]]
    assert refused == ["try_again"] * 12
    advise(fakes[0])
    await server.settle()
    assert all(len(ann.answers[number]) == 1 for number in numbers)


async def test_a_hint_for_a_turn_that_is_over_is_dropped(
    server: ServerHarness, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hint for a past turn is refused at once, and its process freed."""
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.0)
    ann, code = await at_a_table(server, "Ann")
    number = await ann.send("hint", table=code)
    await ann.move(code)
    await server.settle()
    assert [answer["code"] for answer in ann.answers[number]] == ["stale_turn"]
    await fakes[0].killed.wait()
    assert len(server.game_server.questions) == len(server.game_server.hints) == 0


async def test_a_hint_for_a_player_who_is_gone_is_dropped(
    server: ServerHarness, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hint for an absent player is dropped, and requested again on return."""
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.0)
    ann, code = await at_a_table(server, "Ann")
    number = await ann.send("hint", table=code)
    await server.settle()
    ann.disconnect()
    await fakes[0].killed.wait()
    await ann.reconnect()
    await ann.send("hint", id=number, table=code)
    await server.settle()
    action = advise(fakes[1])
    await server.settle()
    assert [answer["action"] for answer in ann.answers[number]] == [action]


async def test_a_hint_goes_on_over_a_new_connection(
    server: ServerHarness, fakes: list[FakeProcess]
) -> None:
    """A hint continues over a new connection."""
    ann, code = await at_a_table(server, "Ann")
    before = ann.connection
    number = await ann.send("hint", table=code)
    await server.settle()
    await ann.reconnect()
    server.game_server.disconnected(before)
    await ann.send("hint", id=number, table=code)
    await server.settle()
    action = advise(fakes[0])
    await server.settle()
    assert [answer["action"] for answer in ann.answers[number]] == [action]


@pytest.mark.parametrize("alone", [False, True], ids=["a bot goes on", "the table closes"])
async def test_who_leaves_gets_no_hint(
    server: ServerHarness, fakes: list[FakeProcess], alone: bool
) -> None:
    """A player who leaves gets no hint, but an answer."""
    host, client = await server.client("Ann"), await server.client("Bea")
    code = await host.open_table()
    await client.ask("join", table=code)
    await host.ask("start", table=code)
    asked, other = (host, client) if server.state(code).to_act == (0,) else (client, host)
    if alone:
        await other.ask("leave", table=code)
    number = await asked.send("hint", table=code)
    await asked.ask("leave", table=code)
    assert [answer["code"] for answer in asked.answers[number]] == ["stale_turn"]
    assert (code in server.loaded()) != alone
    assert len(server.game_server.hints) == 0


async def test_hints_wait_in_bounds(server: ServerHarness, fakes: list[FakeProcess]) -> None:
    """The number of waiting hints is limited."""
    asked = [await at_a_table(server, f"Ann {number}") for number in range(7)]
    numbers = [await ann.send("hint", table=code) for ann, code in asked]
    await server.settle()
    answers = [ann.answers[number] for (ann, _), number in zip(asked, numbers, strict=True)]
    # One hint is being computed and four wait.
    assert [len(each) for each in answers] == [0] * 5 + [1] * 2
    assert answers[-1][0]["code"] == "try_again"
    assert answers[-1][0]["retry_after"] > 0
    for _ in range(5):
        advise(fakes[0])
        await server.settle()
    ann, code = asked[-1]
    number = await ann.send("hint", table=code)
    await server.settle()
    advise(fakes[0])
    await server.settle()
    assert ann.answers[number][0]["type"] == "hint"


async def test_a_late_hint_is_no_random_move(
    server: ServerHarness, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late hint is no random move, and can be requested again."""
    monkeypatch.setattr(pool, "DEADLINE_SECONDS", 0.0)
    ann, code = await at_a_table(server, "Ann")
    number = await ann.send("hint", table=code)
    for _ in range(3):
        await asyncio.sleep(0)
    await server.settle()
    (answer,) = ann.answers[number]
    assert (answer["code"], answer["retry_after"]) == ("try_again", 1.0)


async def test_a_move_that_nobody_waits_for_is_dropped(
    server: ServerHarness, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's move is dropped when its table closes."""
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.0)
    ann = await server.client("Ann")
    code = await ann.open_table()
    await ann.ask("start", table=code, fill=1)
    if server.state(code).to_act == (0,):
        await ann.move(code)
        await server.settle()
    assert len(server.game_server.questions) == 1
    await ann.ask("leave", table=code)
    await fakes[0].killed.wait()
    assert len(server.game_server.questions) == 0
