"""A client that vanishes without a word: the broker soon notices."""

from server.events.broker import Broker
from server.events.mqtt import BrokerTimeouts
from server.events.topics import MqttMessage
from tests.e2e.proxy import proxy
from tests.mosquitto import Mosquitto
from tests.mqtt_client import MqttClient, connected


async def test_a_client_that_says_nothing_is_soon_gone(mosquitto: Mosquitto) -> None:
    """The broker drops a silent connection and sends its will.

    The server sets the keep-alive time, by default a few seconds.
    """
    topic = mosquitto.topic()
    watcher = MqttClient(Broker.at(mosquitto.url), "watcher", topic)
    async with proxy(mosquitto.port) as path, connected(watcher):
        address = Broker.at(f"mqtt://127.0.0.1:{path.port}")
        far = MqttClient(address, "far", will=MqttMessage(topic, b"gone"))
        async with connected(far):
            path.silence()
            # It has a half more than what was agreed; the client itself waits for twice as much.
            await watcher.until(lambda: watcher.payloads == [b"gone"])
            path.close()
    assert BrokerTimeouts().keepalive <= 5
