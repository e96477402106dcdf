"""Spans reach a real collector, and one that fails costs players nothing."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from structlog.typing import EventDict

from server.crossing.names import Key
from server.ops import span_export, spans
from server.ops.metrics import Metrics
from server.ops.otlp import OtlpSender
from server.ops.settings import Settings, SettingsError
from server.ops.span_export import SpanExport, check_spans, exporting, wants_spans
from server.ops.spans import Span, SpanRecorder
from server.ops.tracing import trace_id
from tests.collector import Collector, check_trees, collecting
from tests.server.harness import open_server

KEY = Key("p-1", "laptop", 17)
SECONDS = 60.0


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A collector on a real socket."""
    with collecting() as collector:
        yield collector


@pytest.fixture(autouse=True)
def nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the environment that is for OpenTelemetry."""
    for name in tuple(os.environ):
        if name.startswith("OTEL_"):
            monkeypatch.delenv(name)


def recorded(count: int) -> SpanRecorder:
    """So many spans that wait."""
    recorder = SpanRecorder()
    for _ in range(count):
        recorder.add("store commit", KEY, 0.25, failed=True, entries=2)
    return recorder


def until(condition: Callable[[], bool]) -> None:
    """Wait for another thread."""
    end, pause = monotonic() + SECONDS, Event()
    while not condition():
        assert monotonic() < end
        pause.wait(0.005)


def exported(recorder: SpanRecorder, send: Callable[[Sequence[Span]], bool]) -> None:
    """Send all that waits, and stop."""
    export = SpanExport(recorder, send, pause=0.01)
    until(lambda: not recorder.waiting and sum(recorder.counts().values()) > 0)
    export.close(SECONDS)
    assert not export._thread.is_alive()


async def test_a_match_arrives_and_tells_no_name_no_word_and_no_card(
    tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spans form trees; neither players nor tables nor what they do can be read from them."""
    monkeypatch.setattr(span_export, "PAUSE_SECONDS", 0.01)
    metrics = Metrics()
    settings = Settings(trace_endpoint=collector.url, node="t1")
    with exporting(settings, metrics):
        async with open_server(tmp_path, chat_per_minute=1000) as server:
            code, (ann, bea) = await server.match_of("Annabella", "Beatrice", seats=3)
            await ann.ask("chat", table=code, text="what a marvellous deal")
            await server.play(code, 12, ann, bea)
            choices = [client.tables[code].choices.actions for client in (ann, bea)]
            cards = [action for actions in choices for action in actions]
            hidden = [code, ann.player, bea.player, ann.token, bea.token, "laptop", "192.0.2.1"]
    assert spans.RECORDER is None
    assert b'blackqueen_spans_total{outcome="failed"} 0.0' in metrics.render()[1]
    check_trees(collector.spans)
    names = {span.name for span in collector.spans}
    assert names >= {"command act", "tables act", "store commit", "bot question", "command hello"}
    (resource,) = {tuple(sorted(span.resource.items())) for span in collector.spans}
    assert {*resource} >= {
        ("service.name", "blackqueen"),
        ("service.instance.id", "t1"),
        ("blackqueen.roles", "gateway,tables,bots"),
    }
    everything = b"".join(collector.bodies)
    for words in (*hidden, *cards, "Annabella", "Beatrice", "marvellous"):
        assert words is not None
        assert words.encode() not in everything
    told = {name for span in collector.spans for name in span.attributes}
    assert told <= {f"blackqueen.{name}" for name in spans.ATTRIBUTES}


def test_a_span_arrives_as_it_was_recorded(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the standard variables, too, with what they say of the process."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "cards")
    recorder = recorded(1)
    (span,) = recorder.waiting
    sender = OtlpSender(None, ("bots",), None)
    exported(recorder, sender.send)
    sender.close()
    (received,) = collector.spans
    assert received[:4] == (span.name, trace_id(KEY), span.id, span.parent)
    assert received.failed
    assert received.seconds == pytest.approx(0.25)
    assert received.attributes == {"blackqueen.entries": 2}
    assert received.resource["service.name"] == "cards"
    assert recorder.counts() == {"exported": 1, "dropped": 0, "failed": 0}


def test_a_collector_that_refuses_is_logged_once(
    collector: Collector, log_events: list[EventDict]
) -> None:
    """What it does not take is counted, and what follows is sent when it does."""
    collector.status = 400
    recorder = recorded(1)
    sender = OtlpSender(collector.url, ("tables",), "t1")
    export = SpanExport(recorder, sender.send, pause=0.01)
    until(lambda: recorder.failed == 1)
    recorder.add("store commit", KEY, 0.1)
    until(lambda: recorder.failed == 2)
    collector.status = 200
    recorder.add("store commit", KEY, 0.1)
    until(lambda: recorder.exported == 1)
    export.close(SECONDS)
    sender.close()
    assert [line["event"] for line in log_events] == ["spans_not_exported"]


async def test_a_collector_that_hangs_costs_players_nothing(
    tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its spans are dropped and counted; the process does not wait for it when it ends."""
    monkeypatch.setattr(span_export, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(spans, "MOST_WAITING", 8)
    collector.open.clear()
    recorder = None
    async with open_server(tmp_path) as server:
        with exporting(Settings(trace_endpoint=collector.url, drain_seconds=1.0), Metrics()):
            recorder = spans.RECORDER
            code, clients = await server.match_of("Ann", "Bea")
            until(lambda: collector.asked > 0)
            await server.play(code, 6, *clients)
            assert server.state(code).seq > 6
        assert recorder is not None
        assert recorder.dropped > 0
    assert not collector.spans


def test_a_fault_in_the_exporter_ends_nothing(log_events: list[EventDict]) -> None:
    """The next spans are tried again."""
    answers: list[Exception | bool] = [ValueError("QS"), True]

    def send(batch: Sequence[Span]) -> bool:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    recorder = recorded(1)
    export = SpanExport(recorder, send, pause=0.01)
    until(lambda: recorder.failed == 1)
    recorder.add("store commit", KEY, 0.1)
    until(lambda: recorder.exported == 1)
    export.close(SECONDS)
    assert [line["event"] for line in log_events] == ["spans_not_exported"]


def test_nothing_is_exported_unless_somebody_wants_it(
    monkeypatch: pytest.MonkeyPatch, log_events: list[EventDict]
) -> None:
    """By a setting, or by the standard variables; without the packages it is said what to do."""
    assert not wants_spans(Settings(), {})
    named = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    assert wants_spans(Settings(), named)
    assert not wants_spans(Settings(), {**named, "OTEL_SDK_DISABLED": "true"})
    asked = Settings(trace_endpoint="http://127.0.0.1:9")
    assert wants_spans(asked, {})
    check_spans(asked)
    monkeypatch.setattr(span_export, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"blackqueen\[otel\]"):
        check_spans(asked)
    check_spans(Settings())
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    with exporting(Settings(), Metrics()):
        assert spans.RECORDER is None
    assert [line["event"] for line in log_events] == ["spans_not_exported"]
    with pytest.raises(ValueError, match="http://"):
        Settings(trace_endpoint="collector:4318")
