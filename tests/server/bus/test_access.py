"""The generated access rules at a real Mosquitto: nobody reads for others or speaks as they."""

import asyncio
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from server.bus.access import accesses, emqx_lines, main, mosquitto_lines
from server.bus.broker import Broker
from server.bus.bus import Bus, Failure
from server.bus.mqtt import MqttCourier
from server.bus.over_courier import presence
from server.bus.packets import Packet, encode
from server.crossing.names import TABLES
from server.process_roles import BusOptions, OwnPeer
from tests.mosquitto import Mosquitto
from tests.needs import needs
from tests.server.bus.worlds import QUICK, MqttWorld

ROOT = "house"
MEMBERS = {"gateway": ["g1", "g2"], "tables": ["t1"], "bots": ["b1", "b2"]}
USERS = [access.name for access in accesses(ROOT, MEMBERS)]
SECONDS = 60.0
ASKED = "/".join((ROOT, "work", "hearts", "tables.t1"))


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
    """A gateway asks the tables, which ask a bot; other processes hear none.

    A worker can send nothing to a gateway, and no process can speak as another. A worker that does
    not share the topic of a group hears that something is offered there, and not what.
    """
    another_life = encode(Packet("gateway.g1", 2**62, 0, []))
    told: list[tuple[str, bool]] = []
    heard: dict[str, list[str]] = {"bots.b2": [], "gateway.g2": []}
    offered: list[bytes] = []
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as tasks:
        world = GuardedWorld(guarded, tasks)
        spies = {name: world.spy(name, topics) for name, topics in heard.items()}
        spies["bots.b2"].subscribe(ASKED, lambda topic, payload: offered.append(payload))
        runs = [tasks.create_task(spy.run()) for spy in spies.values()]
        gateway, tables, bots = map(world.join, ("gateway.g1", "tables.t1", "bots.b1"))
        await world.met(gateway, tables, bots)
        await world.until(
            lambda: all(f"{ROOT}/alive/tables.t1" in topics for topics in heard.values())
        )
        tables.handle("ask", lambda sender, request, reply: ask_bots(tables, reply))
        bots.work("hearts", lambda request, reply: reply(b"QS"))
        answers: list[bytes | Failure] = []
        while b"QS" not in answers:
            # A worker's subscription may not be there yet.
            gateway.send("tables.t1", "ask", b"", answers.append, SECONDS)
            asked = len(answers)
            await world.until(lambda asked=asked: len(answers) > asked)  # type: ignore[misc]
        spies["bots.b2"].publish(f"{ROOT}/to/gateway.g1/bots.b2", b"forged")
        spies["bots.b2"].publish(f"{ROOT}/to/tables.t1/bots.b2", b"not forged")
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
        kinds = {topic for topic in topics if not topic.startswith(f"{ROOT}/alive/")}
        assert {topic.rpartition("/")[0] for topic in kinds - {ASKED}} <= {f"{ROOT}/to/{user}"}
    assert ASKED not in heard["gateway.g2"]
    assert offered
    assert not any(b"?" in payload for payload in offered)


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
        for guess in (peer.name, called, world.address("bots.b1").identifier(called)):
            thief = MqttCourier(world.address("bots.b1"), guess, Random(guess), None, QUICK)
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


def ask_bots(tables: Bus[bytes], reply: Callable[[bytes], None]) -> None:
    """Ask a bot, and hand on what it says."""

    def told(answer: bytes | Failure) -> None:
        reply(answer if isinstance(answer, bytes) else answer.value.encode())

    tables.send_to_any("hearts", b"?", told, 1.0)


def test_the_rules_of_emqx_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """What may be read and written by whom, and at the end that nothing else may be."""
    lines = list(emqx_lines(accesses(ROOT, {"tables": ["t1"], "bots": ["b1"]})))
    assert lines == [
        '{allow, {user, "tables.t1"}, subscribe, ["house/to/tables.t1/+", "house/alive/+"]}.',
        '{allow, {user, "tables.t1"}, publish, '
        '["house/alive/tables.t1", "house/to/bots.b1/tables.t1", "house/work/+/tables.t1"]}.',
        '{allow, {user, "bots.b1"}, subscribe, '
        '["house/to/bots.b1/+", "house/alive/+", "house/work/+/+"]}.',
        '{allow, {user, "bots.b1"}, publish, '
        '["house/alive/bots.b1", "house/to/tables.t1/bots.b1"]}.',
        "{deny, all}.",
    ]
    main(["house", "tables=t1", "bots=b1", "--emqx"])
    assert capsys.readouterr().out.splitlines() == lines


def test_a_role_may_be_named_more_than_once(capsys: pytest.CaptureFixture[str]) -> None:
    """As by somebody who adds a process to the end of a line."""
    main(["house", "tables=t1", "bots=b1", "bots=b2"])
    apart = capsys.readouterr().out
    main(["house", "tables=t1", "bots=b1,b2"])
    assert capsys.readouterr().out == apart
    assert {"user bots.b1", "user bots.b2"} <= set(apart.splitlines())


def test_a_process_with_several_roles_has_the_rules_of_each() -> None:
    """One user for all of them, who is called as its tables are; nobody else reads there."""
    members = {"gateway,tables": ["n1"], "gateway,bots": ["n2"]}
    first, second = accesses(ROOT, members)
    assert (first.name, second.name) == ("tables.n1", "gateway.n2")
    assert first.reads == ("house/to/gateway.n1/+", "house/alive/+", "house/to/tables.n1/+")
    assert {"house/work/+/tables.n1", "house/to/gateway.n2/tables.n1"} <= set(first.writes)
    assert {"house/to/bots.n2/+", "house/work/+/+"} <= set(second.reads)
    assert "house/to/tables.n1/gateway.n2" in second.writes
    assert not any(topic.endswith("tables.n1") for topic in second.writes if "/to/" not in topic)
    (beside_bots,) = accesses(ROOT, {"tables,bots": ["n3"]})
    assert not any("/work/" in topic for topic in beside_bots.writes)


@pytest.mark.parametrize(
    "member",
    ["gateway,tables=t1", "cooks=c1", "bots=b 1", "bots=b1,b1", "tables=t1", "bots=", "bots=#"],
)
def test_what_is_no_process_has_no_rules(member: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown role, a name that fits into no topic, and one that comes twice."""
    with pytest.raises(SystemExit):
        main(["house", "tables=t1", member])
    assert "is no" in capsys.readouterr().err
