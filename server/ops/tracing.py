"""The cause of the present work: the command whose trace id all its log lines have.

A command has a permanent name: its player, client and number. Its trace id is a hash of that. So no
id is made, sent or stored for a move; it is computed when a line is logged, and a command that is
sent again has its earlier id. A `hello` has no such name yet: its id is random. The ids are those
of W3C Trace Context: https://www.w3.org/TR/trace-context/#trace-id
"""

from contextvars import ContextVar, Token
from hashlib import blake2b
from random import SystemRandom
from types import TracebackType
from typing import TypeAlias

_RANDOM = SystemRandom()

Cause: TypeAlias = tuple[object, ...] | str
"""The name of a command, or a trace id."""

CAUSE: ContextVar[Cause | None] = ContextVar("cause", default=None)
"""What the work is for that is done now; None if it is for no command."""


def new_trace() -> str:
    """Return a new random trace id."""
    return _RANDOM.randbytes(16).hex()


def trace_id(cause: Cause | None) -> str:
    """Return the id of the trace, 16 bytes in hexadecimal; "" without a cause."""
    if isinstance(cause, tuple):
        # A named tuple and a plain one with the same items are one name.
        return blake2b(repr(tuple(cause)).encode(), digest_size=16).hexdigest()
    return cause or ""


class caused_by:  # noqa: N801 - it reads as what it does: with caused_by(...)
    """A block whose work has this `cause`, whatever the cause of the work around it is."""

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
