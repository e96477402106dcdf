"""Rendezvous hashing: all processes that know equal nodes agree on the node of a thing.

When a node comes or goes, only the things that it gets or had change. Source: Thaler and
Ravishankar, "A Name-Based Mapping Scheme for Rendezvous" (1996).
"""

from collections.abc import Collection
from hashlib import blake2b


def heir(what: str, names: Collection[str]) -> str:
    """Return the node among `names` for `what`: a table's code, or a player's id."""
    return max(names, key=lambda name: (_weight(what, name), name))


def _weight(what: str, name: str) -> bytes:
    return blake2b(f"{what}\0{name}".encode(), digest_size=8).digest()
