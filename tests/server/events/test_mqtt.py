"""The courier by a real broker: what arrives, what is announced, and what a broken broker costs."""

import asyncio
import gc
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import structlog
from aiomqtt import Client
from paho.mqtt.reasoncodes import ReasonCode

from server.events.broker import Broker
from server.events.courier import Letter, Presence
from server.events.mqtt import MqttCourier
from server.events.mqtt_connection import Limits, _Client
from tests.mosquitto import Mosquitto
from tests.needs import needs

PATIENCE = 30.0
QUICK = Limits(keepalive=1, answer=2.0, first_pause=0.01, longest_pause=0.1)


class Reader:
    """Keeps what a courier hands it."""

    def __init__(self) -> None:
        self.got: list[tuple[str, bytes]] = []

    def __call__(self, topic: str, payload: bytes) -> None:
        self.got.append((topic, payload))

    @property
    def payloads(self) -> list[bytes]:
        return [payload for _, payload in self.got]


async def until(condition: Callable[[], bool]) -> None:
    """Return once `condition` holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - many things may make it true
            await asyncio.sleep(0.005)


@asynccontextmanager
async def running(*couriers: MqttCourier, wait: bool = True) -> AsyncIterator[None]:
    """Let couriers run, from their first connection on."""
    async with asyncio.TaskGroup() as tasks:
        runs = [tasks.create_task(courier.run()) for courier in couriers]
        try:
            if wait:
                await until(lambda: all(courier.connected for courier in couriers))
            yield
        finally:
            for run in runs:
                run.cancel()


def courier(broker: Mosquitto, name: str, presence: Presence | None = None) -> MqttCourier:
    return MqttCourier(Broker.at(broker.url), name, Random(1), presence, QUICK)


async def test_messages_arrive_in_order_at_every_subscriber(mosquitto: Mosquitto) -> None:
    """What one courier publishes reaches the handlers of all filters that match, in order."""
    topic = mosquitto.topic()
    sender, one, two = (courier(mosquitto, name) for name in ("sender", "one", "two"))
    exact, pattern = Reader(), Reader()
    one.subscribe(f"{topic}/a", exact)
    two.subscribe(f"{topic}/+", pattern)
    async with running(sender, one, two):
        for number in range(200):
            sender.publish(f"{topic}/a", b"%d" % number)
        sender.publish(f"{topic}/b", b"b")
        await until(lambda: len(pattern.got) == 201 and len(exact.got) == 200)
    assert exact.payloads == [b"%d" % number for number in range(200)]
    assert sender.counters.published == 201
    assert sender.counters.dropped == 0


async def test_a_subscription_stands_before_what_is_published_after_it(
    mosquitto: Mosquitto,
) -> None:
    """Subscribing while connected, and then publishing, hears the answer; ending it does not."""
    topic, late = mosquitto.topic(), Reader()
    # A connection that a busy machine breaks would lose what is published then.
    patient = replace(QUICK, keepalive=60, answer=PATIENCE)
    alone = MqttCourier(Broker.at(mosquitto.url), "alone", Random(1), None, patient)
    async with running(alone):
        alone.subscribe(topic, late)
        alone.publish(topic, b"heard")
        await until(lambda: late.payloads == [b"heard"])
        alone.unsubscribe(topic)
        last = Reader()
        alone.subscribe(f"{topic}/last", last)
        alone.publish(topic, b"not heard")
        alone.publish(f"{topic}/last", b"last")
        await until(lambda: last.payloads == [b"last"])
    assert late.payloads == [b"heard"]


def here_and_gone(topic: str) -> Presence:
    return Presence(Letter(topic, b"here", retain=True), Letter(topic, b"gone", retain=True))


async def test_presence_is_announced_and_taken_back(mosquitto: Mosquitto) -> None:
    """Others read that a courier is here, and that it is gone when it ended in order."""
    topic = mosquitto.topic()
    watcher, seen = courier(mosquitto, "watcher"), Reader()
    watcher.subscribe(topic, seen)
    async with running(watcher):
        async with running(courier(mosquitto, "guest", here_and_gone(topic))):
            await until(lambda: seen.payloads == [b"here"])
        await until(lambda: seen.payloads == [b"here", b"gone"])


async def test_a_killed_broker_is_found_again(mosquitto: Mosquitto) -> None:
    """After a broker's end, subscriptions and presence stand anew, and what waited is sent."""
    topic = mosquitto.topic()
    one, seen = courier(mosquitto, "one", here_and_gone(f"{topic}/presence")), Reader()
    told: list[str] = []
    one.on_connect(lambda: told.append("connected"))
    one.subscribe(f"{topic}/#", seen)
    async with running(one):
        mosquitto.kill()
        await until(lambda: not one.connected)
        one.publish(f"{topic}/a", b"waited")
        mosquitto.start()
        await until(lambda: (f"{topic}/a", b"waited") in seen.got)
        assert told == ["connected", "connected"]
        assert one.counters.reconnects == 1
        assert [it for name, it in seen.got if name.endswith("presence")] == [b"here", b"here"]


async def test_what_still_waits_when_a_connection_breaks_is_sent_by_the_next(
    mosquitto: Mosquitto,
) -> None:
    """Of many messages a loss costs those on their way, and the others need no further push."""
    topic = mosquitto.topic()
    one, seen = courier(mosquitto, "one"), Reader()
    one.subscribe(topic, seen)
    async with running(one):
        for number in range(300):
            one.publish(topic, b"%d" % number)
        await asyncio.sleep(0)
        mosquitto.restart()
        await until(lambda: b"299" in seen.payloads)
    assert one.counters.published + one.counters.dropped == 300
    assert seen.payloads == sorted(seen.payloads, key=int)


async def test_a_broker_that_says_nothing_is_given_up(mosquitto: Mosquitto) -> None:
    """A stopped broker is noticed by its silence; nobody who publishes waits for it."""
    topic = mosquitto.topic()
    one, seen = courier(mosquitto, "one"), Reader()
    one.subscribe(topic, seen)
    async with running(one):
        mosquitto.stop()
        for _ in range(50):
            one.publish(topic, bytes(100_000))
        await until(lambda: not one.connected)
        mosquitto.go_on()
        await until(lambda: one.connected)
        one.publish(topic, b"again")
        await until(lambda: b"again" in seen.payloads)


async def test_a_stopped_broker_holds_up_no_end(
    mosquitto: Mosquitto, log_events: list[structlog.typing.EventDict]
) -> None:
    """A courier that is cancelled says goodbye for a limited time, and then ends without."""
    topic = mosquitto.topic()
    limits = replace(QUICK, goodbye=0.05)
    one = MqttCourier(Broker.at(mosquitto.url), "one", Random(1), here_and_gone(topic), limits)
    async with running(one):
        mosquitto.stop()
        for _ in range(80):
            one.publish(topic, bytes(100_000))  # more than sockets take
        await asyncio.sleep(0)
    assert log_events[-1]["event"] == "broker_left_without_goodbye"
    assert not one.connected


async def test_what_waits_is_bounded(mosquitto: Mosquitto) -> None:
    """Without a broker the oldest messages are dropped and counted; a huge one is not even kept."""
    topic = mosquitto.topic()
    limits = Limits(first_pause=0.01, longest_pause=0.02, messages=3, payload=10)
    one, seen = MqttCourier(Broker.at(mosquitto.url), "one", Random(1), None, limits), Reader()
    one.subscribe(topic, seen)
    for number in range(5):
        one.publish(topic, b"%d" % number)
    one.publish(topic, bytes(11))
    with pytest.raises(ValueError, match="publish"):
        one.publish(f"{topic}/#", b"")
    async with running(one):
        await until(lambda: len(seen.got) == 3)
    assert seen.payloads == [b"2", b"3", b"4"]
    assert one.counters.dropped == 3


async def test_a_handler_that_raises_costs_its_message(mosquitto: Mosquitto) -> None:
    """An exception in a handler or listener is logged, and the next message is handed on."""
    topic = mosquitto.topic()
    one, seen = courier(mosquitto, "one"), Reader()

    def fail(*_: object) -> None:
        raise RuntimeError("ours")

    one.on_connect(fail)
    one.subscribe(f"{topic}/bad", fail)
    one.subscribe(f"{topic}/good", seen)
    async with running(one):
        one.publish(f"{topic}/bad", b"")
        one.publish(f"{topic}/good", b"")
        await until(lambda: len(seen.got) == 1)
    assert one.counters.reconnects == 0


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
    """TLS and a password let in, a wrong password or certificate does not; no log shows either."""
    topic = closed_broker.topic()
    url = closed_broker.url.replace("://", "://house:pass%2Fword@")
    right = Broker.at(url, closed_broker.folder / "certificate.pem")
    wrong = Broker.at(url.replace("pass%2Fword", "other-pass"), right.certificates)
    stranger = Broker.at(url)
    seen = Reader()
    once = Limits(first_pause=PATIENCE, longest_pause=PATIENCE)
    couriers = [
        MqttCourier(it, name, Random(1), None, once)
        for it, name in ((right, "right"), (wrong, "wrong"), (stranger, "stranger"))
    ]
    couriers[0].subscribe(topic, seen)
    with structlog.testing.capture_logs() as logged:
        async with running(*couriers, wait=False):
            couriers[0].publish(topic, b"secret")
            await until(lambda: seen.payloads == [b"secret"])
            await until(lambda: [line["event"] for line in logged].count("broker_lost") == 2)
    assert not couriers[1].connected
    assert not couriers[2].connected
    gc.collect()  # the sockets, within this test
    for text in (repr(logged), repr(couriers), repr(right), str(right)):
        assert "pass/word" not in text
        assert "pass%2Fword" not in text
        assert "other-pass" not in text


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_broker_that_lets_in_and_throws_out_is_tried_less_and_less(
    monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    """The pause grows from connection to connection, as it does while nobody answers."""
    accepted = bytes((0x20, 3, 0, 0, 0))
    failures: list[int] = []
    served: set[asyncio.StreamWriter] = set()

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

    def pause(courier: MqttCourier, failed: int) -> float:
        failures.append(failed)
        return 0.0

    monkeypatch.setattr(MqttCourier, "_pause", pause)
    async with await asyncio.start_server(throw_out, "127.0.0.1", 0) as liar:
        port = liar.sockets[0].getsockname()[1]
        url, letter = f"mqtt://127.0.0.1:{port}", Letter("here", b"")
        here = Presence(birth=letter, will=letter)
        thrown = MqttCourier(Broker.at(url), "name", Random(1), here, QUICK)
        async with running(thrown, wait=False):
            await until(lambda: len(failures) > 3)
        await until(lambda: not served)
    assert failures[:4] == [0, 1, 2, 3]
    assert at_once or thrown.counters.connects > 1


@pytest.mark.parametrize("waiting_in", ["__aenter__", "subscribe", "publish"])
async def test_an_end_that_the_library_swallows_is_an_end(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch, waiting_in: str
) -> None:
    """Its `wait_for` may return as if nothing had happened; the courier does not go on then."""
    reached = asyncio.Event()
    ends = courier(mosquitto, mosquitto.topic())

    async def swallow(client: Client, *arguments: object) -> list[ReasonCode]:
        reached.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            monkeypatch.undo()
        return []

    if waiting_in == "__aenter__":
        monkeypatch.setattr(Client, waiting_in, swallow)
    async with running(ends, wait=waiting_in != "__aenter__"):
        monkeypatch.setattr(Client, waiting_in, swallow)
        ends.subscribe("here", Reader())
        ends.publish("here", b"")
        async with asyncio.timeout(PATIENCE):
            await reached.wait()
    assert not ends.connected


async def test_a_socket_that_is_closed_meanwhile_is_not_watched() -> None:
    """Its number may be another connection's by the time that the event loop comes to it."""
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
