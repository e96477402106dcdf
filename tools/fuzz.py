"""Play randomly generated games for as long as you like.

.venv/bin/python -m tools.fuzz [MINUTES]

The tests that generate random texts run again and again, on all cores, each time with new texts. A
failure is printed with the command that repeats it, and ends the run.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable

TESTS = (
    "tests/engine/recycle/test_fuzz.py",
    "tests/engine/recycle/games/test_mutations.py",
)
FACTOR = "2"
"""Raises the counts, so that a round takes about a minute."""


def fuzz(minutes: float, run: Callable[[], int], now: Callable[[], float]) -> int | None:
    """How many rounds were begun before the time was over; None if one of them failed."""
    end, rounds = now() + 60 * minutes, 0
    while now() < end:
        rounds += 1
        if run():
            return None
    return rounds


def round_of_tests() -> int:
    """Run the tests once; the exit code."""
    spread = ("--numprocesses", "auto", "--dist", "worksteal")
    command = (sys.executable, "-m", "pytest", "-q", *spread, *TESTS)
    return subprocess.run(command, env=os.environ | {"BLACKQUEEN_FACTOR": FACTOR}).returncode


def main(
    words: list[str],
    run: Callable[[], int] = round_of_tests,
    now: Callable[[], float] = time.monotonic,
) -> int:
    """Run rounds of tests for as long as the command line says; 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("minutes", type=float, nargs="?", default=10.0, help="how long (10)")
    minutes = parser.parse_args(words).minutes
    rounds = fuzz(minutes, run, now)
    if rounds is None:
        return 1
    print(f"Nothing was found in {rounds} rounds, {minutes:g} minutes.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
