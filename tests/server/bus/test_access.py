"""The generated access rules at a real Mosquitto: nobody reads for others or speaks as they."""

import asyncio
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from server.bus.access import accesses, emqx_lines, main, mosquitto_lines
from server.bus.broker import Broker
from server.bus.bus import Failure
from server.bus.mqtt import MqttCourier
from server.bus.over_courier import presence
from server.bus.packets import Packet, encode
from server.crossing.names import TABLES
from server.process_roles import BusOptions, OwnPeer
from tests.mosquitto import Mosquitto
from tests.needs import needs
from tests.server.bus.worlds import QUICK, MqttWorld

ROOT = "house"
MEMBERS = {"gateway": ["g1", "g2"], "tables": ["t1", "t2"]}
USERS = [access.name for access in accesses(ROOT, MEMBERS)]
SECONDS = 60.0


class GuardedWorld(MqttWorld):
    """Peers that come in as themselves, at a broker with rules."""

    def __init__(self, broker: Mosquitto, tasks: asyncio.TaskGroup) -> None:
        super().__init__(broker, tasks)
        self.root = ROOT

    def address(self, name: str) -> Broker:
        return replace(super().address(name), user=name, password=name)

    def spy(self, name: str, heard: list[str]) -> MqttCourier:
        """A process of this name that asks for every topic, and notes those that it hears."""
        here = presence(self.root, name, 1)
        spy = MqttCourier(self.address(name), f"spy-{name}", Random(name), here, QUICK)
        spy.subscribe("#", lambda topic, payload: heard.append(topic))
        return spy


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with the rules, where everybody's password is their name."""
    needs("mosquitto_passwd")
    passwords, rules = tmp_path / "passwords", tmp_path / "acl"
    passwords.write_text("".join(f"{name}:{name}\n" for name in USERS))
    subprocess.run(["mosquitto_passwd", "-U", passwords], check=True, capture_output=True)
    rules.write_text("".join(f"{line}\n" for line in mosquitto_lines(accesses(ROOT, MEMBERS))))
    for file in (passwords, rules):
        file.chmod(0o600)
    broker = Mosquitto(tmp_path, f"password_file {passwords}", f"acl_file {rules}")
    broker.start()
    yield broker
    broker.end()


async def test_the_bus_works_within_the_rules_and_nobody_reads_more(guarded: Mosquitto) -> None:
    """A gateway asks the tables; other processes hear nothing of it, and none speaks as another."""
    another_life = encode(Packet("gateway.g1", 2**62, 0, []))
    told: list[tuple[str, bool]] = []
    heard: dict[str, list[str]] = {"tables.t2": [], "gateway.g2": []}
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as tasks:
        world = GuardedWorld(guarded, tasks)
        spies = {name: world.spy(name, topics) for name, topics in heard.items()}
        runs = [tasks.create_task(spy.run()) for spy in spies.values()]
        gateway, tables = map(world.join, ("gateway.g1", "tables.t1"))
        await world.met(gateway, tables)
        await world.until(
            lambda: all(f"{ROOT}/alive/tables.t1" in topics for topics in heard.values())
        )
        tables.handle("ask", lambda sender, request, reply: reply(b"QS"))
        answers: list[bytes | Failure] = []
        gateway.send("tables.t1", "ask", b"", answers.append, SECONDS)
        await world.until(lambda: answers == [b"QS"])
        spies["gateway.g2"].publish(f"{ROOT}/to/gateway.g1/gateway.g2", b"forged")
        spies["gateway.g2"].publish(f"{ROOT}/to/tables.t1/gateway.g2", b"not forged")
        await world.until(lambda: world.buses["tables.t1"].bad_packets == 1)
        assert world.buses["gateway.g1"].bad_packets == 0
        tables.on_presence(lambda peer, here: told.append((peer, here)))
        for topic in ("alive/gateway.g1", "to/tables.t1/gateway.g1", "to/tables.t1/gateway.g2"):
            spies["gateway.g2"].publish(f"{ROOT}/{topic}", another_life)
        await world.until(lambda: world.buses["tables.t1"].bad_packets == 2)
        assert told == []
        for run in runs:
            run.cancel()
        world.end()
    for user, topics in heard.items():
        others = {topic for topic in topics if not topic.startswith(f"{ROOT}/alive/")}
        assert {topic.rpartition("/")[0] for topic in others} <= {f"{ROOT}/to/{user}"}


async def test_no_other_password_throws_a_process_out(guarded: Mosquitto) -> None:
    """A broker ends the older of two connections with one identifier, whoever has the newer one."""
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as tasks:
        world = GuardedWorld(guarded, tasks)
        options = BusOptions(world.address("tables.t1"), ROOT, (TABLES,), "t1")
        loop = asyncio.get_running_loop()
        peer, other = (OwnPeer(options, TABLES, loop.time, loop.call_soon) for _ in range(2))
        runs = [tasks.create_task(peer.run())]
        await world.until(lambda: peer.connected)
        called = f"blackqueen-{peer.name}"
        for guess in (peer.name, called, world.address("gateway.g1").identifier(called)):
            thief = MqttCourier(world.address("gateway.g1"), guess, Random(guess), None, QUICK)
            runs.append(tasks.create_task(thief.run()))
            await world.until(lambda thief=thief: thief.connected)  # type: ignore[misc]
        assert "already connected" not in guarded.log()
        # The same process, started again: the broker notices at once that the old one is gone.
        runs.append(tasks.create_task(other.run()))
        await world.until(lambda: "already connected" in guarded.log())
        for run in runs:
            run.cancel()


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


def test_the_rules_of_emqx_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """What may be read and written by whom, and at the end that nothing else may be."""
    lines = list(emqx_lines(accesses(ROOT, {"tables": ["t1"], "gateway": ["g1"]})))
    assert lines == [
        '{allow, {user, "tables.t1"}, subscribe, ["house/to/tables.t1/+", "house/alive/+"]}.',
        '{allow, {user, "tables.t1"}, publish, '
        '["house/alive/tables.t1", "house/to/gateway.g1/tables.t1"]}.',
        '{allow, {user, "gateway.g1"}, subscribe, ["house/to/gateway.g1/+", "house/alive/+"]}.',
        '{allow, {user, "gateway.g1"}, publish, '
        '["house/alive/gateway.g1", "house/to/tables.t1/gateway.g1"]}.',
        "{deny, all}.",
    ]
    main(["house", "tables=t1", "gateway=g1", "--emqx"])
    assert capsys.readouterr().out.splitlines() == lines


def test_a_role_may_be_named_more_than_once(capsys: pytest.CaptureFixture[str]) -> None:
    """As by somebody who adds a process to the end of a line."""
    main(["house", "tables=t1", "gateway=g1", "gateway=g2"])
    apart = capsys.readouterr().out
    main(["house", "tables=t1", "gateway=g1,g2"])
    assert capsys.readouterr().out == apart
    assert {"user gateway.g1", "user gateway.g2"} <= set(apart.splitlines())


def test_a_process_with_several_roles_has_the_rules_of_each() -> None:
    """One user for all of them, who is called as its tables are; nobody else reads there."""
    first, second = accesses(ROOT, {"gateway,tables": ["n1"], "gateway": ["n2"]})
    assert (first.name, second.name) == ("tables.n1", "gateway.n2")
    assert first.reads == ("house/to/gateway.n1/+", "house/alive/+", "house/to/tables.n1/+")
    assert "house/to/gateway.n2/tables.n1" in first.writes
    assert "house/to/tables.n1/gateway.n2" in second.writes
    assert not any(topic.endswith("tables.n1") for topic in second.writes if "/to/" not in topic)


@pytest.mark.parametrize(
    "member",
    [
        "gateway,tables=t1",
        "bots=b1",
        "gateway=g 1",
        "gateway=g1,g1",
        "tables=t1",
        "gateway=",
        "gateway=#",
    ],
)
def test_what_is_no_process_has_no_rules(member: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown role, a name that fits into no topic, and one that comes twice."""
    with pytest.raises(SystemExit):
        main(["house", "tables=t1", member])
    assert "is no" in capsys.readouterr().err
