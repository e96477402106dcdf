"""A bot worker in a process of its own: `python -m bench.bot_worker URL ROOT NAME`.

It has one process for bots of the program, says when it can be asked, and ends at SIGTERM.
"""

import asyncio
import logging
import signal
import sys
from random import Random
from time import time_ns

import structlog

from bench.connection import run
from bots.search.compiled import forbid_compiling
from protocol.safe_text import say
from server.bots.bus_worker import run_worker
from server.bots.pool import BotPool
from server.bus.broker import Broker
from server.bus.over_courier import CourierBus, presence
from server.ops.metrics import Metrics
from server.ops.settings import Settings


async def main(url: str, root: str, name: str) -> None:
    """Answer questions over the broker at `url` until the process is told to stop."""
    from server.bus.mqtt import MqttCourier  # an extra

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    # Bots of described games are enough, and nobody has to wait for a compiler.
    forbid_compiling()
    loop, stop, life = asyncio.get_running_loop(), asyncio.Event(), time_ns()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    identifier = f"{root}-{name}".replace("/", "-")
    courier = MqttCourier(Broker.at(url), identifier, Random(name), presence(root, name, life))
    bus = CourierBus(courier, root, name, life, loop.time, loop.call_soon)
    async with asyncio.TaskGroup() as tasks:
        connection = tasks.create_task(bus.run())
        while not courier.connected:  # noqa: ASYNC110 - a moment
            await asyncio.sleep(0.01)
        say(f"Listening on ws://{url.rpartition('/')[2]}/{name}", flush=True)
        settings, metrics = Settings(bot_workers=1), Metrics()
        pool = BotPool(settings.workers, metrics.bot_chose)
        try:
            await run_worker(bus, pool, settings, metrics, stop)
        finally:
            pool.close()
        connection.cancel()


if __name__ == "__main__":
    run(main(*sys.argv[1:4]))
