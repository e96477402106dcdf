"""Tests public events of a real server with a real broker that is stopped, killed, or refuses."""

import asyncio
import json
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import tests
from server.events.broker import Broker
from server.events.mqtt import BrokerTimeouts
from tests.e2e.processes import Programs, Server
from tests.mosquitto import Mosquitto
from tests.mqtt_client import MqttClient
from tests.needs import needs
from tests.server.events.odd_broker import Manner, odd_broker
from tests.server.socket_server import background_match

pytestmark = pytest.mark.e2e

EXAMPLE = Path(tests.__file__).parents[1] / "examples" / "listen.py"
RUN = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
PATIENCE = 60.0
SECRET = "open-sesame"


class Subscriber(MqttClient):
    """A subscriber to all topics below a prefix; `last` has the newest message of each topic."""

    def __init__(self, broker: Mosquitto, prefix: str) -> None:
        name = f"subscriber of {prefix}"
        super().__init__(Broker.at(broker.url), name, f"{prefix}/#", limits=BrokerTimeouts())
        self.said: list[dict[str, Any]] = []
        self.last: dict[str, dict[str, Any]] = {}

    def hear(self, topic: str, payload: bytes) -> None:
        super().hear(topic, payload)
        self.last.pop(topic, None)
        if payload:
            self.last[topic] = json.loads(payload)
            self.said.append(self.last[topic])

    async def until_last(self, wanted: Callable[[dict[str, dict[str, Any]]], bool]) -> None:
        """Wait until the last messages are as wanted."""
        await self.until(lambda: wanted(self.last))


def page(server: Server, name: str) -> str:
    """Return a page of the server, whose status must be OK."""
    with urlopen(f"http://127.0.0.1:{server.port}/{name}", timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def command_line(pid: int) -> str:
    """Return a process's command line, which everybody on the machine can read."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode()


@pytest.fixture
async def listened(
    mosquitto: Mosquitto, programs: Programs
) -> AsyncIterator[tuple[Server, Subscriber, str]]:
    """Start a server that sends public events, and a subscriber below a prefix."""
    prefix = mosquitto.topic()
    server = await programs.serve("--events", f"{mosquitto.url}/{prefix}")
    subscriber = Subscriber(mosquitto, prefix)
    async with asyncio.TaskGroup() as tasks:
        hearing = tasks.create_task(subscriber.run())
        await subscriber.until_last(lambda last: f"{prefix}/server" in last)
        yield server, subscriber, prefix
        hearing.cancel()


async def test_matches_go_on_whatever_becomes_of_the_broker(
    mosquitto: Mosquitto, programs: Programs, listened: tuple[Server, Subscriber, str]
) -> None:
    """The example prints the events of matches; a stopped or killed broker loses no move."""
    server, subscriber, prefix = listened
    words = (str(EXAMPLE), "127.0.0.1", str(mosquitto.port), prefix)
    example = await programs.python(RUN, words=words)
    await example.line(lambda text: text == "The server is there.")
    async with background_match(server.url) as match:
        base = f"{prefix}/tables/black_queen/{match.table}"
        await example.line(lambda text: text.startswith(f"{match.table} Ann plays "))
        await example.line(lambda text: text == f"{match.table} It is Bea's turn.")
        example.signal(signal.SIGTERM)
        await example.ended()
        mosquitto.stop()
        await match.wait_for_moves(12)
        mosquitto.go_on()
        number = subscriber.last[f"{base}/play"]["number"]
        await subscriber.until_last(lambda last: last[f"{base}/play"]["number"] > number + 12)
        mosquitto.kill()
        await match.wait_for_moves(12)
        await server.program.complaint("broker_lost")
        assert (await asyncio.to_thread(page, server, "readyz")).startswith("ready\npublic events:")
        assert "public_events_connected 0.0" in await asyncio.to_thread(page, server, "metrics")
        subscriber.last.clear()
        mosquitto.start()
        retained = {f"{prefix}/server", f"{base}/summary", f"{base}/turn", f"{base}/play"}
        await subscriber.until_last(lambda last: last.keys() >= retained)
        assert await asyncio.to_thread(page, server, "readyz") == "ready\n"
    await server.stop()
    await subscriber.until_last(lambda last: not last[f"{prefix}/server"]["online"])


async def test_a_killed_server_is_said_to_be_gone_and_cleans_up_when_it_is_back(
    mosquitto: Mosquitto, programs: Programs, listened: tuple[Server, Subscriber, str]
) -> None:
    """The last will reports a killed server as gone; its next start removes stale messages."""
    server, subscriber, prefix = listened
    gone = f"{prefix}/tables/black_queen/GONE2/summary"
    async with background_match(server.url) as match:
        summary = f"{prefix}/tables/black_queen/{match.table}/summary"
        await subscriber.until_last(lambda last: summary in last)
    await server.kill()
    await subscriber.until_last(lambda last: not last[f"{prefix}/server"]["online"])
    assert summary in subscriber.last
    await subscriber.publish(gone, b"{}", retain=True)
    await subscriber.until_last(lambda last: gone in last)
    said = subscriber.last[summary]
    await programs.serve("--events", f"{mosquitto.url}/{prefix}")
    await subscriber.until_last(lambda last: last[f"{prefix}/server"]["online"])
    await subscriber.until_last(lambda last: gone not in last and last[summary] != said)
    assert subscriber.last[summary]["players"][0]["name"] == "Ann"


async def test_a_server_plays_without_a_broker_and_keeps_its_password(
    programs: Programs, tmp_path: Path
) -> None:
    """Without a broker the log says once why; the password is in no log, page or process list."""
    folder = tmp_path / "broker"
    folder.mkdir()
    (folder / "passwords").write_text("")
    (folder / "passwords").chmod(0o600)
    closed = Mosquitto(folder, f"password_file {folder / 'passwords'}")
    closed.start()
    try:
        url = closed.url.replace("//", "//ann:open-sesame@")
        server = await programs.serve("--events", url, forked=False)
        await server.program.complaint("broker_lost")
        shown = command_line(server.program.pid)
        pages = [await asyncio.to_thread(page, server, name) for name in ("readyz", "metrics")]
        async with background_match(server.url):
            pass
        await server.stop()
    finally:
        closed.end()
    assert server.program.errors.count("broker_lost") == 1
    assert "uthori" in server.program.errors, server.program.errors
    said = [server.program.errors, *server.program.lines, *pages, shown]
    assert not any("open-sesame" in text for text in said)


async def test_a_bad_setting_ends_the_start_with_a_line(programs: Programs) -> None:
    """A wrong setting ends the start with exit code 2, and the message has no password."""
    program = await programs.run("serve", "--events", "http://ann:open-sesame@broker")
    assert await program.ended() == 2
    assert program.errors.startswith("blackqueen serve: --events: a broker's address begins with")
    assert "open-sesame" not in program.errors


async def test_no_manner_of_a_broker_costs_a_move(programs: Programs) -> None:
    """No move is lost if the broker refuses, floods, does not read, hangs up, or is silent."""
    async with odd_broker() as broker:
        manners: tuple[Manner, ...] = ("flooding", "hanging up", "swallowing", "silent", "deaf")
        broker.manner = manners[0]
        server = await programs.serve("--events", broker.url)
        async with background_match(server.url) as match:
            for manner in manners:
                connects = broker.connects
                broker.change(manner)
                await broker.until_connected(connects + 1)
                await match.wait_for_moves(8)
        assert broker.published > 0
        await server.stop()
    assert "Traceback" not in server.program.errors


@pytest.fixture
def closed_broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """Start a broker with TLS and its own authority; clients must show a certificate of it."""
    needs("openssl", "mosquitto_passwd")
    folder = tmp_path / "broker"
    folder.mkdir()

    def made(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    for authority in ("ours", "theirs"):
        out = ("-keyout", f"{authority}.key", "-out", f"{authority}.pem")
        made("req", "-x509", *key, "-subj", f"/CN={authority}", *out)
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1")
    for name in ("broker", "server"):
        made("req", *key[:-2], "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", "request")
        signed = ("-CA", "ours.pem", "-CAkey", "ours.key", "-CAcreateserial", "-extfile", "names")
        made("x509", "-req", "-in", "request", *signed, "-days", "2", "-out", f"{name}.pem")
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", folder / "passwords", "ann", SECRET], check=True
    )
    files = {"password_file": "passwords", "cafile": "ours.pem", "certfile": "broker.pem"}
    files["keyfile"] = "broker.key"
    lines = [f"{setting} {folder / name}" for setting, name in files.items()]
    broker = Mosquitto(folder, *lines, "require_certificate true", scheme="mqtts")
    broker.start()
    yield broker
    broker.end()


async def test_tls_certificates_and_a_password_from_a_file(
    closed_broker: Mosquitto, programs: Programs
) -> None:
    """A broker admits a server with certificate and password; a wrong authority is reported."""
    folder = closed_broker.folder
    password = folder / "secret"
    password.write_text(f"{SECRET}\n")
    url = closed_broker.url.replace("//", "//ann@")
    files = {
        "--events-certificate-file": folder / "server.pem",
        "--events-key-file": folder / "server.key",
        "--events-password-file": password,
    }
    own = [word for flag, file in files.items() for word in (flag, str(file))]
    flags = ("--events", url, *own, "--events-ca-file")
    server = await programs.serve(*flags, str(folder / "ours.pem"), forked=False)
    await server.program.complaint("broker_connected")
    shown = command_line(server.program.pid)
    said = await asyncio.to_thread(page, server, "metrics")
    assert "public_events_connected 1.0" in said
    await server.stop()
    stranger = await programs.serve(*flags, str(folder / "theirs.pem"))
    await stranger.program.complaint("broker_lost")
    await stranger.stop()
    assert "certificate verify failed" in stranger.program.errors
    errors = server.program.errors + stranger.program.errors
    assert not any(SECRET in text for text in (errors, shown, said))
