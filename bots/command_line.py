"""Shared by commands that let bots play: argument types, and the progress display."""

import shutil
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from threading import Event, Thread
from time import monotonic
from typing import Self, TextIO, TypeAlias

from protocol.safe_text import say

_BAR = 24
_SECONDS_BETWEEN = 0.1
_SECONDS_TO_FIRST_LINE = 10.0
_SECONDS_BETWEEN_LINES = 60.0
_SLOW = 0.1


def positive(text: str) -> int:
    """The argument type for a whole number from 1."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return number


def option(text: str) -> tuple[str, int | bool | str]:
    """The argument type for a game option: ``columns=5``, ``hook=false``, ``rules=recycle``."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{text!r} must look like NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.removeprefix("-").isdecimal() else value


def add_options(parser: ArgumentParser, example: str) -> None:
    """Add the argument for options of the game, such as the `example`."""
    parser.add_argument(
        "--options",
        "--option",
        type=option,
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help=f"options of the game, such as {example}",
    )


Wait: TypeAlias = Callable[[float], bool]
"""Waits so many seconds, or until there is nothing more to tell; whether that is so."""


@contextmanager
def telling(told: Callable[[], str], stream: TextIO, wait: Wait | None = None) -> Iterator[None]:
    """Write the text of `told` to `stream`, after ten seconds of the block and then each minute.

    `told` is called in a thread of its own.
    """
    over = Event()
    # In the language of whoever asks for it.
    words = (_tell_now_and_then, told, stream, wait or over.wait)
    teller = Thread(target=copy_context().run, args=words, name="telling", daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def _tell_now_and_then(told: Callable[[], str], stream: TextIO, wait: Wait) -> None:
    seconds = _SECONDS_TO_FIRST_LINE
    while not wait(seconds):
        try:
            say(told(), file=stream, flush=True)
        except (OSError, ValueError):
            # Nobody reads it any more.
            return
        seconds = _SECONDS_BETWEEN_LINES


class Progress:
    """The progress of a command: a bar with rate and remaining time on a terminal, else lines.

    The bar is redrawn in one line of `stream` as things get done, at most ten times a second. A
    line comes after ten seconds and then each minute, also if nothing gets done meanwhile; the
    commands that show it run in its ``with`` block. Work `done` before counts as done, but not for
    the rate.
    """

    def __init__(
        self,
        stream: TextIO,
        total: int,
        what: str,
        clock: Callable[[], float] = monotonic,
        done: int = 0,
        wait: Wait | None = None,
    ) -> None:
        self._stream = stream
        self._total = total
        self._what = what
        self._clock = clock
        self._done = done
        self._began = self._drawn = clock()
        # Where the last line told that we were: what comes now may be far slower than what was.
        self._told = (done, self._began)
        self._before = done
        self._shown = stream.isatty()
        self._lines = nullcontext() if self._shown else telling(self._next_line, stream, wait)

    def __enter__(self) -> Self:
        self._lines.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._lines.__exit__(None, None, None)
        if self._shown:
            # The line is left empty for what is printed next.
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def show(self, done: int) -> None:
        """Record the number done, and redraw the bar unless that was just now."""
        self._done = done
        if not self._shown:
            return
        now = self._clock()
        if done == self._total or now - self._drawn >= _SECONDS_BETWEEN:
            self._drawn = now
            filled = _BAR * done // self._total
            bar = "█" * filled + "·" * (_BAR - filled)
            width = shutil.get_terminal_size().columns - 1
            told = f"{bar} {self._so_far(done)}{self._left(self._before, now - self._began)}"
            self._stream.write(f"\r{told[:width]}\x1b[K")
            self._stream.flush()

    def _next_line(self) -> str:
        done, now = self._done, self._clock()
        told = f"{self._so_far(done)} after {_clock_text(now - self._began)}"
        before, at = self._told if done > self._told[0] else (self._before, self._began)
        self._told = (done, now)
        return told + self._left(before, now - at)

    def _so_far(self, done: int) -> str:
        return f"{done}/{self._total} {self._what}"

    def _left(self, before: int, seconds: float) -> str:
        """The rate since the start, and the remaining time at this rate."""
        rate = (self._done - before) / seconds if seconds > 0 else 0.0
        if not rate:
            return ""
        return f", {_figure(rate)}, {_clock_text((self._total - self._done) / rate)} left"


def _figure(rate: float) -> str:
    """A rate, in the unit that makes it a readable number.

    >>> _figure(15), _figure(0.02)
    ('15.0/s', '1.2/min')
    """
    return f"{rate:.1f}/s" if rate >= _SLOW else f"{60 * rate:.1f}/min"


def _clock_text(seconds: float) -> str:
    """Seconds as minutes and seconds, with hours if there are any.

    >>> _clock_text(75.4), _clock_text(7322)
    ('1:15', '2:02:02')
    """
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
