"""Bans of addresses that affect more than the offender, which have to be confirmed."""

from ipaddress import ip_address, ip_network

from server.nodes.admin_errors import NOT_SURE, AdminError
from server.nodes.player_list import ConnectionCounts, is_in

WIDE = {4: 16, 6: 32}
"""A network with a shorter prefix is wide: more than one provider gives a customer."""
MANY = 5
"""So many connections are many, if they are most of those that there are."""
LOOPBACK = (ip_address("127.0.0.1"), ip_address("::1"))


def confirm(subject: str, hits: ConnectionCounts, own: str) -> None:
    """Raise `AdminError` if a ban of the network `subject`, with these `hits`, has to be confirmed.

    `own` is the address of the administrator, if known.
    """
    network = ip_network(subject)
    hit, connected = hits
    reasons = []
    if network.prefixlen < WIDE[network.version]:
        reasons.append("is a wide network")
    if any(address in network for address in LOOPBACK):
        reasons.append("is this machine, or everybody who comes by a proxy on it")
    if is_in(own, subject):
        reasons.append("is where you come from")
    if hit >= MANY and 2 * hit > connected:
        reasons.append("is most of those who are connected")
    if reasons:
        why = " and ".join(reasons)
        raise AdminError(
            NOT_SURE, f"{subject} {why}: the ban would close {hit} of {connected} connections"
        )
