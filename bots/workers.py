"""Processes that think for another one: they leave interrupts to it, and do not outlive it."""

import os
import signal
from multiprocessing import parent_process
from threading import Thread


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve_the_parent(niceness: int = 0) -> None:
    """Prepare a process that was just started: its parent decides when it stops.

    A parent that is killed cannot say so. Its end is seen all the same, and is the worker's.
    The nicer it is, the more it leaves the processor to the parent where both want it.
    """
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "only processes started by another one call this"
    parent.join()
    os._exit(1)
