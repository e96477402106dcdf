"""Further devices of a player at several nodes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocol.errors import ProtocolError
from server.names import hashed
from server.players import devices
from server.players.devices import Introduction
from server.players.identities import Identities
from tests.server.client import TestClient
from tests.server.harness import ServerHarness
from tests.server.nodes.test_whole_nodes import ROAMS, roamer, two_nodes, url
from tests.server.players.test_devices import coded, listed
from tests.server.store.nodes import until

__all__ = ["url"]  # a fixture


def players_of(server: ServerHarness) -> Identities:
    return server.game_server.players


async def device(server: ServerHarness, code: str) -> TestClient:
    """A program that comes in by a code."""
    other = TestClient(server, client_id="phone")
    await other.hello(code=code, device="phone", alongside=True, **ROAMS)
    return other


async def test_a_code_works_at_any_node_once(url: str, tmp_path: Path) -> None:
    """A code works once, at any node, also for a new guest."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann, stranger = await roamer(a, "Ann"), await roamer(b, "Bea")
        secret = await coded(ann)
        assert (await stranger.ask("whose_code", code=secret))["name"] == "Ann"
        phone = await device(b, secret)
        assert phone.player == ann.player
        for server in (a, b):
            thief = TestClient(server)
            assert (await thief.hello(code=secret))["code"] == "unauthorized"
        assert [each.get("name") for each in await listed(ann)].count("phone") == 1
        # A new one at one node makes that of another useless.
        first = await coded(ann)
        second = await coded(phone)
        assert (await TestClient(b).hello(code=first))["code"] == "unauthorized"
        assert (await device(a, second)).player == ann.player


async def test_two_nodes_that_are_shown_a_code_at_once_let_one_in(url: str, tmp_path: Path) -> None:
    """Of two uses of a code at once only one gets a valid token."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann = await roamer(a, "Ann")
        code = hashed(await coded(ann))
        come = [
            Introduction("192.0.2.1", token, known=False, code=code, device=token) for token in "12"
        ]
        both = zip((a, b), come, strict=True)
        found = await asyncio.gather(
            *(players_of(server).identify(each) for server, each in both),
        )
        assert [each.id for each in found] == [ann.player] * 2
        kept = await a.store.devices(str(ann.player))
        assert len(kept) == 1
        (gone,) = {"1", "2"} - {kept[0].token_hash}

        def refuses(server: ServerHarness) -> bool:
            try:
                players_of(server).check(str(ann.player), gone, "192.0.2.1")
            except ProtocolError:
                return True
            return False

        await until(lambda: refuses(a) and refuses(b))


async def test_a_revoked_device_is_thrown_out_everywhere(url: str, tmp_path: Path) -> None:
    """A revoked device is disconnected everywhere within a renewal."""
    async with two_nodes(url, tmp_path) as (a, b):
        ann = await roamer(a, "Ann")
        phone = await device(b, await coded(ann))
        (named,) = [each["device"] for each in await listed(ann) if each.get("name")]
        assert (await ann.ask("revoke_device", device=named))["type"] == "ok"
        await until(lambda: phone.closed() is not None)
        for server in (a, b):
            assert (await phone.reconnect(server))["code"] == "unauthorized"
        assert ann.closed() is None


async def test_wrong_codes_count_at_all_nodes(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong codes count at all nodes."""
    monkeypatch.setattr(devices, "GUESSES", 2)

    async def guess(server: ServerHarness) -> Any:
        return (await TestClient(server, address="192.0.2.5").hello(code="guess"))["code"]

    async with two_nodes(url, tmp_path) as (a, b):
        assert [await guess(a) for _ in range(3)] == ["unauthorized"] * 2 + ["rate_limited"]
        wrong = b.game_server.for_administrators.requests
        await until(lambda: len(wrong._read) == 2)
        assert await guess(b) == "rate_limited"
