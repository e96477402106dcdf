"""The server's log: events with fields on stderr, without hidden information.

Only the names in `FIELDS` may be logged, and only as plain values, because a view, a hand or a seed
slips into a log line more easily than into a message to a client. In production a field that is not
allowed is dropped and named; tests refuse it. Likewise an exception is logged with its places in
the code but no values of variables, and its message only if it is of a kind that never mentions a
table's cards.
"""

import logging
import re
import sys
from asyncio import AbstractEventLoop
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from traceback import extract_tb
from types import TracebackType
from typing import Any, Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger
from websockets.exceptions import WebSocketException

from protocol.safe_text import safe_text
from server.ops.settings import SettingsError
from server.ops.tracing import CAUSE, trace_id
from server.rate_limit import TokenBucket
from server.store.errors import StoreError
from server.table.errors import BadLog

# fmt: off
FIELDS = frozenset({
    "address", "attempt", "broker", "code", "commits", "connections", "count", "entries", "epoch",
    "game", "host", "kind", "last_entry", "message_type", "node", "open_tables", "pid", "player",
    "port", "reason", "recovered_pages", "resumed", "seat", "seconds", "seq", "state", "strength",
    "table", "tables", "topic", "total", "uid", "waiting",
})
# fmt: on
"""The fields that a log event may have. None may ever hold what a seat does not show."""

STANDARD = frozenset(
    {"event", "level", "timestamp", "logger", "exception", "dropped", "left_out", "trace_id"}
)
"""Fields that the log itself adds."""

COMPLAINTS = ("warning", "error", "critical")
OF_CLIENTS = ("player_welcomed", "command_refused", "connection_refused", "connection_cut")
"""Events of the access log, which any client can cause."""
LINES_PER_SECOND = 20.0
LINE_BURST = 200
"""How many lines of one complaint, or of one of these events, are written: so many at once, then so
many a second."""

SPEAKING: tuple[type[BaseException], ...] = (
    BadLog,
    OSError,
    SettingsError,
    StoreError,
    WebSocketException,
)
"""Exceptions whose message is logged; the message of others may name a card."""

EVENT_NAME = re.compile(r"[a-z][a-z0-9_]*")

OTHERS = {
    "": logging.WARNING,
    "server.store.database": logging.INFO,
    "alembic": logging.WARNING,
    # At lower levels websockets logs the frames, and SQLAlchemy the statements.
    "websockets": logging.WARNING,
    "sqlalchemy": logging.WARNING,
    "asyncio": logging.WARNING,
}
"""The least severe events of loggers of the standard library, whatever level the log itself has."""


class FieldRefused(Exception):
    """A log event has a field that is not in `FIELDS`, or a value that is not plain."""


class AllowedFields:
    """The log processor that keeps allowed fields, and drops or refuses others."""

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        """Return the event with the allowed fields only; raise `FieldRefused` if strict."""
        wrong = [
            name
            for name, value in event.items()
            if name not in STANDARD
            and name != "exc_info"
            and (name not in FIELDS or not isinstance(value, str | int | float | None))
        ]
        named = EVENT_NAME.fullmatch(str(event.get("event"))) is not None
        if self._strict and (wrong or not named):
            raise FieldRefused(
                f"log event {event.get('event')!r}, fields {', '.join(wrong) or 'in order'}: an "
                "event is a snake_case name, its fields are in `FIELDS` and plain values"
            )
        for name in wrong:
            del event[name]
        if wrong:
            event["dropped"] = ",".join(wrong)
        if not named:
            # Its text may have been put together from anything.
            event["event"] = "unnamed"
        return event


class LogRateLimit:
    """The log processor that omits complaints and events of clients that come too often.

    Any client, or another process with its requests, could otherwise fill the disk. The next line
    of the event has the number of omitted ones (`left_out`). `now` returns seconds.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._buckets: dict[str, TokenBucket] = {}
        self._left_out: Counter[str] = Counter()

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        """Return the event, or raise `DropEvent` to omit it."""
        is_of_client = method == "info" and event["event"] in OF_CLIENTS
        if method not in COMPLAINTS and not is_of_client:
            return event
        name, now = str(event["event"]), self._now()
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = TokenBucket.full(LINES_PER_SECOND, LINE_BURST, now)
            self._buckets[name] = bucket
        if not bucket.take(now):
            self._left_out[name] += 1
            raise structlog.DropEvent
        if left_out := self._left_out.pop(name, 0):
            event["left_out"] = left_out
        return event


def configure(
    form: Literal["auto", "json", "console"] = "auto",
    level: Literal["auto", "debug", "info", "warning", "error"] = "auto",
    stream: TextIO | None = None,
    *,
    addresses: bool = True,
) -> None:
    """Send the log, and the logs of the libraries, to `stream` (stderr).

    Without `addresses` no line has a client's address.
    """
    out = sys.stderr if stream is None else stream
    if level == "auto":
        level = "warning" if out.isatty() else "info"
    console = out.isatty() if form == "auto" else form == "console"
    common: list[Processor] = [
        structlog.processors.add_log_level,
        # A person compares it with the clock on the wall.
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if console else "iso", utc=not console),
        add_trace,
    ]
    ending: list[Processor] = [_exception_as_data, structlog.processors.JSONRenderer()]
    if console:
        # Quoted, so that no player's choice of words can move the cursor or forge a line.
        renderer = structlog.dev.ConsoleRenderer(colors=out.isatty(), repr_native_str=True)
        ending = [_exception_as_lines, _printable_event, renderer]
    hiding: list[Processor] = [] if addresses else [_without_address]
    structlog.configure(
        processors=[AllowedFields(strict=False), LogRateLimit(), *hiding, *common, *ending],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _Lines(out),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *common],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending],
        )
    )
    logging.getLogger().handlers[:] = [handler]
    for name, least in OTHERS.items():
        logging.getLogger(name).setLevel(max(least, getattr(logging, level.upper())))


def add_trace(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """The log processor that adds the trace of the line's command."""
    cause = CAUSE.get()
    if cause is not None:
        event["trace_id"] = trace_id(cause)
    return event


# The context is what asyncio happens to know; its exception is all that is looked at.
def loop_exception(loop: AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an exception of the event loop, as asyncio's own message would quote the exception."""
    structlog.get_logger().error("callback_failed", exc_info=context.get("exception"))


class _Lines:
    """Writes whole lines; a broken log stream must not stop the games."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def msg(self, line: str) -> None:
        """Write one line."""
        with suppress(OSError, ValueError):
            self._out.write(line + "\n")
            self._out.flush()

    debug = info = warning = error = critical = msg


def describe(error: BaseException) -> dict[str, object]:
    """Return an exception as plain data: its type, its places in the code, its causes."""
    told: dict[str, object] = {"type": f"{type(error).__module__}.{type(error).__qualname__}"}
    if isinstance(error, SPEAKING):
        told["message"] = safe_text(str(error))
    told["frames"] = _frames(error.__traceback__)
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and cause is not error:
        told["cause"] = describe(cause)
    if isinstance(error, BaseExceptionGroup):
        told["group"] = [describe(part) for part in error.exceptions]
    return told


def _frames(traceback: TracebackType | None) -> list[str]:
    return [f"{place.filename}:{place.lineno} {place.name}" for place in extract_tb(traceback)]


def _without_address(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    event.pop("address", None)
    return event


def _exception_as_data(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    error = _exception(event)
    if error is not None:
        event["exception"] = describe(error)
    return event


def _exception_as_lines(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    error = _exception(event)
    if error is not None:
        event["exception"] = "\n".join(_lines(describe(error)))
    return event


def _printable_event(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    event["event"] = safe_text(str(event["event"]))
    return event


def _exception(event: EventDict) -> BaseException | None:
    """Remove the exception from an event, in whatever form it was given."""
    given = event.pop("exc_info", None)
    if isinstance(given, BaseException):
        return given
    if isinstance(given, tuple):
        return given[1] if isinstance(given[1], BaseException) else None
    return sys.exc_info()[1] if given else None


def _lines(told: Mapping[str, object], indent: str = "") -> list[str]:
    words = f": {told['message']}" if "message" in told else ""
    lines = [f"{indent}{told['type']}{words}"]
    frames, cause, group = told["frames"], told.get("cause"), told.get("group")
    if isinstance(frames, list):
        lines += [f"{indent}  {frame}" for frame in frames]
    if isinstance(cause, dict):
        lines += [f"{indent}caused by", *_lines(cause, indent + "  ")]
    if isinstance(group, list):
        for part in group:
            lines += [f"{indent}and in it", *_lines(part, indent + "  ")]
    return lines
