"""Draws that anybody can repeat: SHA-256 in counter mode, rejection, Fisher–Yates.

Every draw is a function of (seed, deal, label, index) and of nothing else. The byte stream of
a draw is block 0, block 1, … with

    block i = SHA-256("blackqueen.shuffle.1" 00 | seed | deal (int32) | label | 00 | i (uint64))

all integers big-endian, the seed 32 bytes and the label in UTF-8. It is read as 32-bit words. A
number below n is a word w < 2³² − (2³² mod n), reduced mod n; larger words are thrown away. A
shuffle runs Fisher–Yates from the last place to the second. docs/shuffle.md has test vectors.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar

from engine.errors import BadSetup

ALGORITHM = "blackqueen.shuffle.1"
WHOLE_MATCH = -1
"""The deal number of draws made once for a whole match."""

SEED_BYTES = 32
_WORDS = 1 << 32
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shuffler:
    """A seed and the number of the deal: a value that states carry, without a position in it.

    Seeds are of one length, so that no two of them can begin the same stream.
    """

    seed: bytes
    deal: int = 0

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise BadSetup(f"a seed has {SEED_BYTES} bytes, not {len(self.seed)}")

    def of_deal(self, deal: int) -> "Shuffler":
        """The shuffler for draws in deal number `deal`, 0 for the first."""
        return replace(self, deal=deal)

    def of_match(self) -> "Shuffler":
        """The shuffler for draws made once for the whole match."""
        return replace(self, deal=WHOLE_MATCH)

    def below(self, label: str, n: int, index: int = 0) -> int:
        """The `index`-th number in 0 … n − 1 under `label`; n is 1 to 2³²."""
        words = self._words(label)
        for _ in range(index):
            _bounded(words, n)
        return _bounded(words, n)

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """`items` in random order, each of the orders equally likely."""
        words = self._words(label)
        pile = list(items)
        for last in range(len(pile) - 1, 0, -1):
            at = _bounded(words, last + 1)
            pile[last], pile[at] = pile[at], pile[last]
        return tuple(pile)

    def _words(self, label: str) -> Iterator[int]:
        head = ALGORITHM.encode() + b"\0" + self.seed + struct.pack(">i", self.deal)
        head += label.encode() + b"\0"
        block = 0
        while True:
            yield from struct.unpack(">8I", sha256(head + struct.pack(">Q", block)).digest())
            block += 1


def seed_from_int(number: int) -> bytes:
    """The 32-byte seed of a small number; below 0 or above 256 bits is `BadSetup`."""
    if not 0 <= number < 1 << 256:
        raise BadSetup(f"seed {number} must lie in 0 … 2^256 - 1")
    return number.to_bytes(SEED_BYTES, "big")


def _bounded(words: Iterator[int], n: int) -> int:
    if not 1 <= n <= _WORDS:
        raise ValueError(f"no number below {n} fits a word of 32 bits")
    limit = _WORDS - _WORDS % n
    while (word := next(words)) >= limit:
        pass
    return word % n
