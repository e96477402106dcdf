"""How client programs end: one table of exit codes, and no traceback before a player's eyes."""

import asyncio
import os
import signal
from collections.abc import Coroutine
from enum import IntEnum
from typing import Any

from protocol.errors import ConnectionLost, IllegalMove, ProtocolError
from protocol.safe_text import complain


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

    So does SIGHUP, by which a terminal says that it was closed.
    """
    task = asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await main
