"""The generated access rules at a real Mosquitto: all hear, and servers alone tell."""

import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from server.events.access import main, mosquitto_lines
from server.events.broker import Broker
from server.events.mqtt import MqttCourier
from tests.mosquitto import Mosquitto
from tests.needs import needs
from tests.server.events.test_mqtt import QUICK, Reader, running, until

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


def courier(broker: Mosquitto, name: str) -> MqttCourier:
    """A client that comes in as this user."""
    address = replace(Broker.at(broker.url), user=name, password=name)
    return MqttCourier(address, name, Random(name), None, QUICK)


@asynccontextmanager
async def both(broker: Mosquitto) -> AsyncIterator[list[MqttCourier]]:
    """The server and the listener, connected."""
    couriers = [courier(broker, name) for name in USERS]
    async with running(*couriers):
        yield couriers


async def test_only_servers_tell_public_events(guarded: Mosquitto) -> None:
    """What a listener writes reaches nobody, and elsewhere neither of them writes."""
    told, heard = Reader(), Reader()
    async with both(guarded) as (server, wall):
        server.subscribe("house/#", told)
        wall.subscribe("#", heard)
        wall.publish("house/server", b"forged", qos=1)
        wall.publish("house/server", b"forged", retain=True, qos=1)
        server.publish("elsewhere/server", b"strayed", qos=1)
        server.publish("house/server", b"here", qos=1)
        await until(lambda: told.payloads == heard.payloads == [b"here"])
    async with both(guarded) as (server, wall):
        late = Reader()
        wall.subscribe("house/#", late)
        server.publish("house/server", b"here again", qos=1)
        await until(lambda: late.payloads == [b"here again"])
    assert b"forged" not in told.payloads + heard.payloads


def test_the_rules_of_emqx_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Who may publish, that all may subscribe, and at the end that nothing else is allowed."""
    main(["house", "cards", "clubs", "--emqx"])
    assert capsys.readouterr().out.splitlines() == [
        '{allow, {user, "cards"}, publish, ["house/#"]}.',
        '{allow, {user, "clubs"}, publish, ["house/#"]}.',
        '{allow, all, subscribe, ["house/#"]}.',
        "{deny, all}.",
    ]


def test_the_rules_say_what_they_are_for(capsys: pytest.CaptureFixture[str]) -> None:
    """They suit no other use of the broker."""
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "for public events, and for nothing else" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["ho#use", "cards"], ["house", 'ca"rds'], ["house", "a b"]])
def test_what_fits_into_no_rule_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A prefix or a user that would be read as more than it is."""
    with pytest.raises(SystemExit):
        main(words)
    assert "has no" in capsys.readouterr().err


def test_an_identifier_is_told_by_the_secret_alone(tmp_path: Path) -> None:
    """By the password or the key; without both everybody may come in, and it is the name."""
    key = tmp_path / "key"
    key.write_text("key of ann")
    plain = Broker.at("mqtts://ann@localhost")
    keyed = replace(plain, own_certificate=tmp_path / "certificate", own_key=key)
    secret = replace(plain, password="open-sesame")
    assert plain.identifier("ann") == "ann"
    told = {each.identifier(name) for each in (keyed, secret) for name in ("ann", "bob")}
    assert len(told) == 4
    assert told == {each.identifier(name) for each in (keyed, secret) for name in ("ann", "bob")}
    assert not any("sesame" in each or "key" in each for each in told)
