"""`blackqueen serve`: starts a server process by its settings, and ends it in time."""

import argparse
import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from bots.search.compiled import forbid_compiling
from protocol.safe_text import complain
from server.admin.socket_file import SocketUnusable
from server.event_loop import fastest_loop
from server.events.broker import Broker, broker_of
from server.net.tls import listening
from server.ops import logs
from server.ops.command_line import hide_argument
from server.ops.encryption import check_database
from server.ops.metrics import Metrics
from server.ops.node_url import node_url
from server.ops.settings import Settings, SettingsError
from server.ops.settings_sources import add_arguments, settings_from
from server.ops.start_lines import tell_what_is_ignored
from server.ops.stop_limit import StopLimit
from server.process import serve
from server.store import BadDatabase, StoreError
from server.store.database import database_url

__all__ = ["add_arguments", "run"]

log = structlog.get_logger()

EXIT_FAILED = 1
EXIT_USAGE = 2


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM; docs/hosting.md explains the exit codes."""
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
        broker = broker_of(settings)
        listening(settings)
        node_url(settings)
    except SettingsError as error:
        complain("blackqueen serve", str(error))
        return EXIT_USAGE
    for secret in (settings.events, settings.database_url):
        if secret is not None:
            hide_argument(secret)
    try:
        check_database(database_url(settings.database), settings)
    except BadDatabase as error:
        complain("blackqueen serve", f"--database-url: {error}")
        return EXIT_USAGE
    except SettingsError as error:
        complain("blackqueen serve", str(error))
        return EXIT_USAGE
    try:
        with asyncio.Runner(loop_factory=fastest_loop()) as runner:
            runner.run(_serve(settings, broker))
    except (StoreError, SocketUnusable, OSError) as error:
        complain("blackqueen serve", str(error))
        return EXIT_FAILED
    return 0


async def _serve(settings: Settings, broker: Broker | None) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.loop_exception)
    stop, limit = asyncio.Event(), StopLimit(settings.drain_seconds)

    def told_to_stop() -> None:
        limit.begin()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told_to_stop)
    metrics = Metrics()
    tell_what_is_ignored(os.environ)
    with _alone():
        await serve(settings, metrics, stop, limit, broker)
    log.info("stopped")


@contextmanager
def _alone() -> Iterator[None]:
    """Unwrap the one error that ended a group of tasks."""
    try:
        yield
    except BaseExceptionGroup as group:
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise
