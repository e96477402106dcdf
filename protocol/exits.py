"""How client programs end: one table of exit codes, and no traceback before a player's eyes."""

import asyncio
import os
import signal
from collections.abc import Coroutine
from contextlib import suppress
from enum import IntEnum
from typing import Any

from protocol.errors import ConnectionLost, IllegalMove, ProtocolError
from protocol.safe_text import complain

HANG_UP_SECONDS = 5.0
"""How long a client may clean up when its terminal was closed: nobody sees it any more."""


class Exit(IntEnum):
    """What a client's exit code means; docs/playing.md tells it to people."""

    DONE = 0
    INTERNAL = 1
    USAGE = 2
    UNREACHABLE = 3
    REFUSED = 4
    ENGINE_FAILED = 5
    INTERRUPTED = 130
    TERMINATED = 143


class Mistake(Exception):
    """The command line asks for something that cannot be; the text says what would."""


class EngineFailed(Exception):
    """The program that was to choose the moves failed at it; the text says how."""


def run_client(main: Coroutine[Any, Any, Exit]) -> int:
    """Run a client to its end; what goes wrong becomes one line on stderr and an exit code.

    With BLACKQUEEN_DEBUG set, an error of our own shows its traceback.
    """
    try:
        return asyncio.run(_until_terminated(main))
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except asyncio.CancelledError:
        return Exit.TERMINATED
    except Exception as error:
        if os.environ.get("BLACKQUEEN_DEBUG"):
            raise
        code, reason = verdict(error)
        complain("blackqueen", reason)
        return code


def verdict(error: Exception) -> tuple[Exit, str]:
    """The exit code and the sentence for what ended a client; of a group the first counts."""
    match error:
        case ExceptionGroup(exceptions=(first, *_)):
            return verdict(first)
        case ConnectionLost():
            return Exit.UNREACHABLE, str(error)
        case ProtocolError(reason=reason):
            return Exit.REFUSED, reason
        case Mistake():
            return Exit.USAGE, str(error)
        case EngineFailed() | IllegalMove():
            return Exit.ENGINE_FAILED, str(error)
        case BrokenPipeError():
            return Exit.INTERNAL, "the output is closed"
    return Exit.INTERNAL, f"{type(error).__name__}: {error}"


async def _until_terminated(main: Coroutine[Any, Any, Exit]) -> Exit:
    """SIGTERM ends a client as Ctrl-C does, by cancelling it, so that it can clean up.

    So does SIGHUP, by which a terminal says that it was closed; then the end comes in any case.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def hang_up() -> None:
        task.cancel()
        loop.call_later(HANG_UP_SECONDS, os._exit, Exit.TERMINATED)

    loop.set_exception_handler(_tell)
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    loop.add_signal_handler(signal.SIGHUP, hang_up)
    return await main


def _tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """One line for what went wrong where nobody waits for it, in a callback or a lost task."""
    if os.environ.get("BLACKQUEEN_DEBUG"):
        loop.default_exception_handler(context)
        return
    error = context.get("exception")
    reason = verdict(error)[1] if isinstance(error, Exception) else str(context["message"])
    # The terminal may be gone, and a failure in here would be told by the same way.
    with suppress(OSError):
        complain("blackqueen", reason)
