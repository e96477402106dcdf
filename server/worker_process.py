"""A process that has bots and nothing else: it answers what tables ask over the bus."""

import asyncio
from collections.abc import Callable

import structlog

from protocol.safe_text import say
from server.bots.bus_worker import run_worker
from server.bots.pool import BotPool
from server.ops.host_lines import role_line
from server.ops.isolation import forever
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.ops.stop_limit import StopLimit
from server.process_helpers import helpers
from server.process_roles import OwnPeer
from server.transport.status_pages import StatusPages

log = structlog.get_logger()


async def serve_bots(
    settings: Settings,
    peer: OwnPeer,
    metrics: Metrics,
    now: Callable[[], float],
    stop: asyncio.Event,
    limit: StopLimit,
) -> None:
    """Answer questions to bots until `stop` is set."""

    async def ready() -> str:
        return "draining" if stop.is_set() else peer.why_unreachable()

    pool = BotPool(settings.workers, metrics.bot_chose)
    limit.children = lambda: pool.pids
    pages = StatusPages(settings, metrics, ready, lambda: "", now)
    async with (
        asyncio.TaskGroup() as tasks,
        pages.listen() as listener,
        helpers(tasks, metrics) as start,
    ):
        start(forever("bus_failed", peer.run))
        host, port = listener.sockets[0].getsockname()[:2]
        log.info("listening", host=host, port=port)
        say(role_line(settings, host, port), flush=True)
        try:
            await run_worker(peer.bytes, pool, settings, metrics, stop)
        finally:
            pool.close()
