"""Worker processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from bots.workers import cores

ENDLESS = """
import os
from multiprocessing import active_children
from bots.arena import arrange
from bots.arena import play_deals

played = play_deals(arrange("black_queen", (0, 0), seed=1, seats=2), 10**9, workers=2)
next(played)
print(*(child.pid for child in active_children()), flush=True)
for _ in played:
    pass
"""


def test_cores() -> None:
    """A process always has a core."""
    assert cores() >= 1


def test_workers_end_with_a_parent_that_is_killed() -> None:
    """Workers stop by themselves after their parent was killed by SIGKILL.

    They hold the pipe they inherited as their output: once it is closed, all of them are gone.
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert parent.stdout is not None
    with parent, parent.stdout as told:
        workers = told.readline().split()
        assert len(workers) == 2
        assert all(Path(f"/proc/{int(pid)}").exists() for pid in workers)
        os.kill(parent.pid, signal.SIGKILL)
        assert told.read() == b""
        assert parent.wait(timeout=10) == -signal.SIGKILL
