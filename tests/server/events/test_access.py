"""The access rules of the guide at a real Mosquitto: all may read, and only servers publish."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from server.events.broker import Broker
from tests.mosquitto import Mosquitto
from tests.mqtt_client import MqttClient, connected
from tests.needs import needs

GUIDE = Path(__file__).parents[3] / "docs" / "events.md"
USERS = ("cards", "wall")
"""A server, and somebody who listens."""
_IN_GUIDE = re.search(r"^    topic read .*?readwrite [^\n]*\n", GUIDE.read_text(), re.M | re.S)
assert _IN_GUIDE is not None
RULES = re.sub("^    ", "", _IN_GUIDE[0], flags=re.M)


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with the rules, where everybody's password is their name."""
    needs("mosquitto_passwd")
    passwords, rules = tmp_path / "passwords", tmp_path / "acl"
    passwords.write_text("".join(f"{name}:{name}\n" for name in USERS))
    subprocess.run(["mosquitto_passwd", "-U", passwords], check=True, capture_output=True)
    rules.write_text(RULES)
    for file in (passwords, rules):
        file.chmod(0o600)
    broker = Mosquitto(tmp_path, f"password_file {passwords}", f"acl_file {rules}")
    broker.start()
    yield broker
    broker.end()


def client(broker: Mosquitto, name: str, *filters: str) -> MqttClient:
    """A client that connects as this user."""
    return MqttClient(replace(Broker.at(broker.url), user=name, password=name), name, *filters)


async def test_only_servers_tell_public_events(guarded: Mosquitto) -> None:
    """Only servers can publish events, and nobody can publish elsewhere."""
    server, wall = client(guarded, "cards", "blackqueen/#"), client(guarded, "wall", "#")
    async with connected(server, wall):
        await wall.publish("blackqueen/server", b"forged")
        await wall.publish("blackqueen/server", b"forged", retain=True)
        # The broker answers this after what came before.
        await wall.connection.subscribe(["elsewhere/#"])
        await server.publish("elsewhere/server", b"strayed")
        await server.publish("blackqueen/server", b"here", retain=True)
        await server.until(lambda: server.payloads == [b"here"])
        await wall.until(lambda: wall.payloads == [b"here"])
    late = client(guarded, "wall", "blackqueen/#")
    async with connected(late):
        await late.until(lambda: late.payloads == [b"here"])
