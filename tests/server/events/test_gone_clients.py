"""A client that is gone without a word: the broker soon knows."""

from random import Random

from server.events.broker import Broker
from server.events.mqtt import MqttCourier
from server.events.mqtt_connection import Limits
from tests.e2e.proxy import proxy
from tests.mosquitto import Mosquitto
from tests.server.events.test_mqtt import QUICK, Reader, courier, here_and_gone, running, until


async def test_a_client_that_says_nothing_is_soon_gone(mosquitto: Mosquitto) -> None:
    """Its connection stands, but nothing comes: the broker takes it for lost, and sends its will.

    It is told how long it may wait; by default a few seconds.
    """
    topic = mosquitto.topic()
    watcher, seen = courier(mosquitto, "watcher"), Reader()
    watcher.subscribe(f"{topic}/far", seen)
    async with proxy(mosquitto.port) as path, running(watcher):
        address = Broker.at(f"mqtt://127.0.0.1:{path.port}")
        far = MqttCourier(address, "far", Random(1), here_and_gone(f"{topic}/far"), QUICK)
        async with running(far):
            await until(lambda: seen.payloads == [b"here"])
            path.silence()
            # It has a half more than what was agreed; the client itself waits for twice as much.
            await until(lambda: seen.payloads == [b"here", b"gone"])
            path.close()
    assert Limits().keepalive <= 5
