"""Rendezvous hashing: all who know the same nodes agree which of them something belongs to.

Where a node comes or goes, only what it gets or had changes. Source: Thaler and Ravishankar, "A
Name-Based Mapping Scheme for Rendezvous" (1996).
"""

from collections.abc import Collection
from hashlib import blake2b


def heir(what: str, names: Collection[str]) -> str:
    """The node among `names` for `what`: a table by its code, or a player by their id."""
    return max(names, key=lambda name: (_weight(what, name), name))


def _weight(what: str, name: str) -> bytes:
    return blake2b(f"{what}\0{name}".encode(), digest_size=8).digest()
