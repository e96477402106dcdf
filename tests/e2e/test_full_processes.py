"""Processes with several roles each, at a broker with the access rules that are made for them."""

import asyncio
import re
from collections.abc import Collection, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from deploy.cluster_secrets import PREFIX, Secrets
from protocol.connection import Client, connect
from protocol.version import VERSION
from server.bus.access import accesses
from server.bus.broker import Broker
from server.bus.mqtt import MqttCourier
from server.bus.over_courier import presence
from server.bus.topics import bare, matches
from server.crossing.names import process_name
from server.rendezvous import heir
from tests.e2e.cluster import ROLE_READY, until_ready
from tests.e2e.databases import on_postgresql
from tests.e2e.players import HASTY
from tests.e2e.processes import READY, Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.stored import table_at, url_of
from tests.e2e.test_cluster import too_many_of_an_address
from tests.e2e.test_cluster_faults import DEALS, PlayedTable
from tests.e2e.test_kill import MOVES_OF_A_DEAL
from tests.mosquitto import Mosquitto
from tests.raw_client import RawClient, raw_client, raw_socket

pytestmark = [pytest.mark.e2e, on_postgresql]

PAIRS = {"gateway,bots": "m1", "gateway,tables": "m2", "tables,bots": "m3"}
MEMBERS = {
    "gateway,tables,bots": ("n1", "n2"),
    "bots": ("b1",),
    **{roles: (node,) for roles, node in PAIRS.items()},
}
LINES = 60
"""What a player may say in a minute: more than a second passes before it is known elsewhere."""
FLAGS = (
    *("--messages-per-second", "1000", "--message-burst", "1000"),
    *("--max-connections-per-address", "6", "--chat-per-minute", str(LINES)),
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
        """A process with all roles, which comes in by its own password."""
        return await self._programs.serve(*self._flags("gateway,tables,bots", node))

    async def pair(self, roles: str) -> Server:
        """A process with two roles, with or without players, whose bots take time."""
        flags = self._flags(roles, PAIRS[roles], "--warm-bots")
        program = await self._programs.start_server(*flags, module="tests.e2e.slow_server")
        line = await program.line(lambda text: True)
        if ready := READY.match(line):
            return Server(program, ready[1], int(ready[2]), self._programs.data)
        found = ROLE_READY.match(line)
        assert found, f"{line!r}\n{program}"
        return Server(program, "", int(found[1]), self._programs.data)

    def _flags(self, roles: str, node: str, bots: str = "--plain-bots") -> tuple[str, ...]:
        user = process_name(roles.split(","), node)
        return (
            *("--roles", roles, "--node", node, bots, *FLAGS),
            *("--bus", f"mqtts://{user}@localhost:{self.broker.port}/{PREFIX}"),
            *("--bus-ca-file", str(self._secrets / "ca.crt")),
            *("--bus-password-file", str(self._secrets / f"{user}.password")),
        )

    async def until_all_hear(self, topic: str) -> None:
        """Wait until every spy has heard something that all may hear."""
        async with asyncio.timeout(SECONDS):
            while not all(  # noqa: ASYNC110 - they tell nobody
                f"{PREFIX}/{topic}" in topics for topics in self.heard.values()
            ):
                await asyncio.sleep(0.01)

    def used(self, peers: Collection[str]) -> tuple[set[str], set[str]]:
        """The topics that these have asked for, and those that they have written, by the log."""
        found: tuple[set[str], set[str]] = set(), set()
        for topics, line in zip(found, (SUBSCRIBED, PUBLISHED), strict=True):
            topics |= {
                bare(topic) for who, topic in line.findall(self.broker.log()) if who in peers
            }
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

    What a player or an address may do holds over both: they tell each other within the rules, too.
    """
    first, second = await asyncio.gather(guarded.whole("n1"), guarded.whole("n2"))
    await until_ready(first, second)
    # The second process is there already: somebody who has stolen its password comes in beside it.
    spies = [guarded.spy(user) for user in ("bots.b1", "tables.n2")]
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
        await too_many_of_an_address(first.url, second.url)
        for run in runs:
            run.cancel()
    stored = table_at(programs.data, table.code)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL * DEALS
    for log in table.logs:
        assert log.losses == 0
        log.check(stored)
    assert {topic.split("/")[1] for topic in guarded.heard["bots.b1"]} <= {"alive", "work"}
    sent = [topic for topic in guarded.heard["tables.n2"] if topic.startswith(f"{PREFIX}/to/")]
    assert {topic.split("/")[2] for topic in sent} == {"gateway.n2", "tables.n2"}
    for server in (first, second):
        await server.stop()


async def test_processes_with_two_roles_need_no_more_than_their_rules(
    programs: Programs, guarded: Guarded, rng: Random
) -> None:
    """Every pair of roles: a match goes over all of them, and each has what it may and needs it.

    Who has the password of one reads nothing that is for the others.
    """
    servers = await asyncio.gather(*map(guarded.pair, PAIRS))
    beside_bots, beside_tables, tables = servers
    await until_ready(*servers)
    for worker in (beside_bots, tables):
        await worker.program.complaint("bots_warmed")
    await beside_tables.program.complaint("bot_worker_here")
    users = {process_name(roles.split(","), node): roles for roles, node in PAIRS.items()}
    spies = [guarded.spy(user) for user in users]
    async with AsyncExitStack() as stack:
        spying = await stack.enter_async_context(asyncio.TaskGroup())
        runs = [spying.create_task(spy.run()) for spy in spies]
        await guarded.until_all_hear("alive/tables.m2")
        # Only tables without bots beside them ask others.
        host = await _at_home(stack, beside_bots, "tables.m2", ("tables.m2", "tables.m3"))
        guest = await stack.enter_async_context(connect(beside_tables.url, name="Bea"))
        table = PlayedTable([host, guest], rng)
        await table.open()
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        tasks.create_task(table.play())
        table.let(MOVES_OF_A_DEAL * DEALS)
        await table.goes_on(0)
        for run in runs:
            run.cancel()
    for log in table.logs:
        assert log.losses == 0
        log.check(table_at(programs.data, table.code))
    here = {f"{role}.{node}" for roles, node in PAIRS.items() for role in roles.split(",")}
    for user, roles in users.items():
        own = {f"{role}.{PAIRS[roles]}" for role in roles.split(",")}
        sent = {topic.split("/")[2] for topic in guarded.heard[user] if "/to/" in topic}
        assert sent <= own
        works = any("/work/" in topic for topic in guarded.heard[user])
        assert works == ("bots" in roles), (user, guarded.heard[user])
        (rule,) = (each for each in accesses(PREFIX, MEMBERS) if each.name == user)
        read, written = guarded.used(own)
        assert all(any(matches(may, topic) for may in rule.reads) for topic in read)
        assert all(any(matches(may, topic) for topic in read) for may in rule.reads)
        needed = [may for may in rule.writes if may.split("/")[2] in {*here, "+"}]
        assert [may for may in needed if not any(matches(may, topic) for topic in written)] == []
    assert "Denied PUBLISH from blackqueen-" not in guarded.broker.log()
    for server in servers:
        await server.stop()


async def _at_home(stack: AsyncExitStack, at: Server, node: str, nodes: Collection[str]) -> Client:
    """A player at a gateway whose tables are opened at one of the nodes."""
    while True:
        client = await stack.enter_async_context(connect(at.url, name="Ann"))
        player = client.session.player
        assert player is not None
        if heir(player, nodes) == node:
            return client


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
