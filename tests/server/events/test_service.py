"""What is published after a connect and after a loss."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count

import pytest
import structlog
from structlog.testing import capture_logs

from protocol.wire_form import WireForm
from server.events import publisher
from server.events import service as service_module
from server.events.service import EventService, Serve, presence_of
from server.events.topics import MqttMessage, Topics
from server.ops.collectors import public_events
from server.ops.metrics import Metrics
from tests.server.events.recording_broker import RecordingBroker

TABLE: WireForm = {
    "table": "ABCDE",
    "game": "hearts",
    "title": "Hearts",
    "phase": "lobby",
    "host": None,
    "seats": [{"kind": "empty"}],
    "options": {},
    "settings": {},
    "match": 0,
}
TOPIC = "p/tables/hearts/ABCDE/summary"


class Scripted(RecordingBroker):
    """A scripted connection that records when it is asked for what it retains."""

    def __init__(self, handed_out: int = 1000) -> None:
        super().__init__()
        self.asked: set[str] = set()
        self.news = asyncio.Event()
        self.received_topics: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._handed_out = handed_out

    async def subscribe(self, filters: Sequence[str]) -> None:
        self.asked.update(filters)
        self.news.set()
        for kind in {name.rpartition("/")[2] for name in filters}:
            ours = [it for it in self.retained.items() if it[0].endswith(f"/{kind}")]
            for message in ours[: self._handed_out]:
                self.received_topics.put_nowait(message)

    async def unsubscribe(self, filters: Sequence[str]) -> None:
        self.asked.difference_update(filters)
        self.news.set()

    async def publish(self, messages: Sequence[MqttMessage]) -> None:  # type: ignore[override]
        for message in messages:
            super().publish(*message)
        self.news.set()

    async def received(self) -> AsyncIterator[tuple[str, bytes]]:
        while True:
            yield await self.received_topics.get()

    async def part(self) -> None:
        self.connected = False

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self.news.clear()
                await self.news.wait()


TOPICS = Topics("p", "s")
PRESENCE = presence_of(TOPICS, "1.0", None)


def service_of(check_seconds: float = 0.01) -> EventService:
    """A service whose connections a test gives to `serve`."""

    async def unused(serve: Serve) -> None:
        raise AssertionError("the test has the connections")

    return EventService(unused, TOPICS, lambda: 1.0, PRESENCE, True, check_seconds, 0.0)


@asynccontextmanager
async def serving(service: EventService, connection: Scripted) -> AsyncIterator[None]:
    """Let the service have this connection until the end of the context."""
    task = asyncio.ensure_future(service.serve(connection))  # noqa: TID251 - ended below
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_a_connect_says_everything_anew() -> None:
    """After a connect everything is published anew, and foreign retained messages are removed."""
    service, broker = service_of(), Scripted()
    broker.retained = {"p/tables/hearts/OTHER/turn": b"{}"}
    service.publisher.listed("ABCDE", TABLE)
    for _ in range(2):
        broker.sent.clear()
        async with serving(service, broker):
            await broker.until(lambda: TOPIC in dict(broker.sent))
            await broker.until(lambda: broker.retained.keys() == {"p/server", TOPIC})
            await broker.until(lambda: broker.asked == {"p/server"})
        assert broker.sent[0] == PRESENCE.here[:2]
        broker.asked.clear()
    assert service.counts()["reconnects"] == 1


async def test_the_end_is_told() -> None:
    """At the end the last events are published, then that the server is gone."""
    service, broker = service_of(check_seconds=60.0), Scripted()
    async with serving(service, broker):
        await broker.until(lambda: bool(broker.asked))
        assert service.remark() == ""
        service.publisher.listed("ABCDE", TABLE)
    assert [*broker.sent][-2:] == [(TOPIC, broker.retained[TOPIC]), PRESENCE.gone[:2]]
    assert not broker.connected
    assert "the broker cannot be reached" in service.remark()


async def test_an_end_by_a_fault_of_ours_is_logged(
    log_events: list[structlog.typing.EventDict],
) -> None:
    """If no connection is tried any more the log says why, and the server goes on."""

    async def fails(serve: Serve) -> None:
        raise OSError("no such file")

    await EventService(fails, TOPICS, lambda: 1.0, PRESENCE).run()
    (failed,) = [event for event in log_events if event["event"] == "events_failed"]
    assert str(failed["exc_info"]) == "no such file"


class Stopped(Scripted):
    """A broker that accepts nothing after the request for retained messages."""

    async def publish(self, messages: Sequence[MqttMessage]) -> None:  # type: ignore[override]
        if self.asked:
            await asyncio.Event().wait()
        await super().publish(messages)


async def test_a_stopped_broker_holds_up_no_end(
    monkeypatch: pytest.MonkeyPatch, log_events: list[structlog.typing.EventDict]
) -> None:
    """A stopped broker delays the end only for a limited time."""
    monkeypatch.setattr(service_module, "GOODBYE_SECONDS", 0.01)
    service, broker = service_of(check_seconds=60.0), Stopped()
    async with serving(service, broker):
        await broker.until(lambda: bool(broker.asked))
    assert log_events[-1]["event"] == "broker_left_without_goodbye"
    assert not service.is_connected


async def test_an_end_that_is_lost_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the connection fails during the cancellation, the end is repeated."""
    monkeypatch.setattr(service_module, "GOODBYE_SECONDS", 0.01)
    begun = asyncio.Event()

    async def swallow(serve: Serve) -> None:
        for _ in range(2):
            begun.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    service = EventService(swallow, TOPICS, lambda: 1.0, PRESENCE)
    async with asyncio.TaskGroup() as tasks:
        run = tasks.create_task(service.run())
        await begun.wait()
        run.cancel()


async def test_who_says_that_the_server_is_gone_is_contradicted() -> None:
    """Another node's message that the server is gone is corrected."""
    service, broker = service_of(), Scripted()
    async with serving(service, broker):
        await broker.until(lambda: bool(broker.asked))
        said = len(broker.sent)
        broker.received_topics.put_nowait(("p/server", b"?"))
        broker.received_topics.put_nowait(PRESENCE.gone[:2])
        await broker.until(lambda: len(broker.sent) > said)
        assert broker.sent[said:] == [PRESENCE.here[:2]]


async def test_all_that_is_stale_is_removed() -> None:
    """Stale retained messages are removed until there are none."""
    service, broker = service_of(), Scripted(handed_out=3)
    broker.retained = {f"p/tables/hearts/T{number}/summary": b"{}" for number in range(20)}
    async with serving(service, broker):
        await broker.until(lambda: broker.asked == {"p/server"})
        assert broker.retained.keys() == {"p/server"}


async def test_a_broker_that_invents_tables_is_asked_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A broker that invents tables for ever is asked a limited number of times."""

    class Inventive(Scripted):
        async def subscribe(self, filters: Sequence[str]) -> None:
            self.asked.update(filters)
            for _ in range(3):
                self.received_topics.put_nowait((f"p/tables/hearts/T{next(numbers)}/turn", b"{}"))

    monkeypatch.setattr(publisher, "MOST_REMOVED", 10)
    numbers = count()
    service, broker = service_of(), Inventive()
    async with serving(service, broker):
        await broker.until(lambda: broker.asked == {"p/server"} and len(broker.sent) > 10)
        assert len(broker.sent) == 11


async def test_a_fault_in_what_is_heard_costs_that_message(
    monkeypatch: pytest.MonkeyPatch, log_events: list[structlog.typing.EventDict]
) -> None:
    """An error in a received message is logged, and the next one is read."""
    service, broker = service_of(), Scripted()
    heard: list[str] = []

    def found(topic: str, payload: bytes) -> None:
        heard.append(topic)
        broker.news.set()
        raise RuntimeError("ours")

    monkeypatch.setattr(service.publisher, "found", found)
    async with serving(service, broker):
        for topic in ("p/a", "p/b"):
            broker.received_topics.put_nowait((topic, b""))
        await broker.until(lambda: heard == ["p/a", "p/b"])
    assert [line["event"] for line in log_events].count("events_failed") == 2


async def test_what_a_broken_connection_loses_is_counted() -> None:
    """Messages lost with a connection are counted, and waiting ones sent on the next."""

    class Breaking(Scripted):
        async def publish(self, messages: Sequence[MqttMessage]) -> None:  # type: ignore[override]
            if messages[0].topic != "p/server":
                raise OSError("broken")
            await super().publish(messages)

    service, broken, broker = service_of(), Breaking(), Scripted()
    service.publisher.listed("ABCDE", TABLE)
    with pytest.raises(BaseExceptionGroup):
        await service.serve(broken)
    assert not service.is_connected
    async with serving(service, broker):
        await broker.until(lambda: TOPIC in broker.retained)
    assert service.counts()["dropped"] == 1


async def test_losses_are_said_once() -> None:
    """Losses are logged once until they are over."""
    service = service_of()
    with capture_logs() as logs:
        for _ in range(5):
            service.publisher.dropped += 100
            service._report()
        assert [(said["event"], said["count"]) for said in logs] == [("events_dropped", 100)]
        service._report()
        service.publisher.dropped += 7
        service._report()
    assert [said["total"] for said in logs] == [100, 507]
    assert service.counts()["dropped"] == 507


async def test_the_figures_are_among_the_servers() -> None:
    """The figures of events are among the server's: published, lost, reconnects, state."""
    metrics, service, broker = Metrics(), service_of(check_seconds=60.0), Scripted()
    metrics.watch(lambda: public_events(service.counts()))
    for _ in range(2):
        async with serving(service, broker):
            await broker.until(lambda: bool(broker.asked))
        broker.asked.clear()
    page = metrics.render()[1].decode()
    for name, value in (("published", 4), ("dropped", 0), ("reconnects", 1)):
        assert f"blackqueen_public_events_{name}_total {value}.0" in page
    assert "blackqueen_public_events_connected 0.0" in page


def test_the_base_install_needs_no_mqtt() -> None:
    """Only one module imports the MQTT library, when it is needed."""
    code = "import sys, server.serve; sys.exit('aiomqtt' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
