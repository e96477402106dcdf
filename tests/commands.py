"""`blackqueen` in this process: for a command's output, without a new interpreter."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from blackqueen.main import main


@dataclass(frozen=True, slots=True)
class Ended:
    """The output of a command, and its exit code."""

    code: int
    out: str
    errors: str


class Commands:
    """Runs commands below `folder`, with empty input and output as into pipes."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self._capsys = capsys
        for name in [name for name in os.environ if name.startswith("BLACKQUEEN_")]:
            patch.delenv(name)
        patch.setenv("HOME", str(folder))
        for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"):
            patch.setenv(name, str(folder / name.lower()))
        patch.setenv("TMPDIR", str(folder))
        patch.chdir(folder)
        # What `main` replaces for the rest of its process.
        patch.setattr(sys, "excepthook", sys.excepthook)

    def run(self, *words: str) -> Ended:
        """Run `blackqueen WORDS` to its end."""
        self._capsys.readouterr()
        with _nothing_to_read(), _signals_as_before():
            try:
                code = main(words)
            except SystemExit as stop:
                code = int(str(stop.code))
        said = self._capsys.readouterr()
        return Ended(code, said.out, said.err)


@contextmanager
def _nothing_to_read() -> Iterator[None]:
    before = sys.stdin
    with Path(os.devnull).open() as sys.stdin:
        try:
            yield
        finally:
            sys.stdin = before


@contextmanager
def _signals_as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
