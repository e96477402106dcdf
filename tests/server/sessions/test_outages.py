"""Outages: who is told that nothing can be saved, when, and how often."""

from pathlib import Path

from protocol.wire_form import WireForm
from server.sessions.outages import PATIENCE_SECONDS
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

BEGINS: WireForm = {"type": "notice", "kind": "outage"}
IS_OVER: WireForm = {"type": "notice", "kind": "outage_over"}
WHY = "the disk is full"


async def asking(server: ServerHarness, name: str) -> TestClient:
    """A player whose program asks to be told of outages."""
    client = TestClient(server)
    await client.hello(name=name, features=["notice.outage"])
    return client


def begin(server: ServerHarness) -> None:
    """Begin an outage long enough to be told."""
    server.game_server.outages.look(WHY)
    server.now += PATIENCE_SECONDS
    server.game_server.outages.look(WHY)


async def test_everybody_who_asked_is_told_of_an_outage_once(tmp_path: Path) -> None:
    """Everybody who asked is told once of an outage and once of its end."""
    async with open_server(tmp_path) as server:
        ann, old = await asking(server, "Ann"), await server.client("Old")
        begin(server)
        server.game_server.outages.look(WHY)
        assert ann.new_messages("notice") == [BEGINS]
        server.game_server.outages.look("")
        server.game_server.outages.look("")
        assert ann.new_messages("notice") == [IS_OVER]
        assert old.new_messages("notice") == []
        begin(server)
        assert ann.new_messages("notice") == [BEGINS]


async def test_a_short_pause_is_told_to_nobody(tmp_path: Path) -> None:
    """Short outages are not told, however many."""
    async with open_server(tmp_path) as server:
        ann = await asking(server, "Ann")
        for why in (WHY, "", WHY, ""):
            server.game_server.outages.look(why)
            server.now += PATIENCE_SECONDS - 0.1
        assert ann.new_messages("notice") == []


async def test_who_comes_in_during_an_outage_is_told_after_the_welcome(tmp_path: Path) -> None:
    """A client that comes in during an outage is told after its welcome, and of its end."""
    async with open_server(tmp_path) as server:
        begin(server)
        bea, old = await asking(server, "Bea"), await server.client("Old")
        assert [each["type"] for each in bea.new_messages()] == ["welcome", "notice"]
        server.game_server.outages.look("")
        cem = await asking(server, "Cem")
        assert bea.new_messages("notice") == [IS_OVER]
        assert cem.new_messages("notice") == old.new_messages("notice") == []
