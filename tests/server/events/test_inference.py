"""What a subscriber cannot infer from the number, the order and the topics of messages.

That their bytes, and so their sizes, do not depend on hidden cards is in
`tests/server/secrecy/test_public_events.py`.
"""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from server.events.topics import Topics
from tests.server.events.recording_broker import RecordingBroker
from tests.server.harness import ServerHarness, open_server

SHORT: dict[str, Any] = {"game": "black_queen", "options": {"deals": 1}}
ALLOWED = {"private": True, "events": True}


@pytest.fixture
def broker() -> RecordingBroker:
    return RecordingBroker()


@pytest.fixture
async def server(tmp_path: Path, broker: RecordingBroker) -> AsyncIterator[ServerHarness]:
    async with open_server(tmp_path, broker=broker) as server:
        yield server


async def test_no_message_counts_the_moves_of_a_match_alone(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """Moves of a match alone with bots cause no messages, except for its end."""
    code, (ann,) = await server.match_of("Ann", seats=3, **SHORT)
    said = len(broker.sent)
    for _ in range(3):
        await ann.move(code)
        await ann.ask("hint", table=code)
        await ann.ask("undo", table=code)
    assert len(broker.sent) == said
    await server.play(code, 1000, ann)
    (end,) = (json.loads(payload) for _, payload in broker.sent[said:])
    assert (end["type"], end["phase"], end["totals"]) == ("summary", "finished", None)


async def test_a_table_that_is_not_told_of_makes_no_message(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """A private table neither delays nor numbers the messages of others."""
    await server.match_of("Ann", "Bea", **SHORT)
    said = len(broker.sent)
    code, (cid, dan) = await server.match_of("Cid", "Dan", **SHORT, settings={"private": True})
    await server.play(code, 1000, cid, dan)
    for player in (cid, dan):
        await player.ask("leave", table=code)
    assert len(broker.sent) == said


async def test_a_table_that_becomes_private_only_disappears(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """A table that becomes private is removed, without saying why."""
    code, (ann, bea) = await server.table_of("Ann", "Bea", **SHORT)
    said = len(broker.sent)
    await ann.ask("configure", table=code, settings={"private": True})
    assert [payload for _, payload in broker.sent[said:]] == [b"", b""]
    said = len(broker.sent)
    await ann.ask("start", table=code)
    await server.play(code, 1000, ann, bea)
    assert len(broker.sent) == said


async def test_an_alias_is_no_key(server: ServerHarness, broker: RecordingBroker) -> None:
    """The alias of a table cannot be used at the server."""
    code, _ = await server.match_of("Ann", "Bea", **SHORT, settings=ALLOWED)
    (alias,) = {topic.split("/")[3] for topic in broker.retained}
    eve = await server.client("Eve")
    # The second form is as long as a code may be.
    for name in (alias, alias.partition("-")[2], alias.lower(), f"{code[:-1]}?"):
        for command in ("join", "watch", "sync", "log", "chat"):
            more: dict[str, Any] = {"text": "hello"} if command == "chat" else {}
            answer = await eve.ask(command, table=name, **more)
            assert answer["type"] == "error", (command, name)
    listed = await eve.ask("list_tables", text=alias[-8:])
    assert listed["tables"] == []


def test_an_alias_is_worth_nothing_without_the_servers_secret() -> None:
    """An alias depends on the server's secret of 128 bits, so codes cannot be tried."""
    names = {Topics("test", secret).alias("K7Q2X") for secret in ("one", "two", "")}
    assert len(names) == 3
    assert Topics("here", "one").alias("K7Q2X") == Topics("there", "one").alias("K7Q2X")
    assert all(len(name) == len("private-") + 16 for name in names)
