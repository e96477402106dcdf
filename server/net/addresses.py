"""The address of a client, for all limits by address.

    peer ── a proxy that the settings trust? ──no──▶ the peer's own address
                      │ yes
                      ▼
    X-Forwarded-For, read from the right, up to the first address that is no trusted proxy

Addresses further left were written by the client itself and are not believed.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from websockets.datastructures import Headers

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

SPEAKS_FOR = ("X-Forwarded-For", "Forwarded", "X-Real-IP")
"""The headers by which proxies say for whom they speak; the first one is read."""
IPV6_PREFIX = 64
"""What one subscriber is given at least, so that its addresses count as one."""


def client_address(peer: str, forwarded: Iterable[str], trusted: Sequence[Network]) -> str:
    """Return the address of the client behind `peer`.

    `forwarded` are the values of the request's X-Forwarded-For headers in their order. An entry
    that is no address ends the search at the proxy that added it.
    """
    address = _parsed(peer)
    if address is None:
        return peer
    hops = [hop.strip() for value in forwarded for hop in value.split(",")] if trusted else []
    while hops and any(address in network for network in trusted):
        hop = _parsed(hops.pop())
        if hop is None:
            break
        address = hop
    return str(address)


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Whether `peer` is a proxy whose X-Forwarded-For header is trusted."""
    address = _parsed(peer) if trusted else None
    return address is not None and any(address in network for network in trusted)


def unnamed_proxy(peer: str, headers: Headers, trusted: Sequence[Network]) -> str | None:
    """Return the address of an untrusted proxy that forwards clients; None if there is none.

    It must be near: anybody from elsewhere may send such a header, and an operator's proxy is
    rarely elsewhere.
    """
    address = _parsed(peer) if any(name in headers for name in SPEAKS_FOR) else None
    if address is None or not _is_near(peer) or any(address in net for net in trusted):
        return None
    return str(address)


def _is_near(address: str) -> bool:
    """Whether an address is of this machine, or of a network that is unreachable from elsewhere."""
    parsed = _parsed(address)
    return parsed is not None and not parsed.is_global


def is_here(peer: str, headers: Headers) -> bool:
    """Whether a client runs on this machine: it came without a proxy, and by a local name.

    An untrusted proxy on this machine has a local address too, whichever clients it forwards.
    """
    if any(name in headers for name in SPEAKS_FOR):
        return False
    return all(_is_local(name) for name in (peer, *headers.get_all("Host")))


def limited_as(address: str) -> str:
    """Return the key that limits by address use: for IPv6 the /64 network, else the address."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, IPV6_PREFIX), strict=False))
    return address if parsed is None else str(parsed)


def _is_local(name: str) -> bool:
    address = _parsed(name)
    if address is None:
        return name.partition(":")[0].lower() == "localhost"
    return address.is_loopback


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Address | None:
    """Return the address in `text`, which may have a port behind it; None if there is none."""
    host = text
    if text.startswith("["):
        host = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        host = text.partition(":")[0]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
