"""Bans: the players and addresses that an administrator keeps out.

A ban of an address is one of a network. IPv6 addresses count by their /64 network everywhere
(`server.net.addresses.limited_as`), so a ban of a smaller range bans the whole /64.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import TypeAlias

import structlog

from engine.facts import Value
from protocol.errors import ProtocolError
from server.refusals import refusal
from server.store import BanKey, BanRow, Store, StoreError

PLAYER, ADDRESS = "player", "address"
"""The kinds of a ban."""
IPV6_PREFIX = 64
AGAIN_SECONDS = 0.25

log = structlog.get_logger()

Network: TypeAlias = IPv4Network | IPv6Network


class Bans:
    """All bans in memory, including those that have ended but are not deleted yet."""

    def __init__(self) -> None:
        self._bans: dict[BanKey, BanRow] = {}
        # How many bans there are of networks of an IP version and a length of the prefix.
        self._sizes: defaultdict[tuple[int, int], int] = defaultdict(int)
        self._changes = 0

    def __len__(self) -> int:
        return len(self._bans)

    def __iter__(self) -> Iterator[BanRow]:
        return iter(tuple(self._bans.values()))

    def load(self, bans: Iterable[BanRow]) -> None:
        """Add all stored bans."""
        for ban in bans:
            self.put(ban)

    def put(self, ban: BanRow) -> None:
        """Add a ban, or replace the one of its subject."""
        self._changes += 1
        key = _key(ban)
        self._forget(key)
        self._bans[key] = ban
        if ban.kind == ADDRESS:
            self._sizes[_size(ban.subject)] += 1

    def lift(self, key: BanKey) -> bool:
        """Remove a ban; return False if there is none."""
        self._changes += 1
        return self._forget(key)

    def _forget(self, key: BanKey) -> bool:
        ban = self._bans.pop(key, None)
        if ban is None:
            return False
        if ban.kind == ADDRESS:
            size = _size(ban.subject)
            self._sizes[size] -= 1
            if not self._sizes[size]:
                del self._sizes[size]
        return True

    async def read_again(self, store: Store) -> None:
        """Read the stored bans, which another node may have changed."""
        before = None
        while before != self._changes:
            before = self._changes
            try:
                stored = await store.bans()
            except StoreError as error:
                log.warning("bans_not_read", reason=str(error))
                await asyncio.sleep(AGAIN_SECONDS)
                before = None
        known = set(self)
        for key in {_key(ban) for ban in known} - {_key(ban) for ban in stored}:
            self.lift(key)
        self.load(ban for ban in stored if ban not in known)

    def over(self, now: float) -> Iterable[BanKey]:
        """Return the bans that have ended."""
        return [key for key, ban in self._bans.items() if not _holds(ban, now)]

    def of_player(self, player: str, now: float) -> BanRow | None:
        """Return the present ban of a player, if there is one."""
        return self._now(BanKey(PLAYER, player), now)

    def of_address(self, address: str, now: float) -> BanRow | None:
        """Return the present ban of the smallest network with this address (or /64 network)."""
        network = _network(address) if self._sizes else None
        if network is None:
            return None
        for version, length in sorted(self._sizes, reverse=True):
            if version == network.version and length <= network.prefixlen:
                subject = str(network.supernet(new_prefix=length))
                if (ban := self._now(BanKey(ADDRESS, subject), now)) is not None:
                    return ban
        return None

    def _now(self, key: BanKey, now: float) -> BanRow | None:
        ban = self._bans.get(key)
        return ban if ban is not None and _holds(ban, now) else None


def network_of(text: str) -> str | None:
    """Return the network of an address or network in `text`; None if it is neither."""
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return None
    if isinstance(network, IPv6Network):
        mapped = _mapped(network)
        if mapped is not None:
            return str(mapped)
        if network.prefixlen > IPV6_PREFIX:
            return str(network.supernet(new_prefix=IPV6_PREFIX))
    return str(network)


def banned(ban: BanRow) -> ProtocolError:
    """Return the answer for a banned player."""
    until = "" if ban.until is None else f"{datetime.fromtimestamp(ban.until, UTC):%Y-%m-%d %H:%M}"
    args: dict[str, Value] = {
        "address": ban.kind != PLAYER,
        "limited": bool(until),
        "until": until and f"{until} UTC",
        "given": bool(ban.reason),
        "why": ban.reason.removesuffix("."),
    }
    return refusal("forbidden", "refused_banned", args)


def _mapped(network: IPv6Network) -> IPv4Network | None:
    """Return the IPv4 network that is written as one of IPv6."""
    address: IPv6Address = network.network_address
    if address.ipv4_mapped is None or network.prefixlen < 96:
        return None
    return IPv4Network((address.ipv4_mapped, network.prefixlen - 96))


def _key(ban: BanRow) -> BanKey:
    return BanKey(ban.kind, ban.subject)


def _holds(ban: BanRow, now: float) -> bool:
    return ban.until is None or now < ban.until


def _size(subject: str) -> tuple[int, int]:
    network = ip_network(subject)
    return network.version, network.prefixlen


@lru_cache(maxsize=1024)
def _network(address: str) -> Network | None:
    """Return the network of an address as limits count it; None if it is no address."""
    try:
        return ip_network(address, strict=False)
    except ValueError:
        return None
