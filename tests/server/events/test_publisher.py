"""The events of tables: when, which, in which order, and what is retained."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from protocol.asyncapi import type_of
from server.events.messages import PublicFact
from server.events.narrator import TABLE_FACTS, Narrator
from server.events.news import NewsQueue
from server.events.publisher import MOST_REMOVED
from server.events.reference import MESSAGES
from server.events.topics import Topics
from server.games.folder import GameFolder
from tests.games.catalogue import SERVER_SUBJECTS
from tests.server.events.recording_broker import RecordingBroker
from tests.server.harness import ServerHarness, open_server
from tests.server.small_descriptions import HIGH

SHORT: dict[str, Any] = {"game": "black_queen", "options": {"deals": 1}}
RETAINED = ("summary", "turn")
MOVES = 30
WITHOUT_PICKS: dict[str, dict[str, str]] = {"hearts": {"rules": "recycle"}}
"""Options with which a plain client can move."""


@pytest.fixture
def broker() -> RecordingBroker:
    return RecordingBroker()


@pytest.fixture
async def server(tmp_path: Path, broker: RecordingBroker) -> AsyncIterator[ServerHarness]:
    async with open_server(tmp_path, broker=broker) as server:
        yield server


def events(broker: RecordingBroker) -> list[dict[str, Any]]:
    return [each for each in broker.messages() if each["type"] not in RETAINED]


def retained(broker: RecordingBroker, code: str, kind: str = "summary") -> dict[str, Any]:
    said: dict[str, Any] = json.loads(broker.retained[f"test/tables/black_queen/{code}/{kind}"])
    return said


async def test_a_match_is_told_from_opening_to_result(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """A match is told from opening to result, numbered without a gap, at its topics."""
    code, (ann, bea) = await server.table_of("Ann", "Bea", **SHORT)
    await ann.ask("start", table=code)
    await server.play(code, 1000, ann, bea)
    said = events(broker)
    assert [event["number"] for event in said] == list(range(1, len(said) + 1))
    kinds = list(dict.fromkeys(event["type"] for event in said))
    assert kinds == ["opened", "changed", "started", "play", "deal_result", "match_result"]
    bases = {topic.rpartition("/")[0] for topic, _ in broker.sent}
    assert bases == {f"test/tables/black_queen/{code}"}
    assert said[-1]["names"] == ["Ann", "Bea"]
    summary = retained(broker, code)
    assert summary["totals"] == said[-1]["totals"] == said[-2]["totals"]
    assert (summary["phase"], summary["number"]) == ("finished", said[-1]["number"])


@pytest.mark.parametrize("game", [*SERVER_SUBJECTS, "high.rcy"])
@pytest.mark.parametrize("private", [False, True])
async def test_subscribers_are_told_the_facts_of_spectators(
    tmp_path: Path, broker: RecordingBroker, game: str, private: bool
) -> None:
    """Subscribers get the spectators' facts, of private tables without their code."""
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "high.rcy").write_text(HIGH)
    subject = SERVER_SUBJECTS.get(game)
    seats = GAMES.game(game).info.usual_seats if subject else 2
    options = {**subject.short, **WITHOUT_PICKS.get(game, {})} if subject else {}
    async with open_server(tmp_path, hosted=GameFolder(folder), broker=broker) as server:
        code, players = await server.table_of(
            *[f"Player {number}" for number in range(seats)],
            game=game,
            options=dict(options),
            settings={"private": private, "events": True},
        )
        walter = await server.client("Walter")
        await walter.ask("watch", table=code)
        await players[0].ask("start", table=code)
        await server.play(code, MOVES, *players)
    seen = [
        fact
        for message in walter.received
        if message["type"] == "event"
        for fact in message.get("facts", ())
        if fact["verb"] not in TABLE_FACTS
    ]
    told = [fact for event in broker.messages("play") for fact in event["facts"]]
    assert told == seen
    assert len(told) > 8
    said = [part for topic, payload in broker.sent for part in (topic, payload.decode())]
    assert any(code in part for part in said) == (not private)


async def test_payloads_are_those_of_the_reference(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """Payloads have the fields of the models, the hand-made ones too."""
    code, (ann, bea) = await server.match_of("Ann", "Bea", **SHORT)
    await server.play(code, 1000, ann, bea)
    models = {type_of(model): model for model in MESSAGES}
    for said in broker.messages():
        model = models[said["type"]].model_validate(said)
        assert said.keys() == type(model).model_fields.keys()
        for fact in said.get("facts", ()):
            assert fact.keys() <= PublicFact.model_fields.keys()


async def test_of_what_is_retained_only_the_newest_is_said(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """Of retained messages only the newest is sent; events are all sent, a few at a time."""
    code, (ann, bea) = await server.match_of("Ann", "Bea", **SHORT)
    broker.connected = False
    said = len(broker.sent)
    for _ in range(6):
        await (ann if 0 in server.state(code).to_act else bea).move(code)
    assert len(broker.sent) == said
    broker.connected = True
    assert server.events is not None
    publisher = server.events.publisher
    assert publisher.tell(3)
    assert len(broker.sent) - said < 6
    while publisher.tell(3):
        pass
    kinds = Counter(json.loads(payload)["type"] for _, payload in broker.sent[said:])
    assert kinds["play"] >= 6
    assert kinds["turn"] <= 3
    turn = retained(broker, code, "turn")
    assert [player["seat"] for player in turn["players"]] == [*server.state(code).to_act]
    assert turn["number"] == events(broker)[-1]["number"]


async def test_the_oldest_of_too_many_news_are_not_told(tmp_path: Path) -> None:
    """Dropped events are counted and leave a gap in the numbers, and what is retained is right."""
    broker = RecordingBroker()
    async with open_server(tmp_path, broker=broker) as server:
        assert server.events is not None
        publisher = server.events.publisher
        publisher._news = NewsQueue(5)
        code, (ann, bea) = await server.match_of("Ann", "Bea", **SHORT)
        before = events(broker)[-1]["number"]
        broker.connected = False
        await server.play(code, 1000, ann, bea)
        broker.connected = True
        publisher.repair_all()
        assert publisher.dropped > 10
        said = events(broker)
        told = [event["number"] for event in said if event["number"] > before]
        assert told[0] > before + 10
        assert told == list(range(told[0], told[0] + len(told)))
        summary = retained(broker, code)
        assert (summary["phase"], summary["totals"]) == ("finished", said[-1]["totals"])
        assert retained(broker, code, "turn")["players"] == []


async def test_tables_that_come_and_go_are_forgotten_though_nobody_was_told(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """Tables that come and go while the broker is away leave nothing in memory or retained."""
    assert server.events is not None
    broker.connected = False
    for number in range(30):
        code, (ann,) = await server.table_of(f"Ann{number}", **SHORT)
        await ann.ask("leave", table=code)
    broker.connected = True
    server.events.publisher.repair_all()
    assert broker.retained == {}
    assert len(server.events.publisher) == 0
    assert not server.events.publisher.tell(1)


async def test_the_turn_names_seat_and_player(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """The turn names the seat and player to move, and nobody after the match."""
    code, (ann, bea) = await server.table_of("Ann", "Bea", **SHORT)
    await ann.ask("start", table=code)
    asked = server.state(code).to_act
    (player,) = retained(broker, code, "turn")["players"]
    assert player == {"seat": asked[0], "name": ("Ann", "Bea")[asked[0]], "kind": "human"}
    await server.play(code, 1000, ann, bea)
    assert retained(broker, code, "turn")["players"] == []


async def test_a_private_table_is_told_of_only_if_its_host_allows_it(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """A private table is told under an alias, only if its host allows it."""
    code, _ = await server.match_of("Ann", "Bea", **SHORT, settings={"private": True})
    assert broker.sent == []
    allowed = {"private": True, "events": True}
    code, (ann, bea) = await server.match_of("Ann", "Bea", **SHORT, settings=allowed)
    await server.play(code, 1000, ann, bea)
    await ann.ask("leave", table=code)
    await bea.ask("leave", table=code)
    alias = Topics("test", "secret").alias(code)
    assert {event["table"] for event in events(broker)} == {alias}
    assert "closed" in {event["type"] for event in events(broker)}
    assert not any(code in topic or code in payload.decode() for topic, payload in broker.sent)
    assert broker.retained == {}


@pytest.mark.parametrize("settings", [{"events": False}, {"watchable": False, "events": True}])
async def test_nothing_is_told_against_the_hosts_will(
    server: ServerHarness, broker: RecordingBroker, settings: dict[str, bool]
) -> None:
    """A table that is not watchable is not told."""
    await server.match_of("Ann", "Bea", **SHORT, settings=settings)
    assert broker.sent == []


async def test_a_host_may_change_their_mind(server: ServerHarness, broker: RecordingBroker) -> None:
    """A host's change of mind removes what is retained, and changes the alias."""
    code, (ann, _) = await server.table_of("Ann", "Bea", **SHORT)
    for settings, name in (
        ({"events": False}, None),
        ({"events": None}, code),
        ({"private": True, "events": True}, Topics("test", "secret").alias(code)),
    ):
        await ann.ask("configure", table=code, options={}, settings=settings)
        names = {topic.split("/")[3] for topic in broker.retained}
        assert names == ({name} if name else set())


async def test_a_match_alone_with_bots_is_told_when_somebody_watches(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """The moves of a match with bots alone are not told until somebody watches."""
    code, (ann,) = await server.match_of("Ann", seats=3, **SHORT)
    for _ in range(3):
        await ann.move(code)
    await ann.ask("undo", table=code)
    await ann.move(code)
    assert {event["type"] for event in events(broker)} == {"opened", "changed", "started"}
    assert f"test/tables/black_queen/{code}/turn" not in broker.retained
    said = len(broker.sent)
    walter = await server.client("Walter")
    await walter.ask("watch", table=code)
    assert retained(broker, code, "turn")["players"][0]["name"] == "Ann"
    await server.play(code, 1000, ann)
    later = [json.loads(payload)["type"] for _, payload in broker.sent[said:]]
    assert {"play", "turn", "deal_result", "match_result"} <= set(later)


async def test_a_match_for_practice_has_no_result(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """A practice match has no result event."""
    code, (ann,) = await server.match_of("Ann", seats=3, **SHORT)
    await ann.move(code)
    await ann.ask("undo", table=code)
    await server.play(code, 1000, ann)
    assert server.state(code).phase == "finished"
    assert not broker.messages("play", "turn", "deal_result", "match_result")
    assert retained(broker, code)["totals"] is None


async def test_a_closed_table_leaves_nothing_behind(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """A closed table's retained messages are removed."""
    code, (ann, bea) = await server.match_of("Ann", "Bea", **SHORT)
    assert len(broker.retained) == 2
    await server.play(code, 1000, ann, bea)
    await server.wait(server.settings.finished_seconds + 1)
    assert code not in server.game_server.tables.directory
    assert broker.retained == {}
    assert events(broker)[-1]["reason"] == "finished"


async def test_after_a_restart_the_broker_is_told_anew(tmp_path: Path) -> None:
    """After a restart everything is published anew, sleeping tables too, and stale ones removed."""
    async with open_server(tmp_path, broker=RecordingBroker()) as server:
        allowed = {"private": True, "events": True}
        codes = [
            (await server.match_of("Ann", "Bea", **SHORT))[0],
            (await server.match_of("Cid", "Dan", **SHORT, settings=allowed))[0],
        ]
    broker = RecordingBroker()
    broker.connected = False
    stale = "test/tables/black_queen/GONE2/summary"
    broker.retained = {stale: b"{}", f"test/tables/black_queen/{codes[0]}/turn": b"\0"}
    async with open_server(tmp_path, broker=broker) as server:
        assert broker.sent == []
        broker.connected = True
        assert server.events is not None
        publisher = server.events.publisher
        for topic, payload in tuple(broker.retained.items()):
            publisher.found(topic, payload)
        publisher.repair_all()
        names = [codes[0], Topics("test", "secret").alias(codes[1])]
        assert sorted(topic.rpartition("/")[2] for topic in broker.retained) == ["summary"] * 2
        assert [retained(broker, name)["phase"] for name in names] == ["playing", "playing"]


async def test_names_are_in_no_topic(tmp_path: Path, broker: RecordingBroker) -> None:
    """Names of players and files are in no topic."""
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "#+$ ü.rcy").write_text(HIGH)
    async with open_server(tmp_path, hosted=GameFolder(folder), broker=broker) as server:
        await server.match_of("#", "/+/", game="#+$ ü.rcy")
    assert broker.sent
    for topic in {topic for topic, _ in broker.sent}:
        assert len(topic) < 150
        assert not set(topic) & set("+#$"), topic
        assert topic.count("/") == 4
    assert broker.messages("summary")[0]["players"][0]["name"] == "#"


async def test_what_the_broker_says_is_bounded(
    server: ServerHarness, broker: RecordingBroker
) -> None:
    """Foreign retained messages are removed unread, up to a limit, and our own stay."""
    await server.table_of("Ann", "Bea", **SHORT)
    assert server.events is not None
    own, said = dict(broker.retained), len(broker.sent)
    for number in range(MOST_REMOVED + 10):
        server.events.publisher.found(f"test/tables/x/{number}/summary", b"\xff{")
    for topic, payload in own.items():
        server.events.publisher.found(topic, payload)
    assert len(broker.sent) - said == MOST_REMOVED
    assert broker.retained == own


async def test_a_fault_in_telling_costs_the_players_nothing(
    server: ServerHarness, broker: RecordingBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in events or summaries does not affect the table."""
    code, (ann, bea) = await server.table_of("Ann", "Bea", **SHORT)

    def fail(*arguments: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Narrator, "events", fail)
    monkeypatch.setattr(Narrator, "summary", fail)
    await ann.ask("start", table=code)
    await server.play(code, 1000, ann, bea)
    assert server.state(code).phase == "finished"
    assert not broker.messages("play")
