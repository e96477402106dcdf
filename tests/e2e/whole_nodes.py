"""Starts whole servers that share a database, and players whose connections are recorded."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.client import RemoteDisconnected
from random import Random
from typing import Any

from protocol.features import MOVED
from protocol.version import VERSION
from protocol.wire_form import WireForm
from tests.e2e.processes import Programs, Server, free_port
from tests.e2e.program import SECONDS
from tests.e2e.test_disk import ready
from tests.raw_client import RawClient, raw_socket

FLAGS = (
    *("--admin", "--plain-bots", "--address-pages-per-second", "0"),
    *("--max-lobby-tables-per-address", "0", "--max-connections-per-address", "0"),
    *("--address-connections-per-second", "1000", "--address-connection-burst", "1000"),
)
ROAMS = (MOVED, "unchanged")
"""What a client names that goes where its tables are."""


class Nodes:
    """The nodes of one database, each with a path of its own, and the players there.

    All nodes start with these `flags`, and with the flags in `own` under their name.
    """

    def __init__(self, programs: Programs, rng: Random, *flags: str) -> None:
        self._programs = programs
        self._rng = rng
        self._flags = (*FLAGS, *flags)
        self.own: dict[str, tuple[str, ...]] = {}
        self.servers: dict[str, Server] = {}
        self.urls: dict[str, str] = {}
        self.tokens: dict[str, str] = {}

    async def begin(self, *names: str) -> None:
        """Start nodes of these names side by side, known ones with their earlier settings."""
        await asyncio.gather(*map(self._begin, names))

    async def _begin(self, name: str) -> None:
        before = self.servers.get(name)
        port = free_port(self._rng) if before is None else before.port
        self.urls[name] = f"ws://127.0.0.1:{port}/n/{name}/"
        url = ("--node-url", self.urls[name])
        folder = self._programs.data / name
        flags = (*url, *self._flags, *self.own.get(name, ()))
        self.servers[name] = await self._programs.serve(*flags, port=port, data=folder)

    def name_at(self, url: str) -> str:
        """Return the node at an address."""
        return next(name for name, each in self.urls.items() if each == url)

    async def has(self, node: str, code: str) -> bool:
        """Whether a node has a table, according to its answer to a client."""
        async with self.player("Eve", node) as eve:
            return bool((await eve.ask("watch", 2, table=code))["type"] == "ok")

    @asynccontextmanager
    async def player(
        self, who: str, node: str, features: tuple[str, ...] = ROAMS, **resume: int
    ) -> AsyncIterator["Player"]:
        """Return a player at a node, by the address for clients; one object per player."""
        async with raw_socket(self.urls[node]) as raw:
            known = self.tokens.get(who)
            player = Player(raw)
            fields = {"token": known} if known else {}
            more = {"resume": resume, "features": features, **fields}
            player.welcome = await player.ask(
                "hello", id=1, version=VERSION, client="raw", name=who, **more
            )
            self.tokens[who] = player.welcome["token"]
            yield player


class Player:
    """A player's connection, with all received messages that were not looked at yet."""

    def __init__(self, raw: RawClient) -> None:
        self._raw = raw
        self._came: list[WireForm] = []
        self.welcome: WireForm = {}

    async def ask(self, type: str, id: int, **fields: Any) -> WireForm:
        """Send a command and return its answer."""
        await self.send(type, id, **fields)
        return await self.told(id=id)

    async def send(self, type: str, id: int, **fields: Any) -> None:
        """Send a command that may get no answer."""
        await self._raw.send_message({"type": type, "id": id, **fields})

    async def told(self, **wanted: object) -> WireForm:
        """Return the first message with these fields."""
        while True:
            for at, message in enumerate(self._came):
                if wanted.items() <= message.items():
                    del self._came[at]
                    return message
            self._came += await self._raw.receive()

    async def opens_table(self) -> str:
        """Open a table for two players and return its code."""
        opened = await self.ask("create_table", 2, game="black_queen", seats=2)
        code: str = opened["table"]
        return code

    async def plays(self, code: str, moves: int) -> None:
        """Make this many moves at a table against a bot."""
        for _ in range(moves):
            asked = (await self.question())["question"]
            action = asked["choices"]["actions"][0]
            move = {"table": code, "turn": asked["turn"], "action": action}
            answer = await self.ask("act", 100 + asked["turn"], **move)
            assert answer["type"] == "ok", answer

    async def question(self) -> WireForm:
        """Return the next event or snapshot in which this player is to move."""
        while True:
            for at, message in enumerate(self._came):
                if (message.get("question") or {}).get("choices"):
                    del self._came[at]
                    return message
            self._came += await self._raw.receive()

    async def closed(self) -> tuple[int, str]:
        return await self._raw.closed()


async def until_ready(*servers: Server) -> None:
    """Wait until all of these report that games can be played; retry those that hang up."""
    async with asyncio.timeout(SECONDS):
        for server in servers:
            while not await _is_ready(server):
                pass


async def _is_ready(server: Server) -> bool:
    try:
        return (await ready(server))[0] == 200
    except RemoteDisconnected:
        return False
