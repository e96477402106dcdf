"""Preferences come along to a player's other devices."""

from pathlib import Path

from protocol.to_server.session import MAX_PREFERENCES
from tests.server.client import TestClient
from tests.server.harness import open_server

WINE = '{"felt": "wine"}'


async def test_preferences_come_along_to_another_device(tmp_path: Path) -> None:
    """What one device keeps another one of the player reads, also after a restart."""
    async with open_server(tmp_path) as server:
        _, (ann, bob) = await server.match_of("Ann", "Bob")
        assert "kept" not in await ann.ask("preferences")
        longest = "x" * MAX_PREFERENCES
        assert (await ann.ask("preferences", kept=longest))["kept"] == longest
        assert (await ann.ask("preferences", kept=WINE))["kept"] == WINE
        code = (await ann.ask("add_device"))["code"]
        phone = TestClient(server, client_id="phone")
        await phone.hello(code=code, device="phone", alongside=True)
        assert (await phone.ask("preferences"))["kept"] == WINE
        assert "kept" not in await bob.ask("preferences")
    async with open_server(tmp_path, now=server.now + 1) as server:
        await ann.reconnect(server, alongside=True)
        assert (await ann.ask("preferences"))["kept"] == WINE
        assert "kept" not in await ann.ask("preferences", kept="")


async def test_a_guest_leaves_none(tmp_path: Path) -> None:
    """Nothing is kept for a player who never had a seat."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        assert "kept" not in await ann.ask("preferences", kept="{}")
        assert await server.store.player(str(ann.player)) is None


async def test_what_is_too_long_or_no_ascii_is_refused(tmp_path: Path) -> None:
    """Preferences have at most 2 KiB, and no character that a database could not store."""
    async with open_server(tmp_path) as server:
        _, (ann,) = await server.match_of("Ann")
        for kept in ("x" * (MAX_PREFERENCES + 1), "\x00", "ä", "a\nb"):
            assert await ann.refusal("preferences", kept=kept) == "bad_message"
