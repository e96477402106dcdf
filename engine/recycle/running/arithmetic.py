"""Arithmetic with bounds that Python's own does not have (RECYCLE, "Decisions")."""

from engine.recycle import limits
from engine.recycle.errors import Fault


def bounded(number: int) -> int:
    """`number`, or a `Fault` if it is too large for any game."""
    if -limits.NUMBER <= number <= limits.NUMBER:
        return number
    raise Fault("the number is too large")


def product(*numbers: int) -> int:
    """The product of all numbers; a `Fault` beyond `limits.NUMBER`."""
    result = 1
    for number in numbers:
        result = bounded(result * number)
    return result


def power(base: int, exponent: int) -> int:
    """`base` to the power of `exponent`; a `Fault` if that is negative or the result too large."""
    if exponent < 0:
        raise Fault("a negative exponent gives no whole number")
    if abs(base) > 1 and exponent > limits.NUMBER.bit_length():
        raise Fault("the number is too large")
    return bounded(base**exponent)


def floor(number: int, divisor: int) -> int:
    """The quotient, rounded down; a `Fault` if the divisor is 0."""
    return number // _divisor(divisor)


def modulo(number: int, divisor: int) -> int:
    """The remainder of `floor`, with the sign of the divisor; a `Fault` if that is 0."""
    return number % _divisor(divisor)


def _divisor(number: int) -> int:
    if not number:
        raise Fault("nothing can be divided by 0")
    return number


def triangular(number: int) -> int:
    """The triangular number ``n(n + 1)/2``."""
    return bounded(number * (number + 1) // 2)


def fibonacci(number: int) -> int:
    """The `n`-th Fibonacci number: 0, 1, 1, 2, 3, …"""
    if number < 0:
        raise Fault("there is no Fibonacci number before the first")
    before, here = 0, 1
    for _ in range(min(number, limits.NUMBER.bit_length() * 2)):
        before, here = here, bounded(before + here)
    return before
