"""Random numbers inside kernels."""

from random import Random

import numpy as np
from numpy.typing import NDArray

from bots.search.draws import below, draws_from, shuffle, unit, word
from tests.chance import chi_square_limit
from tests.counts import count


def reference(state: list[int]) -> int:
    """The published xoshiro256**, on whole numbers."""
    mask = (1 << 64) - 1

    def rotated(number: int, by: int) -> int:
        return (number << by | number >> 64 - by) & mask

    result = rotated(state[1] * 5 & mask, 7) * 9 & mask
    shifted = state[1] << 17 & mask
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 45)
    return result


def test_words_are_those_of_xoshiro() -> None:
    """A thousand words equal those of the published algorithm."""
    draws = draws_from(Random(1))
    state = [int(each) for each in draws]
    for _ in range(1000):
        assert int(word(draws)) == reference(state)


def test_a_seed_gives_its_stream_again() -> None:
    """Equal seeds give equal draws, other seeds others, and no stream is all zeros."""

    def stream(seed: int) -> list[int]:
        draws = draws_from(Random(seed))
        return [below(draws, 1000) for _ in range(20)]

    assert stream(1) == stream(1)
    assert stream(1) != stream(2)

    class Zeros(Random):
        def getrandbits(self, k: int) -> int:
            return 0

    assert draws_from(Zeros()).any()


def uniform(tally: NDArray[np.int64], cells: int) -> bool:
    each = tally.sum() / cells
    return float(((tally - each) ** 2 / each).sum()) < chi_square_limit(cells - 1)


def test_numbers_below_a_bound_are_equally_likely() -> None:
    """Numbers below a bound are uniform, for small bounds and for a very large one."""
    draws = draws_from(Random(2))
    for n in (1, 2, 6, 52):
        tally = np.bincount([below(draws, n) for _ in range(count(2000))], minlength=n)
        assert tally.size == n
        assert n == 1 or uniform(tally, n)
    large = 3 * 2**30
    thirds = [below(draws, large) // 2**30 for _ in range(count(3000))]
    assert uniform(np.bincount(thirds, minlength=3), 3)


def test_units_fill_the_interval() -> None:
    """Unit numbers are uniform from 0 up to below 1."""
    draws = draws_from(Random(3))
    units = np.array([unit(draws) for _ in range(count(3000))])
    assert units.min() >= 0.0
    assert units.max() < 1.0
    assert uniform(np.bincount((units * 10).astype(np.int64), minlength=10), 10)


def test_every_order_is_as_likely() -> None:
    """A shuffle of four items gives each of its 24 orders equally often."""
    draws = draws_from(Random(4))
    tally = np.zeros(256, np.int64)
    for _ in range(count(2400)):
        items = np.arange(4)
        shuffle(items, draws)
        tally[int(items @ np.array([64, 16, 4, 1]))] += 1
    seen = tally[tally > 0]
    assert seen.size == 24
    assert uniform(seen, 24)
