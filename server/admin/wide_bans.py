"""Bans of addresses that hit more than the one who misbehaves: they have to be confirmed."""

from collections.abc import Sequence
from ipaddress import ip_address, ip_network

from server.admin.errors import NotSure

WIDE = {4: 16, 6: 32}
"""A network with a shorter prefix is wide: more than one provider gives a customer."""
MANY = 5
"""So many connections are many, if they are most of those that there are."""
LOOPBACK = (ip_address("127.0.0.1"), ip_address("::1"))


def confirm(subject: str, connected: Sequence[str], own: str) -> None:
    """`NotSure` if a ban of the network `subject` has to be confirmed.

    `connected` are the addresses of connections, `own` is that of the administrator, if known.
    """
    network = ip_network(subject)
    hit = sum(_is_in(address, subject) for address in connected)
    reasons = []
    if network.prefixlen < WIDE[network.version]:
        reasons.append("is a wide network")
    if any(address in network for address in LOOPBACK):
        reasons.append("is this machine, or everybody who comes by a proxy on it")
    if _is_in(own, subject):
        reasons.append("is where you come from")
    if hit >= MANY and 2 * hit > len(connected):
        reasons.append("is most of those who are connected")
    if reasons:
        raise NotSure(
            f"{subject} {' and '.join(reasons)}: the ban would close {hit} of "
            f"{len(connected)} connections"
        )


def _is_in(address: str, subject: str) -> bool:
    """Whether an address, or one of the network that stands for it, is in a network."""
    network = ip_network(subject)
    try:
        own = ip_network(address, strict=False)
    except ValueError:
        return False
    if own.version == network.version:
        return own.overlaps(network)
    return False
