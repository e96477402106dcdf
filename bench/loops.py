"""The fastest event loop available: uvloop if it is installed."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, or None for asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def run(work: Coroutine[Any, Any, T]) -> T:
    """`work`'s result; the types that a coroutine is sent and yields belong to asyncio."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(work)
