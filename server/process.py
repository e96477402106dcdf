"""The process of a server: opened by its settings, served until its stop, and drained."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.metadata import version

import structlog

from engine import GAMES
from protocol.safe_text import say
from server.admin.administrators import Administrators, administered
from server.bots.pool import BotPool
from server.event_loop import server_clock, spare_the_collector
from server.events.broker import Broker
from server.events.service import EventService, connections_to, presence_of
from server.events.topics import Topics
from server.game_server import GameServer, ServerParts
from server.games.folder import GameFolder
from server.games.library import Library
from server.games.shared_games import SharedGames
from server.housekeeping import Housekeeping
from server.net.gateway import Gateway
from server.node_server import NodeServer
from server.ops.collectors import public_events
from server.ops.host_lines import (
    admin_page,
    page_line,
    ready_lines,
    stopped_line,
    terminal_lines,
)
from server.ops.isolation import forever, once
from server.ops.metrics import Metrics
from server.ops.node_figures import node_figures
from server.ops.node_url import node_url
from server.ops.settings import Settings
from server.ops.start_lines import tell_what_is_missing, tell_what_was_found
from server.ops.stop_limit import StopLimit
from server.process_helpers import helpers
from server.store import LeaseState, NodeDetails, Store, StoreError
from server.ticker import Ticker, load_sleepers

log = structlog.get_logger()

MOVE_SHARE = 0.3
"""The share of the time to stop in which tables are given to other nodes, if there are any."""
DRAIN_SHARE = 0.4
"""The share that is for the disk; the rest is for clients and to end."""


async def serve(
    settings: Settings,
    metrics: Metrics,
    stop: asyncio.Event,
    limit: StopLimit,
    broker: Broker | None,
) -> None:
    """Open the database, and serve players until `stop` is set."""
    store = await Store.open(
        settings.database,
        observe=metrics.committed,
        new=settings.new_database,
        node=_node(settings),
    )
    tell_what_was_found(store.found)
    bots = BotPool(settings.workers, metrics.bot_chose)
    limit.children = lambda: bots.pids
    library = library_for(settings, store)
    if (node := store.node) is not None:
        metrics.watch(partial(node_figures, node))

    def fenced() -> None:
        limit.begin()
        stop.set()

    try:
        open_tables, port = await _listen(
            settings, store, library, bots, metrics, stop, fenced, broker
        )
        if node is not None and node.state is LeaseState.OVER:
            node.lease.check()
    finally:
        library.close()
        bots.close()
        await store.close()
    if sys.stdout.isatty():
        say(stopped_line(settings, open_tables, port), flush=True)


async def _listen(
    settings: Settings,
    store: Store,
    library: Library,
    bots: BotPool,
    metrics: Metrics,
    stop: asyncio.Event,
    fenced: Callable[[], None],
    broker: Broker | None,
) -> tuple[int, int]:
    """Serve until `stop` is set; return the number of kept open tables, and the port.

    `fenced` is called when other nodes own these tables.
    """
    ticker, now = Ticker(), server_clock()
    if not settings.plain_bots:
        tell_what_is_missing()
    events = None if broker is None else _events(broker, settings, store, metrics, now)
    parts = ServerParts(settings, library, store, bots, metrics, now, ticker.wake, events, fenced)
    server = GameServer(parts) if store.node is None else NodeServer(parts)
    await library.refresh()
    await server.open()
    async with asyncio.TaskGroup() as tasks, helpers(tasks, metrics) as start:
        admins = Administrators(settings, server, store, now) if settings.has_admin else None
        pages = None if admins is None else admins.pages.answer
        gateway = Gateway(settings, server, metrics, now, tasks.create_task, pages)
        start(forever("outages_not_told", partial(server.outages.run, server.why_away)))
        start(ticker.run(server, now))
        start(load_sleepers(server))
        if store.node is not None:
            start(forever("games_not_shared", library.keep_shared))
        start(forever("review_failed", server.reviews.work))
        metrics.watch_bots(lambda: bots.ready)
        if settings.warm_bots:
            start(once("bots_not_warmed", bots.warm()))
        if events is not None:
            start(events.run())
        house = Housekeeping(settings, store, server.connections, server.guests, server.bans, now)
        start(forever("rows_not_deleted", house.run))
        async with gateway.listen() as listener, administered(settings, admins):
            host, port = listener.sockets[0].getsockname()[:2]
            if admins is not None:
                admins.administration.page = admin_page(settings, host, port)
            log.info("listening", host=host, port=port)
            spare_the_collector()
            say(*ready_lines(settings, host, port), flush=True)
            if sys.stdout.isatty():
                say(*terminal_lines(settings, host, port), flush=True)
            else:
                say(*page_line(settings, host, port), flush=True)
            await stop.wait()
            if store.node is None or store.node.state is not LeaseState.OVER:
                await _give_away(server, settings.drain_seconds * MOVE_SHARE)
                await _drain(server, store, settings.drain_seconds * DRAIN_SHARE)
    return sum(server.tables.directory.phases().values()), port


def _events(
    broker: Broker,
    settings: Settings,
    store: Store,
    metrics: Metrics,
    now: Callable[[], float],
) -> EventService:
    """Make this server's public events; table aliases depend on its database."""
    topics = Topics(broker.prefix, store.found.identity)
    url = None if settings.public is None else settings.public.websocket
    presence = presence_of(topics, version("blackqueen"), url)
    node = "" if store.node is None else store.node.name
    connections = connections_to(broker, topics, presence, node)
    events = EventService(connections, topics, now, presence, shared=bool(node))
    metrics.watch(lambda: public_events(events.counts()))
    return events


def library_for(settings: Settings, store: Store) -> Library:
    """Make the library of native games, the folder's games, and those of other nodes."""
    folder = None if settings.games is None else GameFolder(settings.games.expanduser())
    shared = None
    if (own := node_url(settings)) is not None:
        shared = SharedGames(store, own.name)
    return Library(GAMES, store.description, folder, shared)


def _node(settings: Settings) -> NodeDetails | None:
    """Return this process as a node of its database; None if it has one alone."""
    own = node_url(settings)
    return None if own is None else NodeDetails(own.name, address=own.address)


async def _drain(server: GameServer, store: Store, patience: float) -> None:
    """Tell all clients, let pending writes reach the disk, close all connections."""
    log.info("draining", connections=len(server.connections), waiting=store.waiting)
    server.drain()
    with suppress(TimeoutError, StoreError):
        async with asyncio.timeout(patience):
            # Writes are made in order: when this one is done, all before it are.
            await store.ping()
    server.hang_up()


async def _give_away(server: GameServer, patience: float) -> None:
    """Give as many tables to other nodes as there is time for."""
    if server.moving is None:
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(patience):
            await server.moving.end()
