"""What is said again after a connect and after a loss, and what others are told of it."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count

import pytest
from structlog.testing import capture_logs

from protocol.wire_form import WireForm
from server.events import publisher
from server.events.courier import Handler
from server.events.service import EventService
from server.events.subscriptions import matches
from server.events.topics import Topics
from server.ops.metrics import Metrics
from tests.server.events.recording_courier import RecordingCourier

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


class Scripted(RecordingCourier):
    """Says when it is asked for, and for no longer, what the broker retains."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.changed = asyncio.Event()

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        if topic_filter not in self.asked:
            self.asked.append(topic_filter)
        super().subscribe(topic_filter, handler)

    def unsubscribe(self, topic_filter: str) -> None:
        self.asked.remove(topic_filter)
        super().unsubscribe(topic_filter)

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        super().publish(topic, payload, retain=retain, qos=qos)
        self.changed.set()

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def until_sent(self, number: int) -> None:
        async with asyncio.timeout(60):
            while len(self.sent) < number:
                self.changed.clear()
                await self.changed.wait()


@pytest.fixture
async def courier() -> Scripted:
    return Scripted()


@pytest.fixture
async def service(courier: Scripted) -> AsyncIterator[EventService]:
    service = EventService(courier, Topics("p", "s"), lambda: 1.0, 0.01, 0.0)
    running = asyncio.ensure_future(service.run())  # noqa: TID251 - ended below
    yield service
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_a_connect_says_everything_anew(courier: Scripted, service: EventService) -> None:
    """The broker may have forgotten; what it retains of others is asked for and removed."""
    courier.connected = False
    courier.retained = {"p/tables/hearts/OTHER/turn": b"{}"}
    service.publisher.listed("ABCDE", TABLE)
    assert courier.sent == []
    courier.connect()
    await courier.until_sent(2)
    assert [*courier.retained] == [TOPIC]
    async with asyncio.timeout(60):
        while courier.asked:  # noqa: ASYNC110 - the end of the subscription sends nothing
            await asyncio.sleep(0)


class Stingy(Scripted):
    """A broker that hands out three of what it retains, each time that it is asked."""

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        everything = self.retained
        ours = [topic for topic in everything if matches(topic_filter, topic)]
        self.retained = {topic: everything[topic] for topic in ours[:3]}
        before = {*self.retained}
        super().subscribe(topic_filter, handler)
        gone = before - {*self.retained}
        self.retained = {topic: said for topic, said in everything.items() if topic not in gone}


async def test_all_that_is_stale_is_removed() -> None:
    """The broker is asked until it has nothing more, and then no longer."""
    courier = Stingy()
    courier.retained = {f"p/tables/hearts/T{number}/summary": b"{}" for number in range(20)}
    service = EventService(courier, Topics("p", "s"), lambda: 1.0, 0.02, 0.0)
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(service.run())
        courier.connect()
        await courier.until_sent(20)
        async with asyncio.timeout(60):
            while courier.asked:  # noqa: ASYNC110 - the end of the subscription sends nothing
                await asyncio.sleep(0)
        running.cancel()
    assert courier.retained == {}


async def test_a_broker_that_invents_tables_is_asked_for_a_while(
    courier: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may do so for ever; so many are removed."""
    monkeypatch.setattr(publisher, "MOST_REMOVED", 10)
    service = EventService(courier, Topics("p", "s"), lambda: 1.0)
    numbers = count()

    def look() -> bool:
        for _ in range(3):
            service.publisher.found(f"p/tables/hearts/T{next(numbers)}/turn", b"{}")
        service._remove_stale(False)
        return bool(courier.asked)

    service._remove_stale(True)
    looks = sum(1 for _ in iter(look, False))
    assert len(courier.sent) == 10
    assert looks < 10


async def test_a_loss_is_repaired(courier: Scripted, service: EventService) -> None:
    """Whatever was dropped, what is retained is said again."""
    service.publisher.listed("ABCDE", TABLE)
    courier.counters.dropped += 1
    await courier.until_sent(2)
    assert [topic for topic, _ in courier.sent] == [TOPIC] * 2


async def test_losses_are_said_once(courier: Scripted) -> None:
    """A broker that takes nothing for an hour fills no log: one line, until all is well again."""
    service = EventService(courier, Topics("p", "s"), lambda: 1.0)
    with capture_logs() as logs:
        for _ in range(5):
            courier.counters.dropped += 100
            service._report()
        assert [(said["event"], said["count"]) for said in logs] == [("events_dropped", 100)]
        service._report()
        service.publisher.dropped += 7
        service._report()
    assert [said["total"] for said in logs] == [100, 507]
    assert service.counts()["dropped"] == 507


async def test_others_are_told_how_it_goes(courier: Scripted, service: EventService) -> None:
    """The figures are among the server's, and a broken broker is a remark."""
    metrics = Metrics()
    metrics.watch_public_events(service.counts)
    courier.counters.published, courier.counters.connects = 7, 3
    courier.connected = False
    page = metrics.render()[1].decode()
    for name, value in (("published", 7), ("dropped", 0), ("reconnects", 2)):
        assert f"blackqueen_public_events_{name}_total {value}.0" in page
    assert "blackqueen_public_events_connected 0.0" in page
    assert "the broker cannot be reached" in service.remark()
    courier.connected = True
    assert service.remark() == ""


def test_the_base_install_needs_no_mqtt() -> None:
    """The library is imported by the one module that talks to a broker, when it is wanted."""
    code = "import sys, server.serve; sys.exit('aiomqtt' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
