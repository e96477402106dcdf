"""A process that has bots and nothing else: it answers what tables ask over the bus."""

import asyncio
from collections.abc import Callable

import structlog

from protocol.safe_text import say
from server.ops.host_lines import role_line
from server.ops.isolation import forever
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.ops.stop_limit import StopLimit
from server.process_helpers import bots_without_tables, helpers
from server.process_roles import OwnPeers
from server.transport.status_pages import StatusPages

log = structlog.get_logger()


async def serve_bots(
    settings: Settings,
    peers: OwnPeers,
    metrics: Metrics,
    now: Callable[[], float],
    stop: asyncio.Event,
    limit: StopLimit,
) -> None:
    """Answer questions to bots until `stop` is set."""

    async def ready() -> str:
        return "draining" if stop.is_set() else peers.why_unreachable()

    pages = StatusPages(settings, metrics, ready, lambda: "", now)
    async with (
        asyncio.TaskGroup() as tasks,
        pages.listen() as listener,
        helpers(tasks, metrics) as start,
        bots_without_tables(tasks, settings, peers, metrics, stop, limit),
    ):
        start(forever("bus_failed", peers.run))
        host, port = listener.sockets[0].getsockname()[:2]
        log.info("listening", host=host, port=port)
        say(role_line(settings, host, port), flush=True)
        await stop.wait()
