"""Stale messages at a real broker that sends fewer than it retains."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.event_loop import server_clock
from server.events.broker import Broker
from server.events.service import EventService, connections_to, presence_of
from server.events.topics import Topics
from tests.mosquitto import Mosquitto
from tests.mqtt_client import MqttClient, connected

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
    """All stale messages are removed, although the broker drops most of the first answer."""
    topics = [f"p/tables/hearts/T{number}/summary" for number in range(STALE)]
    witness = MqttClient(Broker.at(stingy.url), "witness", RETAINED)

    def between(least: int, most: int) -> bool:
        return bool(witness.heard) and least <= int(witness.payloads[-1]) <= most

    named = Topics("p", "s")
    presence = presence_of(named, "1.0", None)
    connections = connections_to(Broker.at(stingy.url), named, presence)
    service = EventService(connections, named, server_clock(), presence, check_seconds=0.5)
    async with asyncio.TaskGroup() as tasks, connected(witness):
        for topic in topics:
            await witness.publish(topic, LONG, retain=True)
        await witness.until(lambda: between(STALE, 2 * STALE))
        run = tasks.create_task(service.run())
        # What the broker says of itself is retained, too.
        await witness.until(lambda: between(0, STALE // 6))
        run.cancel()
    assert service.counts()["published"] >= STALE
