"""When a table has recovered from a flood of hints."""

import pytest

from bench.measure_hints import RECOVERY_SECONDS, recovery


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ([1, 1, 1, 1, 1], 0),
        ([9, 1, 1, 1, 1, 1], 0),
        ([9, 9, 9, 1, 1, 1, 1], 9),
        ([9, 9, 9, 9, 9], RECOVERY_SECONDS),
        ([1, 1], RECOVERY_SECONDS),
    ],
    ids=["at once", "a slow one", "two slow ones before", "never", "too few rounds"],
)
def test_recovery_is_when_most_rounds_are_as_before(seconds: list[int], expected: float) -> None:
    """By five rounds in a row, counted from the beginning of the first of them."""
    ended = 100.0
    rounds = [(ended - 5, 9.0)]
    at = ended
    for each in seconds:
        at += each
        rounds.append((at, float(each)))
    assert recovery(rounds, ended, calm=1.0) == pytest.approx(expected)
