"""A bot worker in a process of its own: `python -m bench.bot_worker URL NAME`.

It has one process for bots of the program, says when it can be asked, and ends at SIGTERM.
"""

import asyncio
import signal
import sys

from bench.connection import run
from bench.measure_bus import only_errors, peer
from bots.search.compiled import forbid_compiling
from protocol.safe_text import say
from server.bots.bus_worker import run_worker
from server.bots.pool import BotPool
from server.ops.metrics import Metrics
from server.ops.settings import Settings


async def main(url: str, name: str) -> None:
    """Answer questions over the broker at `url` until the process is told to stop."""
    only_errors()
    # Bots of described games are enough, and nobody has to wait for a compiler.
    forbid_compiling()
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with peer(url, name) as bus:
        say(f"Listening on ws://{url.rpartition('/')[2]}/{name}", flush=True)
        settings, metrics = Settings(bot_workers=1), Metrics()
        pool = BotPool(settings.workers, metrics.bot_chose)
        try:
            await run_worker(bus, pool, settings, metrics, stop, warm=True)
        finally:
            pool.close()


if __name__ == "__main__":
    run(main(*sys.argv[1:3]))
