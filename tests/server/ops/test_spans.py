"""Spans: each part of the work for a command is told once, as part of what had it done."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.typing import EventDict

from bots import Decision
from protocol.to_server import Ready
from server.bots import thinking
from server.crossing.names import Key
from server.crossing.requests import Asked
from server.ops.spans import Span, SpanRecorder, SpanRefused, recording
from server.ops.tracing import Trace, caused_by, trace_id
from tests.server.bots.asking import QUESTION, SLOW
from tests.server.bots.fake_process import FakeProcess
from tests.server.bots.over_bus import BotWorld
from tests.server.bots.test_described_bots import SOURCE
from tests.server.bus.worlds import LossyWorld
from tests.server.harness import open_server
from tests.server.node.two_peers import open_two_peers

KEY = Key("p-1", "laptop", 17)


@pytest.fixture
def recorder() -> Iterator[SpanRecorder]:
    """What records the spans of this process."""
    with recording(SpanRecorder()) as recorder:
        yield recorder


def asked(key: Key = KEY, link: int = 1) -> Asked:
    """A command on its way to the tables."""
    return Asked("gateway", link, key, Ready(type="ready", id=key.command, table="ABCD"), True)


def by_name(spans: list[Span], trace: str) -> dict[str, Span]:
    """The spans of one trace, none of whose names comes twice."""
    named = {span.name: span for span in spans if span.trace == trace}
    assert len(named) == sum(span.trace == trace for span in spans)
    return named


async def test_a_move_is_a_tree_of_spans(tmp_path: Path, recorder: SpanRecorder) -> None:
    """Gateway, tables and store, between two processes that have nothing but a bus."""
    async with open_two_peers(tmp_path, 7) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        mover = ann if ann.tables[code].my_turn else bea
        await mover.move(code)
        spans = [*recorder.waiting]
        trace = trace_id(Key(mover.player, mover.client_id, max(mover.answers)))
        named = by_name(spans, trace)
        assert named.keys() == {"command act", "tables act", "store commit"}
        gateway, tables, store = (named[name] for name in sorted(named, key=_order))
        assert (gateway.parent, tables.parent, store.parent) == ("", gateway.id, tables.id)
        assert gateway.attributes == {"command": "act", "result": "ok"}
        assert store.attributes == {"entries": 1}
        assert gateway.start <= tables.start <= tables.end <= gateway.end
        assert not any(span.failed for span in named.values())
        hello = [span for span in spans if span.name == "command hello"]
        assert [(span.parent, span.attributes["result"]) for span in hello] == [("", "ok")] * 2


def _order(name: str) -> int:
    return ["command act", "tables act", "store commit"].index(name)


async def test_what_fails_and_comes_again_is_told_so(
    tmp_path: Path, recorder: SpanRecorder
) -> None:
    """One trace, in which no span's id comes twice."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        mover = ann if ann.tables[code].my_turn else bea
        action, turn = mover.tables[code].choices.actions[0], mover.tables[code].question.turn
        recorder.waiting.clear()
        server.store.broken = True
        first: dict[str, Any] = {"table": code, "turn": turn, "action": action, "id": 900}
        assert (await mover.ask("act", **first))["code"] == "try_again"
        server.store.broken = False
        await mover.send("act", **first)
        await server.settle()
        assert [answer["type"] for answer in mover.answers[900]] == ["error", "ok"]
        spans = [*recorder.waiting]
        assert {span.trace for span in spans} == {trace_id(Key(mover.player, "laptop", 900))}
        results = [span.attributes.get("result") for span in spans if span.name == "tables act"]
        assert results == ["try_again", "ok"]
        commits = [span for span in spans if span.name == "store commit"]
        tables = [span.id for span in spans if span.name == "tables act"]
        assert [(span.failed, span.parent) for span in commits] == [
            (True, tables[0]),
            (False, tables[1]),
        ]
        assert len({*tables}) == 2


async def test_a_worker_thinks_as_part_of_the_question(
    fakes: list[FakeProcess], recorder: SpanRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the question is part of what the table does; a described game's name is not told."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: SLOW)
    network = BotWorld(LossyWorld("spans", loss=0.0, repeats=0.3, delay=0.1))
    network.add_worker("worker")
    await network.met()
    recorder.begin_handling(asked())
    moves: list[str] = []
    with caused_by(KEY):
        network.bots.ask(QUESTION, lambda decision, strength: moves.append(decision.action))
    await network.until(lambda: bool(fakes and fakes[0].jobs))
    fakes[0].answer(Decision("play 3C"))
    await network.until(lambda: bool(moves))
    named = by_name([*recorder.waiting], trace_id(KEY))
    question, thought = named["bot question"], named["bot thinking"]
    assert (question.parent, thought.parent) == (recorder.parent(KEY), question.id)
    expected = {"game": "black_queen", "strength": 0, "lateness": "", "hint": False}
    assert question.attributes == thought.attributes == expected
    network.close()
    recorder.add("bot question", KEY, 0.1, game=SOURCE.game)
    assert recorder.waiting[-1].attributes == {"game": "described"}


def test_all_processes_record_the_same_share_of_the_commands() -> None:
    """Half of them at a half; none of a trace that its sender does not record."""
    keys = [Key("p-1", "laptop", number) for number in range(2000)]
    half, other = SpanRecorder(0.5), SpanRecorder(0.5)
    wanted = [key for key in keys if half.wants(key)]
    assert wanted == [key for key in keys if other.wants(key)]
    assert 900 < len(wanted) < 1100
    assert all(SpanRecorder(0.8).wants(key) for key in wanted)
    nothing, everything = SpanRecorder(0.0), SpanRecorder(1.0)
    assert not any(map(nothing.wants, keys))
    assert all(map(everything.wants, keys))
    assert not everything.wants(Trace("1" * 32, "2" * 16, sampled=False))
    nothing.begin_command(asked())
    nothing.end("gateway", KEY, {"type": "ok"})
    nothing.add("store commit", KEY, 0.1)
    everything.add("store commit", None, 0.1)
    assert not nothing.waiting
    assert not everything.waiting


def test_what_is_too_much_is_dropped_and_counted() -> None:
    """So a collector that takes nothing costs no memory; neither do answers that never come."""
    recorder = SpanRecorder(most=3)
    for number in range(1, 11):
        recorder.begin_command(asked(KEY._replace(command=number)))
        recorder.begin_handling(asked(KEY._replace(command=number)))
    for number in range(1, 11):
        recorder.end("gateway", KEY._replace(command=number), {"type": "ok"})
        recorder.add("store commit", KEY, 0.1)
    assert (len(recorder.waiting), recorder.dropped) == (3, 8)
    assert recorder.counts() == {"exported": 0, "dropped": 8, "failed": 0}
    assert len(recorder._open) <= 3
    assert len(recorder._tables) == 3
    assert len(recorder.take(2)) == 2
    assert len(recorder.take(2)) == 1


def test_a_span_tells_nothing_else(log_events: list[EventDict]) -> None:
    """What may be told is a fixed list, as for the log."""
    recorder = SpanRecorder()
    recorder.add("bot question", KEY, 0.1, cards="QS")
    assert not recorder.waiting
    assert [type(line["exc_info"]) for line in log_events] == [SpanRefused]


async def test_a_fault_in_spans_costs_no_move(
    tmp_path: Path, recorder: SpanRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is logged, and everything else goes on."""

    def fault(cause: object) -> bool:
        raise ValueError("QS")

    monkeypatch.setattr(recorder, "wants", fault)
    async with open_server(tmp_path) as server:
        code, clients = await server.match_of("Ann", "Bea", seats=3)
        before = server.state(code).seq
        await server.play(code, 3, *clients)
        assert server.state(code).seq >= before + 3
    assert not recorder.waiting
