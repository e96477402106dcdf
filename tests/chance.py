"""Limits for tests of randomness, whose seeds are fixed so that they always pass or fail."""

from math import sqrt


def chi_square_limit(freedom: int) -> float:
    """The value that a chi-square of so many degrees of freedom exceeds once in 10,000 cases.

    Wilson and Hilferty's approximation; from five degrees on a little above the true limit.

    >>> round(chi_square_limit(5), 1), round(chi_square_limit(50), 1)
    (26.3, 96.1)
    """
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + 3.719016 * sqrt(spread)) ** 3
