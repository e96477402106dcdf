"""The processes in which bots think: started when they are needed, and again when they are lost."""

import resource
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from bots.workers import serve_the_parent

NICENESS = 10
"""Bots wait for the server, not the server for bots."""
QUIET_TRACKER = "ignore:resource_tracker:UserWarning"
CONFINED_BYTES = 2 * 2**30


class Processes:
    """At most `workers` of them; `initializer` is the first thing each does."""

    def __init__(self, workers: int, initializer: Callable[[], None]) -> None:
        self._workers = workers
        self._initializer = initializer
        self._executor: ProcessPoolExecutor | None = None

    @property
    def started(self) -> bool:
        return self._executor is not None

    def executor(self) -> ProcessPoolExecutor:
        if self._executor is None:
            # When a server is killed, what its pool held is cleared away by Python's resource
            # tracker, which would write about it into the terminal of whoever played.
            if QUIET_TRACKER not in sys.warnoptions:
                sys.warnoptions.append(QUIET_TRACKER)
            self._executor = ProcessPoolExecutor(
                self._workers, mp_context=get_context("spawn"), initializer=self._initializer
            )
        return self._executor

    def lost(self) -> None:
        """They are broken: whoever asks next gets new ones."""
        self._executor = None

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


def serve() -> None:
    """For a process that thinks about the games of the program."""
    serve_the_parent(NICENESS)


def serve_confined() -> None:
    """For one that thinks about described games, which may ask for any amount of memory."""
    serve_the_parent(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (CONFINED_BYTES, CONFINED_BYTES))
