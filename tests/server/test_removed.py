"""Players removed from a table: what they are told, and who may sit down from their address."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from protocol.to_server import ToServer
from protocol.wire_form import WireForm
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

HOME, ELSEWHERE = "192.0.2.7", "198.51.100.9"
FIELDS: dict[str, Any] = {
    "seat": 0,
    "turn": 1,
    "action": "play QS",
    "request": 1,
    "text": "hello",
    "strength": 0,
    "after": 0,
    "options": {},
    "code": "abc",
    "token": "abc",
}
"""What the fields of commands hold that have no default."""


async def come(server: ServerHarness, name: str, address: str = ELSEWHERE) -> TestClient:
    """A new player from an address."""
    client = TestClient(server, address=address)
    await client.hello(name=name)
    return client


async def removed(
    server: ServerHarness, in_match: bool = False, **fields: Any
) -> tuple[str, TestClient, TestClient]:
    """A table, its host, and a player whom the host has removed."""
    host = await come(server, "Ann")
    code = await host.open_table(**fields)
    bob = await come(server, "Bob", HOME)
    await bob.ask("join", table=code)
    if in_match:
        await host.ask("start", table=code, fill=0)
    await host.ask("kick", table=code, seat=1)
    return code, host, bob


def asked_at(code: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every command about a table, with values for each field."""
    for kind in get_args(get_args(ToServer)[0]):
        fields = kind.model_fields
        if "table" not in fields:
            continue
        needed = [name for name, field in fields.items() if field.is_required() and name != "id"]
        yield fields["type"].default, {**{each: FIELDS.get(each) for each in needed}, "table": code}


@pytest.mark.parametrize("in_match", [False, True], ids=["lobby", "match"])
async def test_nothing_after_their_removal_is_told_to_them(tmp_path: Path, in_match: bool) -> None:
    """A removed player is told nothing of the table after their removal."""
    async with open_server(tmp_path) as server:
        code, host, bob = await removed(server, in_match, settings={"latecomers": "anyone"})
        last = server.state(code).seq
        zoe = await come(server, "Zoe")
        assert (await zoe.ask("join", table=code))["type"] == "ok"
        if not in_match:
            await host.ask("start", table=code, fill=0)
        bob.new_messages()
        answers = {type: await bob.ask(type, **fields) for type, fields in asked_at(code)}
        assert {type for type, each in answers.items() if each["type"] != "error"} == {"log"}
        for answer in (answers["watch"], answers["join"]):
            assert answer["phrase"]["code"] == "removed"
        assert (await bob.ask("my_tables"))["tables"] == []
        bob.disconnect()
        await bob.reconnect(resume={code: last - 1})
        assert {"type": "closed", "table": code, "reason": "kicked"} in bob.received
        assert not {"event", "table", "presence", "chat", "notice"}.intersection(
            each["type"] for each in bob.new_messages()
        )
        assert "Zoe" not in str(bob.received)


async def test_they_keep_what_they_saw(tmp_path: Path) -> None:
    """A removed player's log has everything up to their removal."""
    async with open_server(tmp_path) as server:
        code, host, bob = await removed(server, in_match=True)
        while server.state(code).phase == "playing":
            if not host.tables[code].my_turn:
                await server.wait(1)
                continue
            await host.move(code)
        page = await bob.ask("log", table=code, size=200)
        last = page["entries"][-1]["seq"]
        assert page["last"] == last < server.state(code).seq
        assert next(fact["verb"] for fact in page["entries"][-1]["facts"]) == "player_kicked"
        own = [fact for each in page["entries"] for fact in each.get("facts", ())]
        assert any("hand/1" in str(fact) for fact in own)
        other = await bob.ask("log", table=code, size=200, seat=0)
        assert other["entries"] == page["entries"]
        assert await bob.refusal("review", table=code) == "wrong_phase"
        assert (await host.ask("log", table=code, seat=1))["last"] > last


async def asks_the_host(server: ServerHarness, code: str, who: TestClient) -> WireForm:
    answer = await who.ask("join", table=code)
    await server.settle()
    return answer


@pytest.mark.parametrize("in_match", [False, True], ids=["lobby", "match"])
async def test_somebody_new_from_there_sits_down_only_if_the_host_says_so(
    tmp_path: Path, in_match: bool
) -> None:
    """A new player from a removed player's address needs the host's admission."""
    settings = {"latecomers": "anyone"}
    async with open_server(tmp_path) as server:
        code, host, bob = await removed(server, in_match, seats=3, settings=settings)
        bob.disconnect()
        again = await come(server, "Rob", HOME)
        asked = await asks_the_host(server, code, again)
        assert asked["type"] == "asked"
        (told,) = host.new_messages("notice")[-1:]
        assert (told["kind"], told["name"], told["same_address"]) == ("latecomer", "Rob", True)
        assert server.state(code).seat_of(again.player) is None
        zoe = await come(server, "Zoe")
        assert (await zoe.ask("join", table=code, seat=1 if in_match else None))["type"] == "ok"
        assert (await host.ask("admit", table=code, request=asked["request"]))["type"] == "ok"
        assert server.state(code).seat_of(again.player) is not None


async def test_who_sat_there_before_is_not_asked_for_again(tmp_path: Path) -> None:
    """A player who sat there before needs no admission."""
    async with open_server(tmp_path) as server:
        host = await come(server, "Ann")
        code = await host.open_table(seats=3)
        bob, cid = [await come(server, name, HOME) for name in ("Bob", "Cid")]
        await bob.ask("join", table=code)
        await cid.ask("join", table=code)
        await host.ask("kick", table=code, seat=1)
        await cid.ask("leave", table=code)
        assert (await cid.ask("join", table=code))["type"] == "ok"


async def test_where_they_came_from_counts_however_they_left(tmp_path: Path) -> None:
    """The address counts also for players who disconnected before their removal."""
    async with open_server(tmp_path) as server:
        host = await come(server, "Ann")
        code = await host.open_table()
        bob = await come(server, "Bob", HOME)
        await bob.ask("join", table=code)
        bob.disconnect()
        await host.ask("kick", table=code, seat=1)
        again = await come(server, "Rob", HOME)
        assert (await again.ask("join", table=code))["type"] == "asked"


async def test_a_request_before_the_match_ends_with_that_time(tmp_path: Path) -> None:
    """A request before the match ends when it begins, or with the last free seat."""
    for ends in ("start", "join"):
        async with open_server(tmp_path / ends) as server:
            code, host, _bob = await removed(server)
            again = await come(server, "Rob", HOME)
            await again.ask("join", table=code)
            if ends == "start":
                await host.ask("start", table=code, fill=0)
            else:
                await (await come(server, "Zoe")).ask("join", table=code)
            (notice,) = [each for each in again.new_messages("notice") if "reason" in each]
            assert notice["reason"] == ("over" if ends == "start" else "full")
