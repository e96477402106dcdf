"""Bans: whom they concern, until when, and what the banned are told."""

import pytest

from server.players.bans import ADDRESS, PLAYER, Bans, banned, network_of
from server.store import BanKey, BanRow

NOW = 1_000_000.0


def ban(subject: str, kind: str = ADDRESS, until: float | None = None) -> BanRow:
    return BanRow(kind, subject, until, "spam", NOW)


@pytest.mark.parametrize(
    ("written", "subject"),
    [
        ("203.0.113.5", "203.0.113.5/32"),
        ("203.0.113.5/24", "203.0.113.0/24"),
        ("::ffff:203.0.113.5", "203.0.113.5/32"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::/48", "2001:db8::/48"),
        ("p1", None),
        ("Ann", None),
        ("203.0.113.500", None),
    ],
)
def test_an_address_is_a_network(written: str, subject: str | None) -> None:
    """A ban of an IPv6 address covers at least a subscriber's network."""
    assert network_of(written) == subject


@pytest.mark.parametrize(
    ("banned", "address", "concerned"),
    [
        ("203.0.113.5/32", "203.0.113.5", True),
        ("203.0.113.5/32", "203.0.113.6", False),
        ("203.0.113.0/24", "203.0.113.6", True),
        ("0.0.0.0/0", "198.51.100.1", True),
        ("0.0.0.0/0", "2001:db8::/64", False),
        ("2001:db8::/64", "2001:db8::/64", True),
        ("2001:db8::/48", "2001:db8:0:7::/64", True),
        ("2001:db8::/48", "2001:db8:1:7::/64", False),
        ("203.0.113.5/32", "", False),
        ("203.0.113.5/32", "no address", False),
    ],
)
def test_a_ban_concerns_the_addresses_of_its_network(
    banned: str, address: str, concerned: bool
) -> None:
    """A ban covers the addresses of its network, as limits count them."""
    bans = Bans()
    bans.put(ban(banned))
    assert (bans.of_address(address, NOW) is not None) == concerned


def test_a_ban_ends_with_its_time() -> None:
    """A ban ends with its time, and is then deleted."""
    bans = Bans()
    bans.put(ban("p1", PLAYER, until=NOW + 10))
    bans.put(ban("203.0.113.5/32", until=NOW + 20))
    bans.put(ban("p2", PLAYER))
    assert bans.of_player("p1", NOW + 9) is not None
    assert bans.of_player("p1", NOW + 10) is None
    assert bans.of_address("203.0.113.5", NOW + 20) is None
    assert bans.of_player("p2", NOW * 9) is not None
    assert list(bans.over(NOW + 10)) == [BanKey(PLAYER, "p1")]
    assert len(list(bans.over(NOW + 20))) == 2


def test_a_later_ban_takes_the_place_of_an_earlier_one() -> None:
    """A later ban replaces the earlier one of its subject, and lifting it leaves none."""
    bans = Bans()
    bans.put(ban("203.0.113.5/32", until=NOW + 1))
    bans.put(ban("203.0.113.5/32"))
    assert len(bans) == 1
    assert bans.of_address("203.0.113.5", NOW + 5) is not None
    assert bans.lift(BanKey(ADDRESS, "203.0.113.5/32"))
    assert not bans.lift(BanKey(ADDRESS, "203.0.113.5/32"))
    assert bans.of_address("203.0.113.5", NOW) is None
    assert list(bans) == []


def test_the_smallest_network_counts() -> None:
    """Of several bans of an address the smallest network's counts."""
    bans = Bans()
    bans.put(ban("0.0.0.0/0", until=NOW + 1))
    bans.put(ban("203.0.113.5/32"))
    found = bans.of_address("203.0.113.5", NOW)
    assert found is not None
    assert found.until is None


def test_the_banned_are_told_until_when_and_why() -> None:
    """The banned are told the end in UTC, and the reason if there is one."""
    assert banned(ban("p1", PLAYER, until=0.0)).reason == (
        "you are banned from this server until 1970-01-01 00:00 UTC: spam"
    )
    address = ban("203.0.113.5/32")._replace(reason="")
    assert banned(address).reason == "your address is banned from this server"
