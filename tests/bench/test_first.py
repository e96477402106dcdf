"""How the first minute is measured: what a program has shown, and what it and its children used."""

import os
import sys
from pathlib import Path

import pytest

from bench.measure_first import Terminal, processor_seconds
from bench.processes import BenchError

TICK = 1 / os.sysconf("SC_CLK_TCK")
BUSY = """
from time import process_time
while process_time() < 0.3: pass
"""
CHILD = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {BUSY!r}])
print("\\x1b[1mready\\x1b[0m to move>", flush=True)
sys.stdin.readline()
"""


def test_the_time_of_children_counts(tmp_path: Path) -> None:
    """Also of those that have ended; what the program shows is read without its colours.

    The system tells each of these times in whole ticks, rounded down.
    """
    words = (sys.executable, "-c", CHILD)
    with Terminal(words, tmp_path, os.environ).running() as program:
        assert program.seconds_until("ready to move>") >= 0.3 - 3 * TICK
    assert processor_seconds(program.pid) == 0.0


def test_a_program_that_shows_nothing_is_reported(tmp_path: Path) -> None:
    """With what it has shown instead."""
    words = (sys.executable, "-c", "print('no table')")
    with (
        Terminal(words, tmp_path, os.environ).running() as program,
        pytest.raises(BenchError, match="no table"),
    ):
        program.seconds_until("your move>")
