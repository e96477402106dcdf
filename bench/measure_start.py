"""How long `blackqueen --help` takes, compared with the bare interpreter."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.figures import Figure, at_most

RUNS = 9


def measure() -> Iterator[Figure]:
    """Milliseconds to start the bare interpreter and to print the help."""
    command = str(Path(sys.executable).with_name("blackqueen"))
    bare, helped = [], []
    # In turns, so that a busy moment of the machine affects both.
    for _ in range(RUNS):
        bare.append(_seconds([sys.executable, "-c", "pass"]))
        helped.append(_seconds([command, "--help"]))
    yield Figure("start.bare", median(bare) * 1000, "ms")
    yield Figure("start.help", median(helped) * 1000, "ms", at_most(3000 * median(bare) + 200))


def _seconds(command: Sequence[str]) -> float:
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return perf_counter() - start
