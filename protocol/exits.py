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


class UsageError(Exception):
    """The command line asks for something impossible; the text says what is possible."""


class EngineFailed(Exception):
    """The program that chooses the moves has failed; the text says how."""


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
    """The exit code and the sentence for an exception; of a group the first one counts."""
    match error:
        case ExceptionGroup(exceptions=(first, *_)):
            return verdict(first)
        case ConnectionLost():
            return Exit.UNREACHABLE, str(error)
        case ProtocolError(reason=reason):
            return Exit.REFUSED, reason
        case UsageError():
            return Exit.USAGE, str(error)
        case EngineFailed() | IllegalMove():
            return Exit.ENGINE_FAILED, str(error)
        case BrokenPipeError():
            return Exit.INTERNAL, "the output is closed"
    return Exit.INTERNAL, f"{type(error).__name__}: {error}"


async def _until_terminated(main: Coroutine[Any, Any, Exit]) -> Exit:
    """Cancel the client on SIGTERM, as Ctrl-C does, so that it can clean up.

    SIGHUP, by which a terminal says that it was closed, cancels it too, and then ends it in any
    case.
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
    """Print one line for an error in a callback or a lost task, for which nobody waits."""
    if os.environ.get("BLACKQUEEN_DEBUG"):
        loop.default_exception_handler(context)
        return
    error = context.get("exception")
    reason = verdict(error)[1] if isinstance(error, Exception) else str(context["message"])
    # The terminal may be gone, and a failure in here would be told by the same way.
    with suppress(OSError):
        complain("blackqueen", reason)
