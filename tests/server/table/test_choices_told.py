"""Choices in the form that a client asked for; moves in either form are accepted."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from engine.phrases import Phrase
from engine.recycle.games import description
from server.games.folder import GameFolder
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

PICKS, PARTS, PROMPTS = "pick.way", "choices.parts", "choices.prompt"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerHarness]:
    """A server that offers Cribbage."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "Cribbage2.rcy").write_text(description("Cribbage2"), encoding="utf-8")
    async with open_server(tmp_path, hosted=GameFolder(games)) as running:
        yield running


def choices_in(client: TestClient, code: str) -> dict[str, Any]:
    """The choices of the last question to a client, as they came."""
    told = (message for message in reversed(client.received) if "question" in message)
    question = next(each["question"] for each in told if each["table"] == code)
    return dict(question["choices"])


async def test_only_those_who_ask_are_sent_parts(server: ServerHarness) -> None:
    """Only clients that ask get parts, in snapshots and events."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    await ann.reconnect(features=[PARTS, "a newer one"])
    await ann.ask("sync", table=code)
    asked: set[str] = set()
    for _ in range(6):
        mover = ann if ann.tables[code].my_turn else bea
        told = choices_in(mover, code)
        assert ("parts" in told, "ways" in told) == (mover is ann, mover is ann)
        assert mover is bea or len(told["parts"]) == len(told["actions"])
        asked.add(mover.player)
        await mover.move(code)
    assert asked == {ann.player, bea.player}
    while not ann.tables[code].my_turn:
        await bea.move(code)
    await ann.reconnect()
    await ann.ask("sync", table=code)
    assert "parts" not in choices_in(ann, code)


async def test_only_those_who_ask_are_told_what_is_asked(server: ServerHarness) -> None:
    """Only clients that ask get the question, for native games as a phrase."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    first, second = (ann, bea) if ann.tables[code].my_turn else (bea, ann)
    assert "prompt" not in choices_in(first, code)
    await first.reconnect(features=[PROMPTS])
    await first.ask("sync", table=code)
    assert choices_in(first, code)["prompt"] == {"code": "ask_lead"}
    assert first.tables[code].choices.prompt == Phrase("ask_lead")
    await first.move(code)
    assert "prompt" not in choices_in(second, code)
    code, (cid, dora) = await server.match_of("Cid", "Dora", game="Cribbage2.rcy")
    await cid.reconnect(features=[PROMPTS])
    await cid.ask("sync", table=code)
    told = cid if cid.tables[code].my_turn else dora
    assert "prompt" not in choices_in(told, code)


async def test_missed_events_end_with_a_question_in_parts(server: ServerHarness) -> None:
    """A client that comes back gets the question in its form."""
    code, (ann, bea) = await server.match_of("Ann", "Bea")
    while not bea.tables[code].my_turn:
        await ann.move(code)
    ann.disconnect()
    while bea.tables[code].my_turn:
        await bea.move(code)
    await ann.reconnect(features=[PARTS])
    assert ann.tables[code].my_turn
    assert len(choices_in(ann, code)["parts"]) == len(ann.tables[code].choices.actions)


async def test_cribbage_offers_two_of_six(server: ServerHarness) -> None:
    """Cribbage offers two of six as a pick or as a list, and accepts each."""
    code, (ann, bea) = await server.match_of("Ann", "Bea", game="Cribbage2.rcy")
    first, second = (ann, bea) if ann.tables[code].my_turn else (bea, ann)
    assert len(choices_in(first, code)["actions"]) == 15
    await first.reconnect(features=[PICKS])
    await first.ask("sync", table=code)
    told = choices_in(first, code)
    assert told.keys() == {"picks", "ways"}
    (pick,) = told["picks"]
    assert (len(pick["cards"]), pick["least"], pick["most"]) == (6, 2, 2)
    assert told["ways"][0]["target"] == "crib"
    order = {card.token: card.order for card in first.tables[code].legend}
    assert list(pick["cards"]) == sorted(pick["cards"], key=order.__getitem__)
    turn = first.tables[code].question.turn
    action = " ".join((pick["verb"], pick["cards"][0], pick["cards"][5]))
    assert (await first.ask("act", table=code, turn=turn, action=action))["type"] == "ok"
    assert (await second.move(code))["type"] == "ok"
