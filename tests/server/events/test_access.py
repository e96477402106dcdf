"""The generated access rules at a real Mosquitto: all may read, and only servers publish."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from server.events.access import main, mosquitto_lines
from server.events.broker import Broker
from tests.mosquitto import Mosquitto
from tests.mqtt_client import MqttClient, connected
from tests.needs import needs

USERS = ("cards", "wall")
"""A server, and somebody who listens."""


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with the rules, where everybody's password is their name."""
    needs("mosquitto_passwd")
    passwords, rules = tmp_path / "passwords", tmp_path / "acl"
    passwords.write_text("".join(f"{name}:{name}\n" for name in USERS))
    subprocess.run(["mosquitto_passwd", "-U", passwords], check=True, capture_output=True)
    rules.write_text("".join(f"{line}\n" for line in mosquitto_lines("house", ["cards"])))
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
    server, wall = client(guarded, "cards", "house/#"), client(guarded, "wall", "#")
    async with connected(server, wall):
        await wall.publish("house/server", b"forged")
        await wall.publish("house/server", b"forged", retain=True)
        # The broker answers this after what came before.
        await wall.connection.subscribe(["elsewhere/#"])
        await server.publish("elsewhere/server", b"strayed")
        await server.publish("house/server", b"here", retain=True)
        await server.until(lambda: server.payloads == [b"here"])
        await wall.until(lambda: wall.payloads == [b"here"])
    late = client(guarded, "wall", "house/#")
    async with connected(late):
        await late.until(lambda: late.payloads == [b"here"])


def test_the_rules_of_emqx_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """The rules for EMQX allow servers to publish and all to subscribe, and deny the rest."""
    main(["house", "cards", "clubs", "--emqx"])
    assert capsys.readouterr().out.splitlines() == [
        '{allow, {user, "cards"}, publish, ["house/#"]}.',
        '{allow, {user, "clubs"}, publish, ["house/#"]}.',
        '{allow, all, subscribe, ["house/#"]}.',
        "{deny, all}.",
    ]


def test_the_rules_say_what_they_are_for(capsys: pytest.CaptureFixture[str]) -> None:
    """The rules say that they suit no other use of the broker."""
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "for public events, and for nothing else" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["ho#use", "cards"], ["house", 'ca"rds'], ["house", "a b"]])
def test_what_fits_into_no_rule_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A prefix or a user with special characters is refused."""
    with pytest.raises(SystemExit):
        main(words)
    assert "has no" in capsys.readouterr().err
