"""What public events cost players: a server that tells a broker of 50 tables, beside one that tells
nobody.

Both servers run all the time and play in turns, so that a machine that changes its speed is as fast
for the one as for the other.
"""

import gc
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import NamedTuple

from bench.connection import run
from bench.figures import Figure, Unmeasured, at_least, at_most
from bench.load import Load
from bench.measure_server import FLAGS, Played, allow_many_sockets, stretch, warm_up
from bench.processes import BenchError, Listener, listening

TABLES = 50
ROUNDS = 3
SECONDS = 2.5
INTERVAL = 0.2
"""Seconds between two moves of a table where the moves are paced."""

MOVES_FLOOR = 0.6
TRIP_LIMIT = 1.5
BROKER_SECONDS = 20.0


class Turns(NamedTuple):
    """What the servers did in their turns: the one without events, and the one with them."""

    without: list[Played]
    telling: list[Played]


def measure() -> Iterator[Figure | Unmeasured]:
    """Moves per processor second and round trips with events, as a share of those without."""
    program = mosquitto()
    if program is None:
        yield Unmeasured("events", "needs Mosquitto and blackqueen[mqtt]")
        return
    allow_many_sockets()
    with ExitStack() as stack:
        broker = stack.enter_context(running_broker(program))
        without = stack.enter_context(_serving())
        telling = stack.enter_context(_serving("--events", broker.url))
        paced, saturated = run(_drive(without, telling))
    before, after = (mean(1e6 / played.moves_per_cpu_second for played in turn) for turn in paced)
    yield Figure("events.paced.time", after - before, "µs/move")
    trips = _ratio([[played.p50 for played in turn] for turn in paced])
    yield Figure("events.paced.p50", trips, "× without", at_most(TRIP_LIMIT))
    moves = _ratio([[played.moves_per_cpu_second for played in turn] for turn in saturated])
    yield Figure("events.moves", moves, "× without", at_least(MOVES_FLOOR))
    trips = _ratio([[played.p50 for played in turn] for turn in saturated])
    yield Figure("events.p50", trips, "× without", at_most(TRIP_LIMIT))


def _ratio(turns: Sequence[Sequence[float]]) -> float:
    """The median of what each round shows."""
    without, telling = turns
    return median(late / early for early, late in zip(without, telling, strict=True))


@contextmanager
def _serving(*flags: str) -> Iterator[Listener]:
    program = str(Path(sys.executable).with_name("blackqueen"))
    with TemporaryDirectory(prefix="blackqueen-bench-") as data:
        server: AbstractContextManager[Listener]
        server = listening([program, "serve", "--data", data, *FLAGS, *flags])
        with server as listener:
            yield listener


async def _drive(without: Listener, telling: Listener) -> tuple[Turns, Turns]:
    paced, saturated = Turns([], []), Turns([], [])
    loads: list[Load] = []
    for server in (without, telling):
        await warm_up(server)
        loads.append(load := Load(server.url))
        await load.open_tables(TABLES)
    # A collection of this side's garbage would look like a slow answer.
    gc.collect()
    gc.freeze()
    for interval, turns in ((INTERVAL, paced), (0.0, saturated)):
        for _ in range(ROUNDS):
            for server, load, played in zip((without, telling), loads, turns, strict=True):
                played.append(await stretch(server, load, interval, SECONDS))
    for load in loads:
        load.hang_up()
    return paced, saturated


def mosquitto() -> str | None:
    """Mosquitto's path; None if it, or our client, is not installed."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    return None if find_spec("aiomqtt") is None else found


@contextmanager
def running_broker(program: str, *settings: str) -> Iterator[Listener]:
    """A Mosquitto of our own, which keeps nothing on disk; `settings` are more lines for it."""
    with TemporaryDirectory(prefix="blackqueen-bench-") as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        config = Path(folder, "mosquitto.conf")
        user = "user root\n" if os.geteuid() == 0 else ""
        config.write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n{user}"
            + "".join(f"{line}\n" for line in settings)
        )
        process = subprocess.Popen(
            [program, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            end = monotonic() + BROKER_SECONDS
            while not _accepts(port):
                if process.poll() is not None or monotonic() > end:
                    raise BenchError("the broker did not start")
                sleep(0.01)
            yield Listener(process.pid, f"mqtt://127.0.0.1:{port}")
        finally:
            process.kill()
            process.wait()


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=BROKER_SECONDS).close()
    except OSError:
        return False
    return True
