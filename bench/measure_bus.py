"""What the bus costs: a request with its answer and an event, in one process and over a broker.

Over the broker an asker (this process) and an owner (another) have a connection each. Run as a
program, this module is that owner: `python -m bench.measure_bus URL`.
"""

import asyncio
import logging
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, process_time, sleep, time_ns

import structlog

from bench.connection import run
from bench.figures import Figure, Unmeasured, percentile
from bench.processes import BenchError, Listener, listening
from protocol.safe_text import say
from server.bus.broker import Broker
from server.bus.bus import Bus, Failure, Reply
from server.bus.local import Hub
from server.bus.over_courier import CourierBus, presence

SECONDS = 4.0
WARM_UP_SECONDS = 0.5
LOCAL_REQUESTS = 50_000
RATES = {1: 200.0, 32: 20.0}
"""How many requests are sent at once, and how often a second."""
REQUEST, ANSWER, EVENT = b"m" * 64, b"a" * 24, b"e" * 96
"""About as long as a move, its answer, and what one seat is told of it."""
START_SECONDS = 20.0
ROOT = "measured"
"""The beginning of all topics."""


class Counted:
    """Counts the events of a stream."""

    def __init__(self) -> None:
        self.events = 0

    def event(self, number: int, payload: bytes) -> None:
        """One more."""
        self.events += 1

    def missed(self, last: int) -> None:
        """What was published before."""

    def ended(self) -> None:
        """The end of the owner."""


def measure() -> Iterator[Figure | Unmeasured]:
    """Processor time for each request by process, and round trips, by how many go at once."""
    yield Figure("bus.local", local_microseconds(), "µs/request")
    program = mosquitto()
    if program is None:
        yield Unmeasured("bus.mqtt", "needs Mosquitto and blackqueen[mqtt]")
        return
    only_errors()
    with (
        running_broker(program) as broker,
        listening([sys.executable, "-m", "bench.measure_bus", broker.url]) as owner,
    ):
        for together, rate in RATES.items():
            yield from run(_over_broker(broker, owner, together, rate))


def mosquitto() -> str | None:
    """Mosquitto's path; None if it, or our client, is not installed."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    return None if find_spec("aiomqtt") is None else found


def local_microseconds() -> float:
    """Processor time of a request in one process."""
    hub: Hub[bytes] = Hub()
    owner, asker = hub.join("owner"), hub.join("asker")
    _own(owner)
    asker.follow("owner", "table", 0, Counted())
    answers: list[bytes | Failure] = []
    began = process_time()
    for _ in range(LOCAL_REQUESTS):
        asker.send("owner", "act", REQUEST, answers.append, 60)
    return 1e6 * (process_time() - began) / len(answers)


async def _over_broker(
    broker: Listener, owner: Listener, together: int, rate: float
) -> list[Figure]:
    counted = Counted()
    took: list[float] = []
    async with peer(broker.url, "asker") as asker:
        while "owner" not in asker.alive:  # noqa: ASYNC110 - a moment
            await asyncio.sleep(0.01)
        asker.follow("owner", "table", 0, counted)

        def ask() -> None:
            began = monotonic()
            asker.send("owner", "act", REQUEST, lambda _: took.append(monotonic() - began), 60)

        async def play(seconds: float) -> None:
            end = monotonic() + seconds
            following = monotonic()
            while following < end:
                for _ in range(together):
                    ask()
                following += 1 / rate
                await asyncio.sleep(max(0.0, following - monotonic()))

        await play(WARM_UP_SECONDS)
        took.clear()
        before = (process_time(), owner.cpu_seconds(), broker.cpu_seconds())
        await play(SECONDS)
        await asyncio.sleep(WARM_UP_SECONDS)
        after = (process_time(), owner.cpu_seconds(), broker.cpu_seconds())
    if not took or not counted.events:
        raise BenchError("no request was answered over the broker")
    name = f"bus.mqtt.{together}"
    milliseconds = [1000 * seconds for seconds in took]
    return [
        Figure(f"{name}.p50", percentile(milliseconds, 0.5), "ms"),
        Figure(f"{name}.p99", percentile(milliseconds, 0.99), "ms"),
        *(
            Figure(f"{name}.{part}", 1e6 * (late - early) / len(took), "µs/request")
            for part, early, late in zip(("asker", "owner", "broker"), before, after, strict=True)
        ),
    ]


def only_errors() -> None:
    """Keep the log out of the figures, which are on standard output too."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))


def _own(bus: Bus[bytes]) -> None:
    """Answer every request, and publish an event of it."""
    bus.open_stream("table")

    def act(sender: str, request: bytes, reply: Reply[bytes]) -> None:
        bus.publish("table", EVENT)
        reply(ANSWER)

    bus.handle("act", act)


@asynccontextmanager
async def peer(url: str, name: str) -> AsyncIterator[CourierBus]:
    """A peer on the bus, once it is connected."""
    from server.bus.mqtt import MqttCourier  # an extra: without it there is nothing to measure

    loop = asyncio.get_running_loop()
    life = time_ns()
    courier = MqttCourier(Broker.at(url), name, Random(name), presence(ROOT, name, life))
    bus = CourierBus(courier, ROOT, name, life, loop.time, loop.call_soon)
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(bus.run())
        while not courier.connected:  # noqa: ASYNC110 - a moment
            await asyncio.sleep(0.01)
        yield bus
        running.cancel()


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
            end = monotonic() + START_SECONDS
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
        socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS).close()
    except OSError:
        return False
    return True


async def main(url: str) -> None:
    """Own a table on the bus until the process is stopped; it says when it can be asked."""
    only_errors()
    async with peer(url, "owner") as bus:
        _own(bus)
        say(f"Listening on ws://{url.rpartition('/')[2]}/owner", flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    run(main(sys.argv[1]))
