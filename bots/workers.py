"""Worker processes, which leave interrupts to their parent and end with it."""

import os
import signal
from multiprocessing import parent_process
from threading import Thread


def cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve_the_parent(niceness: int = 0) -> None:
    """Prepare a process that was just started: its parent decides when it stops.

    A worker notices the end of a parent that was killed, and ends too. The nicer it is, the more it
    leaves the processor to the parent when both want it.
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
