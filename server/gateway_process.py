"""A process that is a gateway without tables: it has no store, and its tables are on the bus."""

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from protocol.safe_text import say
from server.crossing.names import GATEWAY
from server.event_loop import spare_the_collector
from server.game_server import GatewayServer
from server.ops.host_lines import page_line, ready_lines
from server.ops.isolation import forever
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.process_helpers import helpers
from server.process_roles import OwnPeers
from server.ticker import Ticker
from server.transport.gateway import Gateway

log = structlog.get_logger()

GOODBYE_SECONDS = 0.05
"""How long what was told last has to get onto its way."""


async def serve_gateway(
    settings: Settings,
    peers: OwnPeers,
    metrics: Metrics,
    now: Callable[[], float],
    stop: asyncio.Event,
) -> None:
    """Have players' connections until `stop` is set."""
    ticker = Ticker()
    server = GatewayServer(peers[GATEWAY].bus, settings, metrics, now, ticker.wake)

    async def ready() -> str:
        return peers.why_unreachable() or await server.ready()

    async def why_away() -> str:
        return peers.why_unreachable() or await server.why_away()

    async with asyncio.TaskGroup() as tasks, helpers(tasks, metrics) as start:
        gateway = Gateway(settings, server, metrics, ready, now, tasks.create_task)
        start(forever("bus_failed", peers.run))
        start(ticker.run(server, now))
        start(forever("outages_not_told", partial(server.outages.run, why_away)))
        async with gateway.listen() as listener:
            host, port = listener.sockets[0].getsockname()[:2]
            log.info("listening", host=host, port=port)
            spare_the_collector()
            say(*ready_lines(settings, host, port), flush=True)
            say(*page_line(settings, host, port), flush=True)
            await stop.wait()
            log.info("draining", connections=len(server.connections))
            server.drain()
            server.hang_up()
        await asyncio.sleep(GOODBYE_SECONDS)
