"""What a second worker of `blackqueen simulate` costs: processor time of two, beside one's."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from bench.figures import Figure, at_most
from bench.processes import BenchError
from engine.recycle import games

ROUNDS = 3
GAMES = 600
DESCRIBED = "Hearts4"
LIMIT = 1.15


def measure() -> Iterator[Figure]:
    """For a native and a described game: the least time of two workers, by the least of one."""
    with TemporaryDirectory(prefix="blackqueen-bench-") as folder:
        described = Path(folder, f"{DESCRIBED}.rcy")
        described.write_text(games.description(DESCRIBED), encoding="utf-8")
        for name, game in (("native", "hearts"), ("described", str(described))):
            one, two = _least_times(game)
            yield Figure(f"simulate.{name}", two / one, "× one worker", at_most(LIMIT))


def _least_times(game: str) -> tuple[float, float]:
    """The least processor time of one worker and of two, taken in turns."""
    times = [(_seconds(game, 1), _seconds(game, 2)) for _ in range(ROUNDS)]
    one, two = zip(*times, strict=True)
    return min(one), min(two)


def _seconds(game: str, workers: int) -> float:
    """The processor time of a simulation, its workers included."""
    program = str(Path(sys.executable).with_name("blackqueen"))
    command = [program, "simulate", game, "--games", str(GAMES), "--workers", str(workers)]
    before = getrusage(RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    after = getrusage(RUSAGE_CHILDREN)
    if ended.returncode:
        raise BenchError(f"{' '.join(command)} failed:\n{ended.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
