"""Shared by the commands that let bots play: values of the command line, and a progress bar."""

import shutil
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from time import monotonic
from typing import TextIO

_BAR = 24
_SECONDS_BETWEEN = 0.1


def positive(text: str) -> int:
    """A whole number from 1."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return number


def option(text: str) -> tuple[str, int | bool | str]:
    """An option of a game: ``columns=5``, ``hook=false``, ``rules=recycle``."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{text!r} must look like NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.removeprefix("-").isdecimal() else value


def add_options(parser: ArgumentParser, example: str) -> None:
    """Let a command take options of its game, such as the `example`."""
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


class Progress:
    """A progress bar with the rate and the time left, on a terminal alone.

    Redraws one line of `stream` as things get done, at most ten times a second.

    What was `done` before counts as done, and not for the rate.
    """

    def __init__(
        self,
        stream: TextIO,
        total: int,
        what: str,
        clock: Callable[[], float] = monotonic,
        done: int = 0,
    ) -> None:
        self._stream = stream
        self._total = total
        self._what = what
        self._clock = clock
        self._before = done
        self._began = self._drawn = clock()
        self._shown = stream.isatty()

    def show(self, done: int) -> None:
        """Draw the line for `done` of the total, unless it was drawn a moment ago."""
        now = self._clock()
        if self._shown and (done == self._total or now - self._drawn >= _SECONDS_BETWEEN):
            self._drawn = now
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r{self._line(done, now - self._began)[:width]}\x1b[K")
            self._stream.flush()

    def clear(self) -> None:
        """Leave the line empty for what is printed next."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _line(self, done: int, seconds: float) -> str:
        filled = _BAR * done // self._total
        bar = "█" * filled + "·" * (_BAR - filled)
        rate = (done - self._before) / seconds if seconds > 0 else 0.0
        left = f", {_clock_text((self._total - done) / rate)} left" if rate else ""
        return f"{bar} {done}/{self._total} {self._what}, {rate:.1f}/s{left}"


def _clock_text(seconds: float) -> str:
    """Seconds as minutes and seconds, with hours if there are any.

    >>> _clock_text(75.4), _clock_text(7322)
    ('1:15', '2:02:02')
    """
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
