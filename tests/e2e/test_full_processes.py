"""Processes with both roles each, at a broker with the access rules that are made for them."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from deploy.cluster_secrets import PREFIX, Secrets
from protocol.connection import connect
from protocol.version import VERSION
from server.bus.access import accesses
from server.bus.broker import Broker
from server.bus.mqtt import MqttCourier
from server.bus.over_courier import presence
from server.bus.topics import matches
from tests.e2e.cluster import until_ready
from tests.e2e.databases import on_postgresql
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.stored import table_at, url_of
from tests.e2e.test_cluster_faults import DEALS, PlayedTable
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.mosquitto import Mosquitto
from tests.raw_client import RawClient, raw_client, raw_socket

pytestmark = [pytest.mark.e2e, on_postgresql]

MEMBERS = {"gateway,tables": ("n1", "n2"), "gateway": ("g1",)}
LINES = 60
"""What a player may say in a minute: more than a second passes before it is known elsewhere."""
FLAGS = (
    *("--messages-per-second", "1000", "--message-burst", "1000"),
    *("--max-connections-per-address", "0", "--chat-per-minute", str(LINES)),
)

SUBSCRIBED = re.compile(r"^\d+: blackqueen-(\S+)-[0-9a-f]{16} 0 (\S+)$", re.MULTILINE)
PUBLISHED = re.compile(r" Received PUBLISH from blackqueen-(\S+)-[0-9a-f]{16} \(.*'(\S+)'")
"""What the broker's log says of a client: who it is, and the topic."""


class Guarded:
    """A broker with TLS, a password for each process and their rules; starts processes at it."""

    def __init__(self, folder: Path, programs: Programs) -> None:
        self.heard: dict[str, set[str]] = {}
        self._secrets = folder / "secrets"
        Secrets(self._secrets).make(MEMBERS)
        files = {"certfile": "broker.crt", "keyfile": "broker.key", "acl_file": "acl"}
        files["password_file"] = "passwords"
        told = ("log_type subscribe", "log_type debug")
        lines = [f"{word} {self._secrets / file}" for word, file in files.items()]
        self.broker = Mosquitto(folder, *lines, *told, scheme="mqtts")
        self._programs = programs

    async def whole(self, node: str) -> Server:
        """A process with both roles, which comes in by its own password."""
        return await self._programs.serve(
            *("--node", node, "--plain-bots", *FLAGS),
            *("--bus", f"mqtts://tables.{node}@localhost:{self.broker.port}/{PREFIX}"),
            *("--bus-ca-file", str(self._secrets / "ca.crt")),
            *("--bus-password-file", str(self._secrets / f"tables.{node}.password")),
        )

    async def until_all_hear(self, topic: str) -> None:
        """Wait until every spy has heard something that all may hear."""
        async with asyncio.timeout(SECONDS):
            while not all(  # noqa: ASYNC110 - they tell nobody
                f"{PREFIX}/{topic}" in topics for topics in self.heard.values()
            ):
                await asyncio.sleep(0.01)

    def used(self, node: str) -> tuple[set[str], set[str]]:
        """The topics that a process has asked for, and those that it has written, by the log."""
        found: tuple[set[str], set[str]] = set(), set()
        for topics, line in zip(found, (SUBSCRIBED, PUBLISHED), strict=True):
            peers = (f"gateway.{node}", f"tables.{node}")
            topics |= {topic for who, topic in line.findall(self.broker.log()) if who in peers}
        return found

    def spy(self, user: str) -> MqttCourier:
        """Somebody with the password of a process, who asks for every topic there is."""
        password = (self._secrets / f"{user}.password").read_text().strip()
        address = replace(
            Broker.at(f"mqtts://localhost:{self.broker.port}", self._secrets / "ca.crt"),
            user=user,
            password=password,
        )
        spy = MqttCourier(address, f"spy-{user}", Random(user), presence(PREFIX, user, 1))
        heard = self.heard[user] = set()
        spy.subscribe("#", lambda topic, payload: heard.add(topic))
        return spy


@pytest.fixture
def guarded(tmp_path: Path, programs: Programs) -> Iterator[Guarded]:
    guarded = Guarded(tmp_path, programs)
    guarded.broker.start()
    yield guarded
    guarded.broker.end()


async def test_two_processes_need_no_more_than_their_rules(
    programs: Programs, guarded: Guarded, rng: Random
) -> None:
    """A match is played from both; who has another's password reads nothing of it.

    Each may do what it needs, and no more. What a player may say holds over both: they
    tell each other within the rules, too.
    """
    first, second = await asyncio.gather(guarded.whole("n1"), guarded.whole("n2"))
    await until_ready(first, second)
    # The second process is there already: somebody who has stolen its password comes in beside it.
    spies = [guarded.spy(user) for user in ("gateway.g1", "tables.n2")]
    async with AsyncExitStack() as stack:
        spying = await stack.enter_async_context(asyncio.TaskGroup())
        runs = [spying.create_task(spy.run()) for spy in spies]
        await guarded.until_all_hear("alive/tables.n1")
        clients = [
            await stack.enter_async_context(connect(server.url, name=who, patience=HASTY))
            for who, server in (("Ann", first), ("Bea", second))
        ]
        table = PlayedTable(clients, rng)
        await table.open()
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        tasks.create_task(table.play())
        table.let(MOVES_OF_A_DEAL * DEALS)
        await table.goes_on(0)
        await _one_allowance_of_chat(programs, first, second)
        for run in runs:
            run.cancel()
    stored = table_at(programs.data, table.code)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
    for log in table.logs:
        assert log.losses == 0
        log.check(stored)
    assert {topic.split("/")[1] for topic in guarded.heard["gateway.g1"]} == {"alive"}
    sent = [topic for topic in guarded.heard["tables.n2"] if topic.startswith(f"{PREFIX}/to/")]
    assert {topic.split("/")[2] for topic in sent} == {"gateway.n2", "tables.n2"}
    here = {f"{role}.{node}" for role in ("gateway", "tables") for node in ("n1", "n2")}
    for node in ("n1", "n2"):
        (rule,) = (each for each in accesses(PREFIX, MEMBERS) if each.name == f"tables.{node}")
        read, written = guarded.used(node)
        assert all(any(matches(may, topic) for may in rule.reads) for topic in read)
        assert all(any(matches(may, topic) for topic in read) for may in rule.reads)
        needed = [may for may in rule.writes if may.split("/")[2] in here]
        assert [may for may in needed if not any(matches(may, topic) for topic in written)] == []
    assert "Denied PUBLISH from blackqueen-" not in guarded.broker.log()
    for server in (first, second):
        await server.stop()


async def _one_allowance_of_chat(programs: Programs, first: Server, second: Server) -> None:
    """What a player has said at a table of one process counts at a table of the other."""
    url = url_of(programs.data).replace("+psycopg", "")
    async with AsyncExitStack() as stack:
        ann = host = await stack.enter_async_context(raw_client(first.url))
        codes: dict[object, str] = {}
        with psycopg.connect(url, autocommit=True) as asking:
            # A player's first table is at either process, wherever their connection is.
            for number in range(2, 100):
                code = (await host.ask("create_table", game="hearts"))["table"]
                row = asking.execute("SELECT owner FROM tables WHERE code = %s", (code,)).fetchone()
                codes.setdefault(row, code)
                if len(codes) == 2:
                    break
                # An address has few connections.
                coming = raw_client(second.url, address=f"127.0.1.{number}")
                host = await stack.enter_async_context(coming)
        own, other = codes.values()
        code = (await ann.ask("add_device"))["code"]
        async with raw_socket(second.url) as phone:
            beside: dict[str, Any] = {"client": "phone", "device": "phone", "alongside": True}
            welcome = await phone.ask("hello", version=VERSION, code=code, **beside)
            assert welcome["player"] == ann.welcome["player"]
            assert (await phone.ask("join", table=other))["type"] == "ok"
            assert await _said(ann, own) >= LINES
            assert await _said(phone, other, pause=0.1) < LINES / 2


async def _said(client: RawClient, table: str, pause: float = 0.0) -> int:
    """How many lines a player may say at a table, one after the other, until they have to wait."""
    for lines in range(3 * LINES):
        answer = await client.ask("chat", table=table, text="hello")
        if answer["type"] == "error":
            assert answer["code"] == "rate_limited", answer
            return lines
        await asyncio.sleep(pause)
    raise AssertionError("there is no limit")
