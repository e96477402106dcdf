"""Bans of addresses that need a confirmation."""

from pathlib import Path

import pytest

from server.admin.answers import Banned
from server.admin.requests import Ban
from server.admin.wide_bans import confirm
from server.nodes.admin_errors import AdminError
from server.nodes.player_list import hits
from tests.server.admin.asking import ask
from tests.server.harness import open_server

CROWD = [f"198.51.100.{number}" for number in range(20)]


@pytest.mark.parametrize(
    ("subject", "connected", "says"),
    [
        ("0.0.0.0/0", CROWD, "is a wide network and is this machine"),
        ("::/0", ["2001:db8::/64"], "1 of 1 connections"),
        ("198.0.0.0/8", ["198.51.100.1", "203.0.113.1"], "is a wide network: .* 1 of 2"),
        (
            "2001::/16",
            [],
            "is a wide network and is where you come from: the ban would close 0 of 0",
        ),
        ("127.0.0.1/32", [], "is this machine, or everybody who comes by a proxy on it"),
        ("203.0.113.0/24", [], "is where you come from"),
        ("2001:db8:1:2::/64", [], "is where you come from"),
        ("198.51.100.0/24", CROWD, "is most of those who are connected: .* 20 of 20"),
        ("172.17.0.1/32", ["172.17.0.1"] * 6 + CROWD[:5], "6 of 11 connections"),
    ],
)
def test_a_ban_that_hits_many_is_not_made_at_once(
    subject: str, connected: list[str], says: str
) -> None:
    own = "2001:db8:1:2::7" if ":" in subject else "203.0.113.7"
    with pytest.raises(AdminError, match=says):
        confirm(subject, hits(subject, connected), own)


@pytest.mark.parametrize(
    ("subject", "connected"),
    [
        ("198.51.100.1/32", CROWD),
        ("198.51.0.0/16", ["198.51.100.1"] * 4),
        ("198.51.100.0/24", [*CROWD, *["192.0.2.1"] * 20]),
        ("2001:db8::/32", ["no address"]),
    ],
)
def test_other_bans_are(subject: str, connected: list[str]) -> None:
    for own in ("", "203.0.113.7", "no address"):
        confirm(subject, hits(subject, connected), own)


async def test_who_is_sure_bans_them_all_the_same(tmp_path: Path) -> None:
    """A wide ban has no effect until it is confirmed."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        with pytest.raises(AdminError, match="would close 1 of 1 connections"):
            await ask(server, Ban(subject="0.0.0.0/0"), Banned)
        assert (ann.closed(), list(server.game_server.bans)) == (None, [])
        banned = await ask(server, Ban(subject="0.0.0.0/0", yes=True), Banned)
        assert [each.player for each in banned.kicked] == [ann.player]
        assert ann.closed() == (4001, "forbidden")
