"""What a player is told of the past is what they were entitled to at the time.

At a real socket a player changes seats after a match and asks again for what they have seen.
"""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from protocol.version import JSON, MSGPACK
from protocol.wire_form import WireForm
from tests.raw_client import RawClient
from tests.server.socket_server import SocketServer, open_socket_server


class Player:
    """One player at one table, with the facts that came with each entry."""

    def __init__(self, server: SocketServer, name: str, subprotocol: str) -> None:
        self.server = server
        self.name = name
        self.subprotocol = subprotocol
        self.token: str | None = None
        self.told: dict[int, Any] = {}
        self.last: WireForm = {}
        self._ids = 0

    async def enter(self, stack: AsyncExitStack, **hello: Any) -> list[WireForm]:
        """Connect and say hello; returns what comes with the welcome or for a resumed table."""
        self.raw: RawClient = await stack.enter_async_context(self.server.socket(self.subprotocol))
        self._ids += 1
        known = {} if self.token is None else {"token": self.token}
        await self.raw.send_message(
            {"type": "hello", "id": self._ids, "version": 1, "client": "c", "name": self.name}
            | known
            | hello
        )
        welcome, *rest = await self.raw.receive()
        self.token = welcome["token"]
        if "resume" in hello and not rest:
            rest = await self.raw.receive()
        return rest

    async def ask(self, type: str, **fields: Any) -> WireForm:
        """The answer to a command; events before it are recorded."""
        self._ids += 1
        await self.raw.send_message({"type": type, "id": self._ids, **fields})
        return await self._until(lambda message: message.get("id") == self._ids)

    async def play_to_the_end(self, table: str) -> None:
        """Make the first offered move whenever asked."""
        while True:
            question = self.last["question"]
            if "choices" in question:
                await self._move(table, question)
            elif not question.get("to_act"):
                return
            else:
                await self._until(lambda message: message["type"] == "event")

    async def _move(self, table: str, question: WireForm) -> None:
        action = question["choices"]["actions"][0]
        moved = await self.ask("act", table=table, turn=question["turn"], action=action)
        assert moved["type"] == "ok", moved

    async def _until(self, wanted: Any) -> WireForm:
        while True:
            found = None
            for message in await self.raw.receive():
                if message["type"] == "event":
                    self.told[message["seq"]] = message.get("facts", [])
                if message["type"] in ("event", "table") and "question" in message:
                    self.last = message
                if found is None and wanted(message):
                    found = message
            if found is not None:
                return found


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_new_seat_after_a_rematch_tells_nothing_of_its_last_hand(
    tmp_path: Path, subprotocol: str
) -> None:
    """A player who takes a bot's seat after a match is not told what the bot held."""
    async with open_socket_server(tmp_path) as server, AsyncExitStack() as stack:
        ann = Player(server, "Ann", subprotocol)
        await ann.enter(stack)
        opened = await ann.ask("create_table", game="schnapsen", seats=2, options={"target": 1})
        table = opened["table"]
        await ann.ask("start", table=table, fill=0)
        await ann.play_to_the_end(table)
        finished = max(ann.told)
        for command in ({"type": "rematch"}, {"type": "remove_bot", "seat": 1}):
            assert (await ann.ask(**command, table=table))["type"] == "ok"
        assert (await ann.ask("sit", table=table, seat=1))["type"] == "ok"
        for seen in range(finished):
            nothing_new(await ann.enter(stack, resume={table: seen}), ann)
    # The record of who sat where comes from the log, so it survives the server.
    async with open_socket_server(tmp_path) as server, AsyncExitStack() as stack:
        ann.server = server
        for seen in range(finished):
            nothing_new(await ann.enter(stack, resume={table: seen}), ann)


def nothing_new(told: list[WireForm], player: Player) -> None:
    """Check that events are as they were sent before, and a lobby's snapshot has no cards."""
    kinds = {message["type"] for message in told}
    assert kinds & {"event", "table"}
    for message in told:
        match message["type"]:
            case "event":
                assert message.get("facts", []) == player.told[message["seq"]], message
            case "table":
                assert message["seat"] == 1
                assert message["facts"] == []
                assert message["view"] == {}
