"""Public events of tables with hostile players, files and chat."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from protocol.asyncapi import type_of
from protocol.version import JSON
from server.events.reference import MESSAGES
from server.games.folder import GameFolder
from tests.server.client import TestClient
from tests.server.events.recording_broker import RecordingBroker
from tests.server.harness import ServerHarness, open_server
from tests.server.small_descriptions import HIGH, MOVES

NAMES = (
    ("#", "+/+"),
    ("$SYS/broker", "../../#"),
    ('","type":"closed","x":"', "\\u0000\\"),
    ("👨‍👩‍👧" * 5, "é" * 24),
    ("שלום", "Annی\u200cر"),
)
"""What nobody is refused: topics, JSON, the longest, other scripts and directions."""
REFUSED = ("Ann\0", "a\nb", "\u202eAnn", "a" * 97, "à" * 49, "", "a" + "\u0300" * 9)
FILES = ("#.rcy", "$SYS+#+#.rcy", 'a","b.rcy', f"{'ä' * 60}.rcy", "%2F..%2F.rcy")
LARGEST = 4096
"""Bytes of the largest payload at a table of two with few cards, whatever they are called."""


def check(sent: Sequence[tuple[str, bytes]]) -> None:
    """Check that every payload fits the reference and its topic."""
    models = {type_of(model): model for model in MESSAGES}
    for topic, payload in sent:
        prefix, tables, game, table, kind = topic.split("/")
        assert (prefix, tables) == ("test", "tables")
        assert topic.isascii()
        assert topic.isprintable()
        assert not set(topic) & set("+#$ \\\"'%")
        assert len(payload) <= LARGEST
        if not payload:
            assert kind in ("summary", "turn")
            continue
        told = json.loads(payload.decode())
        assert (told["type"], told["table"]) == (kind, table)
        assert len(game) == len(told["game"][-100:])
        assert models[kind].model_validate(told).model_dump().keys() == told.keys()


async def seated(server: ServerHarness, game: str, *names: str) -> tuple[str, list[TestClient]]:
    """A match of players with this name for themselves and their programs."""
    clients = []
    for name in names:
        clients.append(TestClient(server, JSON))
        await clients[-1].hello(name=name, program=name)
    code = await clients[0].open_table(game=game, seats=len(names), options={"deals": 1})
    for client in clients[1:]:
        await client.ask("join", table=code)
    await clients[0].ask("start", table=code)
    return code, clients


@pytest.mark.parametrize("names", NAMES, ids=ascii)
async def test_names_change_nothing_but_the_text(tmp_path: Path, names: tuple[str, str]) -> None:
    """Hostile names stay text in bounded JSON payloads, and are in no topic."""
    broker = RecordingBroker()
    async with open_server(tmp_path, broker=broker) as server:
        code, players = await seated(server, "black_queen", *names)
        await server.play(code, 1000, *players)
        shown = broker.messages("summary")[-1]["players"]
        for player in players:
            await player.ask("leave", table=code)
    check(broker.sent)
    assert {player["name"] for player in shown} == {*names}
    (result,) = broker.messages("match_result")
    assert tuple(result["names"]) == names


@pytest.mark.parametrize("file", FILES, ids=ascii)
async def test_names_of_files_are_made_fit_for_topics(tmp_path: Path, file: str) -> None:
    """The name of a described game is made fit for topics, and payloads have its id."""
    broker, folder = RecordingBroker(), tmp_path / "games"
    folder.mkdir()
    (folder / file).write_text(HIGH)
    async with open_server(tmp_path, hosted=GameFolder(folder), broker=broker) as server:
        code, players = await seated(server, file, *NAMES[2])
        await server.play(code, MOVES, *players)
    check(broker.sent)
    assert {told["game"].partition("@")[0] for told in broker.messages()} == {file}
    assert broker.messages("match_result")


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
async def test_what_is_no_name_is_told_to_nobody(tmp_path: Path, name: str) -> None:
    """Invalid names are refused before they are at any table."""
    broker = RecordingBroker()
    async with open_server(tmp_path, broker=broker) as server:
        refused = await TestClient(server, JSON).hello(name=name)
        assert refused["type"] == "error"
    assert broker.sent == []


async def test_chat_makes_no_message(tmp_path: Path) -> None:
    """Chat causes no public message, and changes no topic or number."""
    broker = RecordingBroker()
    async with open_server(tmp_path, broker=broker, chat_per_minute=1000) as server:
        code, (ann, _) = await server.match_of("Ann", "Bea", game="black_queen")
        said = len(broker.sent)
        for text in ("#", "$SYS/+", "ü" * 500, '{"type":"closed"}'):
            assert (await ann.ask("chat", table=code, text=text))["type"] == "ok"
        assert len(broker.sent) == said
