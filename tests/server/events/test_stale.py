"""What is stale at a real broker that hands out less than it retains."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from server.event_loop import server_clock
from server.events.broker import Broker
from server.events.mqtt import MqttCourier
from server.events.service import EventService
from server.events.topics import Topics
from tests.mosquitto import Mosquitto

STALE = 600
QUEUED = 20
"""Messages that the broker keeps for a client that does not take them at once."""
RETAINED = "$SYS/broker/retained messages/count"
LONG = b'{"x": "%s"}' % (b"y" * 10_000)


@pytest.fixture
def stingy(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path, f"max_queued_messages {QUEUED}", "sys_interval 1")
    broker.start()
    yield broker
    broker.end()


async def test_nothing_stale_stays(stingy: Mosquitto) -> None:
    """Most of it is dropped by the broker when it is asked for the first time."""
    topics = [f"p/tables/hearts/T{number}/summary" for number in range(STALE)]
    counts: list[int] = []
    news = asyncio.Event()

    def heard(topic: str, payload: bytes) -> None:
        counts.append(int(payload))
        news.set()

    async def until(most: int, least: int = 0) -> None:
        while not counts or not least <= counts[-1] <= most:
            news.clear()
            await news.wait()

    witness = MqttCourier(Broker.at(stingy.url), "witness", Random(1))
    courier = MqttCourier(Broker.at(stingy.url), "server", Random(2))
    service = EventService(courier, Topics("p", "s"), server_clock(), 0.5)
    async with asyncio.TaskGroup() as tasks:
        runs = [tasks.create_task(witness.run())]
        for topic in topics:
            witness.publish(topic, LONG, retain=True, qos=1)
        witness.subscribe(RETAINED, heard)
        await until(2 * STALE, least=STALE)
        runs.append(tasks.create_task(service.run()))
        # What the broker says of itself is retained, too.
        await until(STALE // 6)
        for run in runs:
            run.cancel()
    assert courier.counters.published >= STALE
