"""Random numbers inside kernels: xoshiro256**, its state an array of four words.

Numba's own `random` keeps one hidden state a thread; here the state is passed in as everywhere
else, so that one seed gives one sequence of draws whatever else the process does.
"""

from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel

Draws: TypeAlias = NDArray[np.uint64]

_LOW_32 = np.uint64(0xFFFFFFFF)


def draws_from(rng: Random) -> Draws:
    """A fresh stream for kernels, seeded from `rng`."""
    return np.array([rng.getrandbits(64) | (place == 0) for place in range(4)], dtype=np.uint64)


@kernel
def word(draws: Draws) -> np.uint64:
    """The next 64 bits."""
    second = draws[1]
    mixed = second * np.uint64(5)
    result: np.uint64 = ((mixed << np.uint64(7)) | (mixed >> np.uint64(57))) * np.uint64(9)
    draws[2] ^= draws[0]
    draws[3] ^= second
    draws[1] ^= draws[2]
    draws[0] ^= draws[3]
    draws[2] ^= second << np.uint64(17)
    last = draws[3]
    draws[3] = (last << np.uint64(45)) | (last >> np.uint64(19))
    return result


@kernel
def below(draws: Draws, n: int) -> int:
    """A random number from 0 to n − 1, each equally likely; n is 1 to 2³²."""
    bound = np.uint64(n)
    product = (word(draws) >> np.uint64(32)) * bound
    if (product & _LOW_32) < bound:
        # Lemire's method: the few words that would favour some numbers are drawn again.
        least = (np.uint64(1) << np.uint64(32)) % bound
        while (product & _LOW_32) < least:
            product = (word(draws) >> np.uint64(32)) * bound
    # Numba's ints are signed only where the number they are made of is.
    return int(np.int64(product >> np.uint64(32)))


@kernel
def unit(draws: Draws) -> float:
    """A random number from 0 up to but not including 1."""
    return float(word(draws) >> np.uint64(11)) * 2.0**-53


@kernel
def shuffle(items: NDArray[np.int64], draws: Draws) -> None:
    """Put `items` into random order."""
    for last in range(items.size - 1, 0, -1):
        at = below(draws, last + 1)
        items[last], items[at] = items[at], items[last]
