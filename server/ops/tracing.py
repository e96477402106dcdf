"""What the work that is done now is for: the command whose trace id all its log lines have.

A command has a name for ever, its player, client and number, and every process that has to do with
it knows that name. Its trace id is a hash of the name. So nobody makes, sends or keeps an id for a
move; it is computed when a line is logged or a span is written, and a command that is sent again
has the id that it had. What has no such name crosses the bus with a `Trace`.
The ids are those of W3C Trace Context: https://www.w3.org/TR/trace-context/#traceparent-header
"""

import re
from contextvars import ContextVar, Token
from hashlib import blake2b
from random import SystemRandom
from types import TracebackType
from typing import Final, NamedTuple, TypeAlias

_TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])")
_RANDOM = SystemRandom()


class Trace(NamedTuple):
    """A trace by its id, and the span in it that whatever is done now belongs to, in hexadecimal.

    Only what is `sampled` is exported as spans.
    """

    id: str
    span: str
    sampled: bool = True

    @property
    def parent(self) -> str:
        """It as the text that crosses the bus."""
        return f"00-{self.id}-{self.span}-0{self.sampled:d}"


Cause: TypeAlias = tuple[object, ...] | Trace
"""The name of a command, or a trace."""

TABLE: Final = "table"
"""The part of the work for a command that a table does."""
CAUSE: ContextVar[Cause | None] = ContextVar("cause", default=None)
"""What the work is for that is done now; None if it is for no command."""


def new_trace() -> Trace:
    """A trace that nobody else has."""
    return Trace(new_id(16), new_id(8))


def new_id(size: int) -> str:
    """A random id of so many bytes, in hexadecimal."""
    return _RANDOM.randbytes(size).hex()


def read_trace(parent: str) -> Trace | None:
    """The trace in the text that crosses the bus; None if there is none."""
    found = _TRACEPARENT.fullmatch(parent)
    return None if found is None else Trace(found[1], found[2], found[3] == "1")


def parent_of(cause: Cause | None, span: str = "", *, sampled: bool | None = None) -> str:
    """The text that crosses the bus with a request for a cause, from a span; "" for none."""
    if cause is None:
        return ""
    if not isinstance(cause, Trace):
        cause = Trace(trace_id(cause), span_id(cause, TABLE))
    wanted = cause.sampled if sampled is None else sampled
    return Trace(cause.id, span or cause.span, wanted).parent


def trace_id(cause: Cause) -> str:
    """The id of the trace: 16 bytes in hexadecimal."""
    return cause.id if isinstance(cause, Trace) else _hash(cause, 16)


def span_id(cause: Cause, *part: object) -> str:
    """The id of a part of the work for a command, the same in every process: 8 bytes."""
    return _hash((trace_id(cause), *part), 8)


class caused_by:  # noqa: N801 - it reads as what it does: with caused_by(...)
    """A block that is done for `cause`, whatever was the cause of what is done around it."""

    __slots__ = ("_cause", "_token")

    def __init__(self, cause: Cause | None) -> None:
        self._cause = cause

    def __enter__(self) -> None:
        self._token: Token[Cause | None] = CAUSE.set(self._cause)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        CAUSE.reset(self._token)


def _hash(name: tuple[object, ...], size: int) -> str:
    # A named tuple and a plain one with the same items are one name.
    return blake2b(repr(tuple(name)).encode(), digest_size=size).hexdigest()
