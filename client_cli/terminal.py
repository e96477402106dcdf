"""The person at the keyboard: lines from a terminal with completion, or from a pipe."""

import asyncio
import os
import shutil
import signal
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from client_cli.text import Look
from protocol.safe_text import safe_text

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document


class KeyPress(Enum):
    """A key that a person presses instead of typing a line."""

    CTRL_C = "Ctrl-C"
    CTRL_D = "Ctrl-D"


TypedLine: TypeAlias = str | KeyPress
"""What a person types at a table: a line, or one of the keys that mean something there."""
_REFRESH_SECONDS = 1.0
"""How often a prompt with a clock in it is drawn again."""
_LONGEST_LINE = 65536
_CONTROL_KEYS = 6
"""The index of the special keys among a terminal's attributes."""


def interactive() -> bool:
    """Whether a person uses both input and output at a terminal."""
    return _is_terminal(sys.stdin) and _is_terminal(sys.stdout)


def typed_at_terminal() -> bool:
    """Whether a person types, wherever the output goes."""
    return _is_terminal(sys.stdin)


def look_of_stdout(*, ascii_only: bool) -> Callable[[], Look]:
    """The look that standard output needs, asked each time: a terminal may change its width."""
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    # There Python writes UTF-8 all the same, but a user who sets this wants ASCII.
    asked_for_letters = ascii_only or os.environ.get("LC_ALL") in ("C", "POSIX")
    symbols = not asked_for_letters and encoding.startswith("utf")
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    colour = _is_terminal(sys.stdout) and not plain

    def look() -> Look:
        # A line that fills the last cell is broken by some terminals.
        return Look(max(20, shutil.get_terminal_size().columns - 1), symbols, colour)

    return look


def write(text: str) -> None:
    """Write to the present standard output, which a prompt may have replaced."""
    sys.stdout.write(text)  # noqa: TID251 - painted lines or JSON, both made of cleaned text
    sys.stdout.flush()


def signal_terminal(text: str) -> None:
    """Write to the terminal itself, past any prompt: for signs that do not move the cursor."""
    terminal = sys.__stdout__
    if terminal is not None and terminal.isatty():
        terminal.write(text)
        terminal.flush()


def has_title() -> bool:
    """Whether the terminal has a title that programs can set."""
    return os.environ.get("TERM", "dumb") not in ("dumb", "linux")


async def terminal_lines(
    prompt: Callable[[], str], complete: Callable[[str], list[str]]
) -> AsyncIterator[TypedLine]:
    """The lines that a person types; output meanwhile goes above the line being typed.

    The prompt may not handle the event loop's exceptions: it writes them to the terminal, and where
    that is gone each fails and becomes the next, until the memory is full.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.patch_stdout import patch_stdout

    class Moves(Completer):
        def get_completions(
            self, document: "Document", complete_event: "CompleteEvent"
        ) -> "Iterable[Completion]":
            typed = document.text_before_cursor
            # A line that could not be shown unchanged cannot be typed either.
            fit = (line for line in complete(typed) if line == safe_text(line))
            return (Completion(line, start_position=-len(typed)) for line in fit)

    session: PromptSession[str] = PromptSession(completer=Moves(), complete_while_typing=False)
    with end_key_kept(sys.stdin.fileno()), patch_stdout(raw=True):
        while True:
            try:
                yield await session.prompt_async(
                    lambda: safe_text(prompt()),
                    refresh_interval=_REFRESH_SECONDS,
                    set_exception_handler=False,
                )
            except EOFError:
                yield KeyPress.CTRL_D
            except KeyboardInterrupt:
                yield KeyPress.CTRL_C


@contextmanager
def end_key_kept(terminal: int) -> Iterator[None]:
    """Make Ctrl-D an ordinary key.

    A prompt reads it so anyway. But while output is drawn above the prompt, the terminal is in its
    normal mode for a moment, in which it would handle a Ctrl-D itself.
    """
    try:
        import termios
    except ImportError:
        yield  # no Unix, no such terminals
        return
    before = termios.tcgetattr(terminal)
    changed = termios.tcgetattr(terminal)
    changed[_CONTROL_KEYS][termios.VEOF] = bytes((os.fpathconf(terminal, "PC_VDISABLE"),))
    termios.tcsetattr(terminal, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


async def ask_line(question: str) -> str | None:
    """One line from the person at the terminal; None at Ctrl-D."""
    from prompt_toolkit import PromptSession

    session: PromptSession[str] = PromptSession()
    try:
        answer = await session.prompt_async(safe_text(question), set_exception_handler=False)
        return answer.strip()
    except EOFError:
        return None
    except KeyboardInterrupt:
        return await _interrupted()


async def plain_lines() -> AsyncGenerator[TypedLine, None]:
    """The lines that a person types where nothing is drawn: the terminal itself edits them.

    They end when the terminal is gone.
    """
    typed, pressed = asyncio.Event(), asyncio.Event()

    def interrupt() -> None:
        pressed.set()
        typed.set()

    with suppress(OSError), _interrupts_to(interrupt):
        while True:
            await _typed_at(sys.stdin.fileno(), typed)
            if pressed.is_set():
                pressed.clear()
                yield KeyPress.CTRL_C
                continue
            text = _read_line()
            if text is None and not _is_terminal(sys.stdin):
                return
            yield KeyPress.CTRL_D if text is None else text


async def plain_line(question: str = "") -> str | None:
    """One line from the person at a terminal where nothing is drawn; None at Ctrl-D."""
    if question:
        write(f"{safe_text(question).strip()}\n")
    await _typed_at(sys.stdin.fileno(), asyncio.Event())
    return _read_line()


async def _typed_at(keyboard: int, typed: asyncio.Event) -> None:
    """Wait until there is something to read, or until the event is set."""
    loop = asyncio.get_running_loop()
    loop.add_reader(keyboard, typed.set)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(keyboard)
    typed.clear()


def _read_line() -> str | None:
    """The typed line; None at Ctrl-D. The terminal gives whole lines, one at a time."""
    text = os.read(sys.stdin.fileno(), _LONGEST_LINE)
    return text.decode("utf-8", "replace").strip() if text else None


@contextmanager
def _interrupts_to(act: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C do `act` instead of ending the program, as a prompt does it."""
    before = signal.getsignal(signal.SIGINT)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, act)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)


async def piped_lines() -> AsyncIterator[str]:
    """Lines of standard input, whatever it is: a pipe, a file, nothing.

    A thread reads them, because asyncio cannot wait for every kind of input.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def tell(text: str | None) -> None:
        # The loop may have ended while the thread was waiting for the line.
        if not loop.is_closed():
            loop.call_soon_threadsafe(lines.put_nowait, text)

    def read() -> None:
        for text in sys.stdin or ():
            tell(text)
        tell(None)

    threading.Thread(target=read, daemon=True).start()
    while (text := await lines.get()) is not None:
        yield text


async def no_lines() -> AsyncIterator[str]:
    """An input without lines."""
    nothing: tuple[str, ...] = ()
    for text in nothing:
        yield text


async def _interrupted() -> NoReturn:
    """Handle Ctrl-C at a prompt: send the signal that the prompt swallows."""
    signal.raise_signal(signal.SIGINT)
    await asyncio.Event().wait()
    raise AssertionError("the signal cancels whoever waits")


def _is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())
