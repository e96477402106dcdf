"""Shares of a server's places: the limits for one address, and for one network.

    all places ──▶ each address has a few of its own (`own`), however full the server is
             └──▶ a quarter (`shared`) is for those that want more: each may take as many of these
                  as are left in it then, so the first gets half of it, a second one a quarter …

So one address has an eighth of a large server and its own few, and twelve of them have less than a
half, whatever they do. A network (IPv4: /24, IPv6: /48) has a quarter at most. In a server of less
than 400 places the few are more than a fiftieth, and only the quarter is sure.
"""

from collections import Counter
from functools import lru_cache
from ipaddress import ip_network
from typing import Literal, TypeAlias

OWN_PART = 50
LEAST_OWN = 8
"""So many places each address has of its own, also where a fiftieth is less."""
QUARTER = 4
NETWORK_WEIGHT = 8
"""What a network has weighs as much as if one address had an eighth of it: providers put many
people into one network."""
IPV4_NETWORK, IPV6_NETWORK = 24, 48

Lack: TypeAlias = Literal["address", "network", "house", ""]
"""What has no place left, the narrowest first; "" if there is one."""


class Shares:
    """The shares of a server with `most` places."""

    def __init__(self, most: int) -> None:
        self.quarter = max(1, most // QUARTER)
        self.own = min(self.quarter, max(LEAST_OWN, most // OWN_PART))
        self.shared = most // QUARTER

    def may_have_more(self, has: int, above: int) -> bool:
        """Whether an address that `has` this many places may have another.

        `above` is the sum over all addresses of the places above their own few.
        """
        if has < self.own:
            return True
        return has < self.quarter and has - self.own < self.shared - above

    def above(self, has: int) -> int:
        """Return the places above its own few of an address that `has` this many places."""
        return max(0, has - self.own)


class Places:
    """The number of each address's places, of `most` places in all.

    `per_address` is the limit of one address, unlimited if it is 0; None gives it its share.
    """

    def __init__(self, most: int, per_address: int | None) -> None:
        self.held: Counter[str] = Counter()
        self._networks: Counter[str] = Counter()
        # The network of each address that has a place: there may be more than `network` remembers.
        self._network_of: dict[str, str] = {}
        # How many addresses have so many places, and how many networks.
        self._held_sizes: Counter[int] = Counter()
        self._network_sizes: Counter[int] = Counter()
        self._most, self._per_address = most, per_address
        self._shares = Shares(most)
        self._taken = self._above = 0

    @property
    def is_full(self) -> bool:
        """Whether no place is left for anybody."""
        return self._taken >= self._most

    def take(self, address: str) -> None:
        """Count one more place of an address."""
        self._change(address, 1)

    def leave(self, address: str) -> None:
        """Count one place less of an address."""
        self._change(address, -1)

    def lack(self, address: str) -> Lack:
        """Return why an address cannot have one more place; "" if it can."""
        if self.is_crowded(address):
            return "address"
        if self._per_address is None and self._networks[network(address)] >= self._shares.quarter:
            return "network"
        return "house" if self.is_full else ""

    def is_crowded(self, address: str) -> bool:
        """Whether an address has all places that it may have by itself."""
        if self._per_address is None:
            return not self._shares.may_have_more(self.held[address], self._above)
        if not self._per_address:
            return False
        return self.held[address] >= self._per_address

    def weight(self, address: str) -> float:
        """Return the sort key of an address by its places: those with most make room first."""
        of_network = self._network_of.get(address) or network(address)
        return max(self.held[address], self._networks[of_network] / NETWORK_WEIGHT)

    @property
    def greatest_weight(self) -> float:
        """Return the weight of the address with most, without a search of all addresses."""
        of_network = max(self._network_sizes, default=0) / NETWORK_WEIGHT
        return max(max(self._held_sizes, default=0), of_network)

    def _change(self, address: str, by: int) -> None:
        before = self.held[address]
        self._taken += by
        self._above += self._shares.above(before + by) - self._shares.above(before)
        of_network = self._network_of.setdefault(address, network(address))
        _add(self.held, self._held_sizes, address, by)
        _add(self._networks, self._network_sizes, of_network, by)
        if address not in self.held:
            del self._network_of[address]


def _add(counter: Counter[str], sizes: Counter[int], name: str, by: int) -> None:
    """Add to one count; `sizes` counts addresses by size, and zero counts are removed."""
    before = counter[name]
    after = counter[name] = before + by
    sizes[before] -= 1
    sizes[after] += 1
    for size in (before, after):
        if not size or not sizes[size]:
            del sizes[size]
    if not after:
        del counter[name]


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """Return the network of an address, as limits count it.

    An address that is not reached from everywhere is its own network, as all in one room share one.
    """
    try:
        whole = ip_network(address)
    except ValueError:
        return address
    if not whole.is_global:
        return address
    prefix = IPV4_NETWORK if whole.version == 4 else IPV6_NETWORK
    return str(whole.supernet(new_prefix=min(prefix, whole.prefixlen)))
