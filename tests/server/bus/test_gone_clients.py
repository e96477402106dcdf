"""A client that is gone without a word: the broker soon knows, and keeps nothing for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from server.bus.broker import Broker
from server.bus.mqtt import MqttCourier
from server.bus.mqtt_connection import Limits
from tests.e2e.proxy import Proxy, proxy
from tests.mosquitto import Mosquitto
from tests.server.bus.test_mqtt import QUICK, Reader, courier, here_and_gone, running, until

MESSAGES = 20


@pytest.fixture
async def path(mosquitto: Mosquitto) -> AsyncIterator[Proxy]:
    """The way of one client to the broker."""
    async with proxy(mosquitto.port) as between:
        yield between


@asynccontextmanager
async def on_its_way(path: Proxy, topic: str, reader: Reader) -> AsyncIterator[MqttCourier]:
    """A worker of the group at `topic`, which is on that way."""
    address = f"mqtt://127.0.0.1:{path.port}"
    far = MqttCourier(Broker.at(address), "far", Random(1), here_and_gone(f"{topic}/far"), QUICK)
    far.subscribe(f"$share/workers/{topic}/work", reader)
    async with running(far):
        yield far


async def test_work_is_for_those_who_are_there(mosquitto: Mosquitto, path: Proxy) -> None:
    """A group has one worker less as soon as a connection breaks, and none waits for its return.

    With a session that outlives its connection every second message would be kept for nobody.
    """
    topic = mosquitto.topic()
    near, got, lost, seen = courier(mosquitto, "near"), Reader(), Reader(), Reader()
    near.subscribe(f"$share/workers/{topic}/work", got)
    near.subscribe(f"{topic}/far", seen)
    async with running(near), on_its_way(path, topic, lost) as far:
        await until(lambda: seen.payloads == [b"here"])
        path.close()
        await until(lambda: seen.payloads == [b"here", b"gone"])
        for number in range(MESSAGES):
            near.publish(f"{topic}/work", b"%d" % number, qos=1)
        await until(lambda: len(got.got) == MESSAGES)
        path.reopen()
        await until(lambda: far.connected)
        far.publish(f"{topic}/far", b"back")
        await until(lambda: seen.payloads[-1] == b"back")
    assert lost.got == []


async def test_a_client_that_says_nothing_is_soon_gone(mosquitto: Mosquitto, path: Proxy) -> None:
    """Its connection stands, but nothing comes: the broker takes it for lost, and sends its will.

    It is told how long it may wait; by default a few seconds.
    """
    topic = mosquitto.topic()
    watcher, seen = courier(mosquitto, "watcher"), Reader()
    watcher.subscribe(f"{topic}/far", seen)
    async with running(watcher), on_its_way(path, topic, Reader()):
        await until(lambda: seen.payloads == [b"here"])
        path.silence()
        # It has a half more than what was agreed; the client itself waits for twice as much.
        await until(lambda: seen.payloads == [b"here", b"gone"])
        path.close()
    assert Limits().keepalive <= 5
