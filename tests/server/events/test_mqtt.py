"""Connections to a real broker: what arrives, and what becomes of a broken one."""

import asyncio
import gc
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from aiomqtt import MqttError
from structlog.testing import capture_logs

from server.events.broker import Broker
from server.events.mqtt import BrokerTimeouts, _Client, keep_connected
from server.events.service import BrokerConnection
from server.events.topics import MqttMessage
from tests.mosquitto import Mosquitto
from tests.mqtt_client import PATIENCE, QUICK, MqttClient, connected
from tests.needs import needs
from tests.server.events.odd_broker import GOOD_TOPIC, odd_broker

WILL = MqttMessage("will", b"")


def client(broker: Mosquitto, name: str, *filters: str) -> MqttClient:
    return MqttClient(Broker.at(broker.url), name, *filters)


async def test_messages_arrive_in_order(mosquitto: Mosquitto) -> None:
    """Messages arrive in order, and an unsubscribed filter brings nothing more."""
    topic = mosquitto.topic()
    sender, reader = client(mosquitto, "sender"), client(mosquitto, "reader", f"{topic}/+")
    async with connected(sender, reader):
        many = [MqttMessage(f"{topic}/a", b"%d" % number) for number in range(200)]
        await sender.connection.publish(many)
        await sender.publish(f"{topic}/b", b"b")
        await reader.until(lambda: len(reader.heard) == 201)
        await reader.connection.subscribe([f"{topic}/a"])
        await reader.connection.unsubscribe([f"{topic}/+"])
        await sender.publish(f"{topic}/b", b"not heard")
        await sender.publish(f"{topic}/a", b"last")
        await reader.until(lambda: reader.payloads[-1] == b"last")
    assert reader.payloads == [*(message.payload for message in many), b"b", b"last"]


async def test_a_killed_broker_is_found_again(mosquitto: Mosquitto) -> None:
    """After a broker was killed the client reconnects, and everything goes on."""
    topic = mosquitto.topic()
    one = client(mosquitto, "one", topic)
    async with connected(one):
        mosquitto.kill()
        await one.until(lambda: not one.is_connected)
        mosquitto.start()
        await one.until(lambda: one.is_connected)
        await one.publish(topic, b"again")
        await one.until(lambda: one.payloads == [b"again"])
    assert one.connects == 2


async def test_a_broker_that_says_nothing_is_given_up(mosquitto: Mosquitto) -> None:
    """A stopped broker is noticed by its silence, also while publishing."""
    topic = mosquitto.topic()
    silent, busy = client(mosquitto, "silent"), client(mosquitto, "busy", topic)
    async with connected(silent, busy):
        mosquitto.stop()
        with pytest.raises((MqttError, OSError)):
            await busy.connection.publish([MqttMessage(topic, bytes(100_000))] * 200)
        await silent.until(lambda: not silent.is_connected)
        mosquitto.go_on()
        for one in (silent, busy):
            await one.until(lambda it=one: it.is_connected)  # type: ignore[misc]
        await silent.publish(topic, b"again")
        await busy.until(lambda: b"again" in busy.payloads)


@pytest.fixture
def closed_broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with TLS that lets in one user."""
    needs("openssl", "mosquitto_passwd")
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", "key.pem", "-nodes"]
    made = ["openssl", "req", "-x509", *key, "-out", "certificate.pem", "-days", "2", *names]
    passwords = ["mosquitto_passwd", "-b", "-c", "passwords", "house", "pass/word"]
    for command in (made, passwords):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    broker = Mosquitto(
        tmp_path,
        f"password_file {tmp_path / 'passwords'}",
        f"certfile {tmp_path / 'certificate.pem'}",
        f"keyfile {tmp_path / 'key.pem'}",
        scheme="mqtts",
    )
    broker.start()
    yield broker
    broker.end()


# paho forgets the socket of a failed handshake, which is then closed with a warning.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_credentials_are_used_and_never_shown(closed_broker: Mosquitto) -> None:
    """TLS and a password are used, wrong ones refused, and no log shows them."""
    topic = closed_broker.topic()
    url = closed_broker.url.replace("://", "://house:pass%2Fword@")
    right = replace(Broker.at(url), certificates=closed_broker.folder / "certificate.pem")
    wrong = replace(
        Broker.at(url.replace("pass%2Fword", "other-pass")), certificates=right.certificates
    )
    once = BrokerTimeouts(first_pause=PATIENCE, longest_pause=PATIENCE)
    friend = MqttClient(right, "right", topic, limits=once)
    others = [
        MqttClient(it, name, limits=once)
        for it, name in ((wrong, "wrong"), (Broker.at(url), "stranger"))
    ]
    with capture_logs() as logged:
        async with asyncio.TaskGroup() as tasks, connected(friend):
            runs = [tasks.create_task(other.run()) for other in others]
            await friend.publish(topic, b"secret")
            await friend.until(lambda: friend.payloads == [b"secret"])
            async with asyncio.timeout(PATIENCE):
                while [line["event"] for line in logged].count("broker_lost") < 2:  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
            for run in runs:
                run.cancel()
    assert [other.connects for other in others] == [0, 0]
    gc.collect()  # the sockets, within this test
    for text in (repr(logged), repr(right), str(right)):
        assert "pass/word" not in text
        assert "pass%2Fword" not in text
        assert "other-pass" not in text


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_broker_that_lets_in_and_throws_out_is_tried_less_and_less(
    monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    """A broker that accepts and drops connections is retried with growing pauses."""
    accepted = bytes((0x20, 3, 0, 0, 0))
    failures: list[int] = []
    served: set[asyncio.StreamWriter] = set()
    news = asyncio.Event()

    async def throw_out(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(writer)
        try:
            await reader.read(1000)
            writer.write(accepted)
            if not at_once:
                await reader.read(1000)
        finally:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)
            served.remove(writer)
            news.set()

    def pause(limits: BrokerTimeouts, failed: int, rng: Random) -> float:
        failures.append(failed)
        news.set()
        return 0.0

    async def hear(connection: BrokerConnection) -> None:
        async for _ in connection.received():
            raise AssertionError("nothing is sent")

    async def greet(connection: BrokerConnection) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(hear(connection))
            tasks.create_task(connection.publish([WILL]))

    async def until(number: int, serving: float = float("inf")) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(failures) < number or len(served) > serving:
                news.clear()
                await news.wait()

    monkeypatch.setattr(BrokerTimeouts, "pause", pause)
    async with await asyncio.start_server(throw_out, "127.0.0.1", 0) as liar:
        broker = Broker.at(f"mqtt://127.0.0.1:{liar.sockets[0].getsockname()[1]}")
        async with asyncio.TaskGroup() as tasks:
            keeping = tasks.create_task(keep_connected(broker, "name", WILL, QUICK, greet))
            await until(4)
            keeping.cancel()
        await until(4, serving=0)
    assert failures[:4] == [0, 1, 2, 3]


async def test_an_end_is_an_end_while_nobody_answers() -> None:
    """Ending the client does not wait for a broker that never answers."""
    async with odd_broker() as broker:
        broker.manner = "silent"

        async def unreachable(connection: BrokerConnection) -> None:
            raise AssertionError("it accepts nobody")

        keeping = keep_connected(Broker.at(broker.url), "name", WILL, QUICK, unreachable)
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(keeping)
            await broker.until_connected(1)
            task.cancel()


async def test_topics_that_mqtt_forbids_are_ignored() -> None:
    """Messages whose topic is no UTF-8, empty or a filter are ignored without a log line."""
    async with odd_broker() as broker:
        broker.manner = "misnaming"
        reader = MqttClient(Broker.at(broker.url), "reader")
        with capture_logs() as lines:
            async with connected(reader):
                await reader.until(lambda: len(reader.heard) == 1)
    assert reader.heard == [(GOOD_TOPIC.decode(), b"{}")]
    assert reader.connects == 1
    assert [line["event"] for line in lines] == ["broker_connected"]


async def test_a_socket_that_is_closed_meanwhile_is_not_watched() -> None:
    """A socket that is closed meanwhile is not watched, since its number may be reused."""
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    client = _Client("127.0.0.1", identifier="ann")
    closed, other = socket.socketpair()
    client._on_socket_register_write(client._client, None, closed)
    closed.close()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert faults == []
    other.close()
