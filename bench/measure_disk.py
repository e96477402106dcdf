"""How long the disk needs to make a small write safe: no move can be acknowledged sooner."""

import os
from collections.abc import Iterator
from tempfile import NamedTemporaryFile
from time import monotonic, sleep

from bench.figures import Figure, percentile

SECONDS = 4.0
PAUSE_SECONDS = 0.005
"""Seconds between writes, as between the commits of a busy server."""
PAGES, PAGE = 1000, b"x" * 4096
"""The file is written from its beginning again when it is full, as a write-ahead log is."""


def measure() -> Iterator[Figure]:
    """The median and the 99th percentile of a small write, in milliseconds."""
    took = sync_milliseconds()
    yield Figure("disk.sync.p50", percentile(took, 0.5), "ms")
    yield Figure("disk.sync.p99", percentile(took, 0.99), "ms")


def sync_milliseconds() -> list[float]:
    """How long each of many small writes took, in the folder used for measuring servers."""
    took: list[float] = []
    with NamedTemporaryFile(prefix="blackqueen-bench-") as file:
        number = file.fileno()
        os.pwrite(number, PAGE * PAGES, 0)
        os.fdatasync(number)
        end = monotonic() + SECONDS
        while monotonic() < end:
            os.pwrite(number, PAGE, len(took) % PAGES * len(PAGE))
            began = monotonic()
            os.fdatasync(number)
            took.append(1000 * (monotonic() - began))
            sleep(PAUSE_SECONDS)
    return took
