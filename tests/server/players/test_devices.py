"""Further devices of a player: codes, tokens of their own, and revoking them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import structlog

from protocol.errors import ProtocolError
from protocol.version import CLOSE_REFUSED
from protocol.wire_form import WireForm
from server.names import hashed
from server.players import devices
from server.players.devices import Introduction
from server.store import Deletion, Write
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

Logged = list[structlog.typing.EventDict]


async def coded(client: TestClient) -> str:
    """A code for another device of this player."""
    return str((await client.ask("add_device"))["code"])


async def device(server: ServerHarness, code: str, name: str = "phone", **f: Any) -> TestClient:
    """A program that comes in by a code."""
    other = TestClient(server, client_id=name)
    await other.hello(**{"code": code, "device": name, "alongside": True, **f})
    return other


async def listed(client: TestClient) -> list[WireForm]:
    return [dict(each) for each in (await client.ask("devices"))["devices"]]


async def test_a_code_opens_one_device(tmp_path: Path) -> None:
    """A code opens one device with a token of its own, which lasts over a restart."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann")
        secret = await coded(ann)
        phone = await device(server, secret)
        assert phone.player == ann.player
        assert phone.token not in (None, ann.token)
        assert phone.tables[code].seat == 0
        thief = TestClient(server)
        assert (await thief.hello(code=secret))["code"] == "unauthorized"
        assert thief.closed() == (CLOSE_REFUSED, "unauthorized")
    async with open_server(tmp_path, now=server.now + 1) as server:
        for client in (phone, ann):
            assert (await client.reconnect(server, alongside=True))["player"] == ann.player
            assert client.tables[code].seat == 0


async def test_a_code_opens_its_device_again_if_the_answer_was_lost(tmp_path: Path) -> None:
    """A code can be used again until its device has come in by its token."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code, players = hashed(await coded(ann)), server.game_server.players
        for token in ("lost", "got"):
            come = Introduction("192.0.2.1", token, known=False, code=code, device="phone")
            assert (await players.identify(come)).id == ann.player
        with pytest.raises(ProtocolError, match="removed"):
            players.check(ann.player, "lost", "192.0.2.1")
        assert [each.get("name") for each in await listed(ann)].count("phone") == 1
        players.check(ann.player, "got", "192.0.2.1")
        await players.arrived("got")
        with pytest.raises(ProtocolError, match="not known any more"):
            await players.identify(come)
        code = hashed(await coded(ann))
        await players.identify(come._replace(code=code))
        await coded(ann)
        with pytest.raises(ProtocolError, match="not known any more"):
            await players.identify(come._replace(code=code, token="late"))


async def test_a_code_has_its_time(tmp_path: Path) -> None:
    """A code is valid for ten minutes, or until a newer one."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        first = await coded(ann)
        second = await coded(ann)
        await server.wait(devices.CODE_SECONDS - 1)
        assert (await TestClient(server).hello(code=first))["code"] == "unauthorized"
        assert (await device(server, second)).player == ann.player
        third = await coded(ann)
        await server.wait(devices.CODE_SECONDS)
        assert (await TestClient(server).hello(code=third))["code"] == "unauthorized"
        assert len({first, second, third}) == 3
        assert min(map(len, (first, second, third))) == 2 * devices.CODE_BYTES == 32


async def test_whose_a_code_is_can_be_asked_before(tmp_path: Path) -> None:
    """`whose_code` names the player of a valid code, which stays valid."""
    async with open_server(tmp_path) as server:
        ann, stranger = await server.client("Ann"), await server.client("Bea")
        secret = await coded(ann)
        told = await stranger.ask("whose_code", code=secret)
        assert (told["type"], told["name"]) == ("code_owner", "Ann")
        assert set(told) == {"type", "id", "name"}
        assert (await device(server, secret)).player == ann.player
        assert await stranger.refusal("whose_code", code=secret) == "unauthorized"
        assert await stranger.refusal("whose_code", code="guess") == "unauthorized"
        late = await coded(ann)
        await server.wait(devices.CODE_SECONDS)
        assert await stranger.refusal("whose_code", code=late) == "unauthorized"


async def test_asking_whose_a_code_is_costs_a_wrong_guess(tmp_path: Path) -> None:
    """Asking for a code's player counts as a wrong guess."""
    async with open_server(tmp_path) as server:
        ann, stranger = await server.client("Ann"), await server.client("Bea")
        secret = await coded(ann)
        for _ in range(devices.GUESSES):
            assert (await stranger.ask("whose_code", code=secret))["type"] == "code_owner"
        assert await stranger.refusal("whose_code", code="guess") == "rate_limited"
        assert (await TestClient(server).hello(code="guess"))["code"] == "rate_limited"
        assert (await stranger.ask("whose_code", code=secret))["name"] == "Ann"


async def test_wrong_codes_lock_out_nobody(tmp_path: Path) -> None:
    """After some wrong codes of an address further ones must wait, but not the right one."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        secret = await coded(ann)
        told = [(await TestClient(server).hello(code=f"guess{at}"))["code"] for at in range(12)]
        assert told == ["unauthorized"] * devices.GUESSES + ["rate_limited"] * 2
        assert (await TestClient(server).hello(code=secret))["player"] == ann.player
        far = TestClient(server, address="192.0.2.9")
        assert (await far.hello(code="guess"))["code"] == "unauthorized"


async def test_devices_are_listed(tmp_path: Path) -> None:
    """Devices are listed with program names and times, without secrets."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        assert [each["device"] for each in await listed(ann)] == [devices.FIRST]
        await server.wait(5000)
        phone = await device(server, await coded(ann))
        phone.disconnect()
        first, second = await listed(ann)
        assert first == {
            "device": devices.FIRST,
            "since": 1e6,
            "seen": 1e6,
            "this": True,
            "online": True,
        }
        assert second == {
            "device": second["device"],
            "name": "phone",
            "since": 1e6 + 5000,
            "seen": 1e6 + 5000,
        }
        await server.wait(devices.SEEN_SECONDS + 1)
        await phone.reconnect(alongside=True, device="tablet")
        assert (await listed(phone))[1]["name"] == "tablet"
        assert (await listed(phone))[1]["seen"] == server.now
        bea = await server.client("Bea")
        assert len(await listed(bea)) == 1


async def test_the_first_device_gets_a_name(tmp_path: Path) -> None:
    """The first device is named after its program."""
    async with open_server(tmp_path) as server:
        zoe = TestClient(server)
        await zoe.hello(name="Zoe", device="browser, Linux", alongside=True)
        assert [each["name"] for each in await listed(zoe)] == ["browser, Linux"]
        await server.wait(1)
        phone = await device(server, await coded(zoe))
        zoe.disconnect()
        assert [each["name"] for each in await listed(phone)] == ["browser, Linux", "phone"]
        _, (ann,) = await server.match_of("Ann")
        await ann.reconnect(device="laptop")
        await ann.reconnect(device="laptop")
        (only,) = await listed(ann)
        assert (only["name"], only["since"], only["this"]) == ("laptop", 1e6 + 1, True)


async def test_a_revoked_device_is_thrown_out(tmp_path: Path) -> None:
    """A revoked device is disconnected and its token invalid; others stay."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann")
        phone = await device(server, await coded(ann))
        named = (await listed(ann))[1]["device"]
        bea = await server.client("Bea")
        assert (await bea.ask("revoke_device", device=named))["type"] == "ok"
        assert phone.closed() is None
        assert (await ann.ask("revoke_device", device=named))["type"] == "ok"
        assert phone.received[-1]["code"] == "forbidden"
        assert phone.closed() == (CLOSE_REFUSED, "forbidden")
        assert (await phone.reconnect(alongside=True))["code"] == "unauthorized"
        assert [each["device"] for each in await listed(ann)] == [devices.FIRST]
        assert (await ann.ask("revoke_device", device=named))["type"] == "ok"
        assert ann.tables[code].seat == 0
    async with open_server(tmp_path, now=server.now + 100) as server:
        assert (await phone.reconnect(server))["code"] == "unauthorized"


async def test_the_first_token_can_be_revoked(tmp_path: Path) -> None:
    """The first token of a player can be revoked, for good."""
    for seated in (True, False):
        folder = tmp_path / str(seated)
        async with open_server(folder) as server:
            ann = await server.client("Ann")
            if seated:
                await ann.open_table()
            phone = await device(server, await coded(ann))
            assert (await phone.ask("revoke_device", device=devices.FIRST))["type"] == "ok"
            assert ann.closed() == (CLOSE_REFUSED, "forbidden")
            assert len(await listed(phone)) == 1
            await phone.open_table()
            await phone.reconnect(name="Anna", alongside=True)
            assert (await ann.reconnect())["code"] == "unauthorized"
        async with open_server(folder, now=server.now + 100_000) as server:
            assert (await ann.reconnect(server))["code"] == "unauthorized"
            assert (await phone.reconnect(server))["player"] == phone.player


async def test_a_handshake_under_way_is_refused_too(tmp_path: Path) -> None:
    """A token revoked during its handshake lets nobody in."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann")
        phone = await device(server, await coded(ann))
        named = (await listed(ann))[1]["device"]
        phone.disconnect()
        phone.connect(server)
        held, later = asyncio.Event(), asyncio.Event()

        async def hold(name: str) -> None:
            server.store.gate = None
            held.set()
            await later.wait()

        server.store.gate = hold
        async with asyncio.TaskGroup() as tasks:
            coming = tasks.create_task(phone.hello(alongside=True, resume={code: 1}))
            await held.wait()
            await ann.ask("revoke_device", device=named)
            later.set()
        assert coming.result()["code"] == "unauthorized"


async def test_a_player_has_a_bounded_number_of_devices(tmp_path: Path, monkeypatch: Any) -> None:
    """A player has a limited number of devices."""
    monkeypatch.setattr(devices, "MOST_DEVICES", 2)
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        await device(server, await coded(ann))
        assert await ann.refusal("add_device") == "forbidden"


async def test_a_forgotten_player_has_no_devices(tmp_path: Path) -> None:
    """A code of a guest who is gone opens nothing."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        secret = await coded(ann)
        server.game_server.guests._forget(ann.player)
        gone = Deletion(players=(ann.player,), unseen_since=server.now + 1)
        await server.store.save(Write(deleted=gone))
        assert (await TestClient(server).hello(code=secret))["code"] == "unauthorized"
        assert await ann.refusal("devices") == "unauthorized"


async def test_no_secret_is_logged(tmp_path: Path, log_events: Logged) -> None:
    """Codes, tokens and their hashes are not logged."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        secret = await coded(ann)
        phone = await device(server, secret)
        await TestClient(server).hello(code=secret)
        await ann.ask("revoke_device", device=(await listed(ann))[1]["device"])
        logged = str(log_events)
        assert {"device_added", "device_revoked"} <= {event["event"] for event in log_events}
        for word in (secret, str(phone.token), str(ann.token)):
            assert word not in logged
            assert hashed(word) not in logged
