"""`blackqueen serve`: puts the server together, runs it, takes it down without losing a move."""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from importlib.metadata import version

import structlog

from bots import withheld
from bots.search.compiled import forbid_compiling
from engine import GAMES
from protocol.safe_text import complain, say
from server.admin.audit import FILE as AUDIT_FILE
from server.admin.audit import AuditLog
from server.admin.browser_keys import BrowserKeys
from server.admin.listener import AdminListener
from server.admin.pages import AdminPages
from server.admin.service import Administration
from server.admin.socket_file import SocketUnusable, socket_path
from server.bots.bus_service import BotsOverBus
from server.bots.pool import BotPool
from server.event_loop import fastest_loop, server_clock, spare_the_collector
from server.events.options import EventOptions, event_options
from server.events.service import EventService, courier_for
from server.events.topics import Topics
from server.game_server import GameServer, TablesServer
from server.games.folder import GameFolder
from server.games.library import Library
from server.gateway_process import serve_gateway
from server.housekeeping import Housekeeping
from server.ops import logs
from server.ops.command_line import hide_argument
from server.ops.host_lines import (
    admin_page,
    ready_lines,
    role_line,
    stopped_line,
    terminal_lines,
)
from server.ops.isolation import forever, once
from server.ops.metrics import Metrics, watch_loop
from server.ops.settings import Settings, SettingsError
from server.ops.settings_sources import add_arguments, settings_from, unknown_variables
from server.ops.stop_limit import StopLimit
from server.process_roles import BusOptions, OwnPeer, bus_options
from server.store import BadDatabase, Found, Store, StoreError, moment
from server.store.database import database_url
from server.ticker import Ticker, load_sleepers
from server.transport.gateway import Gateway
from server.transport.status_pages import StatusPages
from server.worker_process import serve_bots

__all__ = ["add_arguments", "run"]

log = structlog.get_logger()

EXIT_FAILED = 1
EXIT_USAGE = 2
DRAIN_SHARE = 0.4
"""The share of the time to stop that is for the disk; half is for clients, the rest to end."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM; docs/hosting.md tells what the exit codes mean."""
    try:
        settings = settings_from(arguments)
    except SettingsError as error:
        complain("blackqueen serve", str(error))
        return EXIT_USAGE
    logs.configure(settings.log_format, settings.log_level, addresses=settings.log_addresses)
    if settings.plain_bots:
        forbid_compiling()
    if settings.games is not None and not settings.games.expanduser().exists():
        complain("blackqueen serve", f"--games {settings.games}: there is no such folder")
        return EXIT_USAGE
    try:
        events, bus = event_options(settings), bus_options(settings)
    except SettingsError as error:
        complain("blackqueen serve", str(error))
        return EXIT_USAGE
    for secret in (settings.events, settings.bus, settings.database_url):
        if secret is not None:
            hide_argument(secret)
    try:
        if "tables" in settings.roles:
            database_url(settings.database)
    except BadDatabase as error:
        complain("blackqueen serve", f"--database-url: {error}")
        return EXIT_USAGE
    try:
        with asyncio.Runner(loop_factory=fastest_loop()) as runner:
            runner.run(_serve(settings, events, bus))
    except (StoreError, SocketUnusable, OSError) as error:
        complain("blackqueen serve", str(error))
        return EXIT_FAILED
    return 0


async def _serve(
    settings: Settings, events: EventOptions | None, options: BusOptions | None
) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.loop_exception)
    stop, limit = asyncio.Event(), StopLimit(settings.drain_seconds)

    def told_to_stop() -> None:
        limit.begin()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told_to_stop)
    metrics = Metrics(settings.roles)
    tell_what_is_ignored(os.environ)
    peer = None if options is None else OwnPeer(options, loop.time, loop.call_soon)
    if peer is not None and "tables" not in settings.roles:
        with _alone():
            if "gateway" in settings.roles:
                await serve_gateway(settings, peer, metrics, server_clock(), stop)
            else:
                await serve_bots(settings, peer, metrics, server_clock(), stop, limit)
        log.info("stopped")
        return
    store = await Store.open(
        settings.database, observe=metrics.committed, new=settings.new_database
    )
    tell_what_was_found(store.found)
    bots: BotPool | BotsOverBus
    if peer is None or "bots" in settings.roles:
        bots = pool = BotPool(settings.workers, metrics.bot_chose)
        limit.children = lambda: pool.pids
    else:
        bots = BotsOverBus(peer.bytes, loop.time, metrics.bot_chose)
    library = library_for(settings, store)
    try:
        with _alone():
            open_tables, port = await _listen(
                settings, store, library, bots, metrics, stop, events, peer
            )
    finally:
        library.close()
        bots.close()
        await store.close()
    log.info("stopped")
    if peer is None and sys.stdout.isatty():
        say(stopped_line(settings, open_tables, port), flush=True)


async def _listen(
    settings: Settings,
    store: Store,
    library: Library,
    bots: BotPool | BotsOverBus,
    metrics: Metrics,
    stop: asyncio.Event,
    options: EventOptions | None,
    peer: OwnPeer | None,
) -> tuple[int, int]:
    """Serve until `stop` is set; returns how many open tables are kept then, and the port."""
    ticker, now = Ticker(), server_clock()
    if not settings.plain_bots:
        tell_what_is_missing()
    events = None if options is None else _events(options, settings, store, metrics, now)
    server: TablesServer
    if peer is None:
        server = GameServer(settings, library, store, bots, metrics, now, ticker.wake, events)
    else:
        server = TablesServer(
            peer.bus, settings, library, store, bots, metrics, now, ticker.wake, events
        )
    await library.refresh()
    await server.open()
    async with asyncio.TaskGroup() as tasks:
        # One task that raises would end the whole group, and with it the server.
        admins = Administrators(settings, server, store, now) if settings.has_admin else None
        pages = None if admins is None else admins.pages.answer
        doors: Gateway | StatusPages
        if isinstance(server, GameServer):
            doors = Gateway(settings, server, metrics, server.ready, now, tasks.create_task, pages)
        else:
            ready = partial(_ready, server, peer)
            doors = StatusPages(settings, metrics, ready, server.remark, now, pages)
        helpers = [
            tasks.create_task(ticker.run(server, now)),
            tasks.create_task(load_sleepers(server)),
            tasks.create_task(forever("review_failed", server.reviews.work)),
            tasks.create_task(forever("lag_unseen", partial(watch_loop, metrics.lagged))),
        ]
        metrics.watch_bots(lambda: bots.ready)
        if settings.warm_bots and isinstance(bots, BotPool):
            helpers.append(tasks.create_task(once("bots_not_warmed", bots.warm())))
        if events is not None:
            helpers.append(tasks.create_task(events.run()))
        house = Housekeeping(
            settings, store, server.links, server.guests, server.bans, server.tables.directory, now
        )
        helpers.append(tasks.create_task(forever("rows_not_deleted", house.run)))
        async with doors.listen() as listener, _administered(settings, admins):
            host, port = listener.sockets[0].getsockname()[:2]
            if admins is not None:
                admins.administration.page = admin_page(settings, host, port)
            log.info("listening", host=host, port=port)
            spare_the_collector()
            if peer is not None:
                # Only now: whoever finds these tables may play at them.
                helpers.append(tasks.create_task(forever("bus_failed", peer.run)))
                say(role_line(settings, host, port), flush=True)
            else:
                say(*ready_lines(settings, host, port), flush=True)
            if peer is None and sys.stdout.isatty():
                say(*terminal_lines(settings, host, port), flush=True)
            await stop.wait()
            await _drain(server, store, settings.drain_seconds * DRAIN_SHARE)
        for helper in helpers:
            helper.cancel()
    return sum(server.tables.directory.phases().values()), port


def _events(
    options: EventOptions,
    settings: Settings,
    store: Store,
    metrics: Metrics,
    now: Callable[[], float],
) -> EventService:
    """The public events of this server; aliases of private tables stay while its database does."""
    topics = Topics(options.prefix, store.found.identity)
    url = None if settings.public is None else settings.public.websocket
    courier = courier_for(options, topics, version("blackqueen"), url)
    events = EventService(courier, topics, now)
    metrics.watch_public_events(events.counts)
    return events


class Administrators:
    """What answers administrators: at the socket, and in a browser."""

    def __init__(
        self, settings: Settings, server: TablesServer, store: Store, now: Callable[[], float]
    ) -> None:
        audit = AuditLog(socket_path(settings.data).with_name(AUDIT_FILE), now)
        keys = BrowserKeys(now)
        self.administration = Administration(server, store, now, audit, keys)
        self.listener = AdminListener(self.administration, audit)
        self.pages = AdminPages(self.administration, keys, audit)


@asynccontextmanager
async def _administered(settings: Settings, admins: Administrators | None) -> AsyncIterator[None]:
    """Answer administrators while the context lasts, if that is wanted and can be done.

    `SocketUnusable` if it cannot be done and the settings ask for it by name.
    """
    if admins is None:
        yield
        return
    path = socket_path(settings.data)
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(admins.listener.listen(path))
        except SocketUnusable as error:
            if settings.admin:
                raise
            log.warning("admin_unavailable", reason=str(error))
        yield


def tell_what_was_found(found: Found) -> None:
    """Log what was found in the database, and what of it is missing or damaged."""
    last = "unknown" if found.last_entry is None else moment(found.last_entry)
    log.info(
        "database_opened",
        tables=found.tables,
        open_tables=found.open_tables,
        entries=found.entries,
        last_entry=last,
        recovered_pages=found.recovered_pages,
    )
    if found.is_other:
        reason = "this is not the database that was here before; was it put here on purpose?"
        log.warning("database_replaced", reason=reason)
    if found.last is not None and any(found.missing):
        # Of what was acknowledged; a restored backup has the same effect.
        log.error(
            "database_older",
            entries=found.missing.entries,
            commits=found.missing.commits,
            last_entry=last,
            reason=f"it was written until {found.last.moment}, and what was written last is not in "
            "it: its write-ahead log was damaged or removed, or a backup was put in its place",
        )


def tell_what_is_missing() -> None:
    """Log once which games have bots that are not on offer here."""
    games = [info.id for info in GAMES if withheld(info.id)]
    if games:
        reason = (
            f"the strongest bots of {', '.join(games)} are not on offer: they need Numba, which"
        )
        log.warning("numba_missing", reason=f"{reason} blackqueen[strong] installs")


def tell_what_is_ignored(environment: Mapping[str, str]) -> None:
    """Log which environment variables look like settings and are none."""
    for reason in unknown_variables(environment):
        log.warning("unknown_variable", reason=reason)


def library_for(settings: Settings, store: Store) -> Library:
    """The games of the program, and those of the folder in the settings if there is one."""
    folder = None if settings.games is None else GameFolder(settings.games.expanduser())
    return Library(GAMES, store.description, folder)


@contextmanager
def _alone() -> Iterator[None]:
    """Let the one error that ended a group of tasks out of its group."""
    try:
        yield
    except BaseExceptionGroup as group:
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise


async def _ready(server: TablesServer, peer: OwnPeer | None) -> str:
    """Why no games can be played at these tables now; "" if they can."""
    return await server.ready() or ("" if peer is None else peer.why_unreachable())


async def _drain(server: TablesServer, store: Store, patience: float) -> None:
    """Tell all clients, let pending writes reach the disk, close all connections."""
    log.info("draining", connections=len(server.links), waiting=store.waiting)
    server.drain()
    with suppress(TimeoutError, StoreError):
        async with asyncio.timeout(patience):
            # Writes are made in order: when this one is done, all before it are.
            await store.ping()
    server.hang_up()
