"""Chat during a lost connection: who is told it afterwards."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from server.sessions.chat_history import MOST_BYTES, MOST_LINES
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

FEATURES = ["legend", "chat.apart", "chat.earlier"]
APART = {"watchable": True, "spectator_chat": True}


async def client(server: ServerHarness, name: str) -> TestClient:
    """A client that asks for missed chat."""
    made = TestClient(server)
    await made.hello(name=name, features=FEATURES)
    return made


async def table_of(
    server: ServerHarness, *names: str, **settings: bool
) -> tuple[str, list[TestClient]]:
    """A table of Black Queen in its lobby, with these players."""
    players = [await client(server, name) for name in names]
    options = {"seats": 4, "settings": settings}
    code = await players[0].open_table(**options)
    for each in players[1:]:
        await each.ask("join", table=code)
    return code, players


async def say(speaker: TestClient, code: str, *lines: str) -> None:
    for text in lines:
        assert (await speaker.ask("chat", table=code, text=text))["type"] == "ok"


async def back(player: TestClient, **fields: Any) -> list[tuple[str, bool]]:
    """Reconnect; returns the chat that was told, each line with whether it is earlier."""
    player.new_messages()
    await player.reconnect(features=FEATURES, **fields)
    await player.server.settle()
    lines = player.new_messages("chat")
    return [(line["text"], line.get("earlier", False)) for line in lines]


def earlier(*texts: str) -> list[tuple[str, bool]]:
    return [(text, True) for text in texts]


def heard(player: TestClient, code: str) -> dict[str, list[int]]:
    """The last chat numbers that a client names in hello: for all, and apart."""
    numbers = [0, 0]
    for line in player.received:
        if line["type"] == "chat":
            numbers[line.get("apart", False)] = line["number"]
    return {code: numbers}


async def test_who_comes_back_is_told_what_was_said_meanwhile(tmp_path: Path) -> None:
    """A returning player is told the missed lines in order, marked as earlier, once."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await table_of(server, "Ann", "Bea")
        await say(ann, code, "one", "two")
        bea.disconnect()
        await say(ann, code, "three", "four")
        assert await back(bea, heard=heard(bea, code)) == earlier("three", "four")
        await say(ann, code, "five")
        assert [line["text"] for line in bea.new_messages("chat")] == ["five"]
        bea.disconnect()
        assert await back(bea, heard=heard(bea, code)) == []


async def test_another_seat_changes_nothing_of_what_is_told(tmp_path: Path) -> None:
    """A change of seat does not affect which missed lines are told."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await table_of(server, "Ann", "Bea")
        bea.disconnect()
        await say(ann, code, "one")
        await bea.reconnect(features=FEATURES)
        await bea.ask("sit", table=code, seat=3)
        bea.disconnect()
        await ann.ask("sit", table=code, seat=2)
        await say(ann, code, "two")
        assert await back(bea, heard=heard(bea, code)) == earlier("two")
        assert bea.tables[code].seat == 3


async def test_each_connection_is_told_what_it_has_missed(tmp_path: Path) -> None:
    """Each connection of a player is told what it has missed."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await table_of(server, "Ann", "Bea")
        phone = TestClient(server, client_id="phone")
        await phone.hello(token=bea.token, features=FEATURES, alongside=True)
        await say(ann, code, "one")
        phone.disconnect()
        await say(ann, code, "two")
        assert await back(phone, heard=heard(phone, code), alongside=True) == earlier("two")
        tablet = TestClient(server, client_id="tablet")
        assert await back(tablet, token=bea.token, alongside=True) == earlier("one", "two")


async def test_nobody_is_told_what_was_said_before_they_sat_down(tmp_path: Path) -> None:
    """Nobody is told chat from before they sat down or while they had left."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await table_of(server, "Ann", "Bea")
        await say(ann, code, "before")
        cid = await client(server, "Cid")
        assert await back(cid, resume={code: 0}, heard={code: [0, 0]}) == []
        await cid.ask("join", table=code)
        assert await back(cid) == []
        await say(ann, code, "after")
        assert await back(cid, resume={}, heard={}) == earlier("after")
        await cid.ask("leave", table=code)
        await say(ann, code, "between")
        await cid.ask("join", table=code)
        await say(ann, code, "again")
        assert await back(cid) == earlier("again")
        assert await back(bea) == earlier("before", "after", "between", "again")
        await ann.ask("kick", table=code, seat=1)
        await say(ann, code, "alone")
        assert await back(bea, resume={code: 1}) == []


async def test_spectators_lines_are_told_to_spectators_alone(tmp_path: Path) -> None:
    """Spectators' lines are told to spectators alone, from when each began to watch."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await table_of(server, "Ann", "Bea", **APART)
        walter, wanda = await client(server, "Walter"), await client(server, "Wanda")
        await walter.ask("watch", table=code)
        await say(walter, code, "early")
        await wanda.ask("watch", table=code)
        for each in (wanda, bea):
            each.disconnect()
        await say(ann, code, "to all")
        await say(walter, code, "apart")
        assert await back(bea) == earlier("to all")
        assert await back(wanda) == earlier("to all", "apart")
        stranger = await client(server, "Sam")
        assert await back(stranger, resume={code: wanda.tables[code].seq}) == []
        await wanda.ask("join", table=code)
        await say(walter, code, "more")
        assert await back(wanda) == []
        await walter.ask("leave", table=code)
        await walter.ask("watch", table=code)
        assert await back(walter) == []


async def test_a_player_cannot_tell_whether_spectators_have_spoken(tmp_path: Path) -> None:
    """A player's bytes do not depend on whether spectators have chatted."""

    async def world(folder: Path, *apart: str) -> Sequence[bytes | str]:
        async with open_server(folder) as server:
            code, (ann, bea) = await table_of(server, "Ann", "Bea", **APART)
            walter = await client(server, "Walter")
            await walter.ask("watch", table=code)
            bea.disconnect()
            await say(ann, code, "one")
            await say(walter, code, *apart)
            await say(ann, code, "two")
            names = {code: "CODE", bea.player: "PLAYER", str(bea.token): "TOKEN"}
            await back(bea, heard={code: [0, 0]})
            lines = [str(line) for line in bea.received if line["type"] in ("chat", "notice")]
            for known, name in names.items():
                lines = [line.replace(known, name) for line in lines]
            return lines

    assert await world(tmp_path / "one") == await world(tmp_path / "two", "she has it", "really")


async def test_what_is_kept_of_a_table_has_a_limit(tmp_path: Path) -> None:
    """A table's stored chat is limited in lines and bytes, and not kept over restarts."""
    async with open_server(tmp_path, chat_per_minute=1000) as server:
        code, (ann, bea) = await table_of(server, "Ann", "Bea")
        bea.disconnect()
        short = [str(number) for number in range(MOST_LINES + 5)]
        await say(ann, code, *short)
        assert await back(bea) == earlier(*short[5:])
        long = [f"{number} " + 490 * "x" for number in range(20)]
        await say(ann, code, *long)
        told = await back(bea, heard={})
        assert 10 < len(told) < MOST_BYTES / 490
        assert told == earlier(*long)[-len(told) :]
    async with open_server(tmp_path) as server:
        for each in (ann, bea):
            await each.reconnect(server, features=FEATURES)
        assert await back(bea, heard={}) == []
        await say(ann, code, "hello")
        assert await back(bea, heard={}) == earlier("hello")
        await bea.ask("leave", table=code)
        await ann.ask("leave", table=code)
        assert server.game_server.subscribers.chat._tables == {}


async def test_a_client_of_the_last_release_is_told_nothing_of_it(tmp_path: Path) -> None:
    """A client of the last release is told no missed chat."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await table_of(server, "Ann", "Bea")
        bea.disconnect()
        await say(ann, code, "one")
        await bea.reconnect(features=["legend", "chat.apart"])
        await server.settle()
        assert bea.new_messages("chat") == []
