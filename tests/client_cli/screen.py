"""A program in a terminal of its own: typed to like a keyboard, read like a screen."""

import asyncio
import fcntl
import os
import pty
import re
import signal
import struct
import termios
from pathlib import Path

from tests.e2e.fork_server import COMMAND, ForkedProcess, may_fork
from tests.e2e.program import Program

SECONDS = 60.0
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>()].?)")
CTRL_C, CTRL_D, TAB, ENTER = "\x03", "\x04", "\t", "\r"


class Screen:
    """Runs `blackqueen WORDS` below `home`; `raw` is its whole output with escape codes."""

    def __init__(self, home: Path, *words: str, columns: int = 80, **environment: str) -> None:
        self.raw = ""
        self._read_to = 0
        self._over = False
        self._news = asyncio.Event()
        self._home = home
        self._master, terminal = pty.openpty()
        size = struct.pack("HHHH", 40, columns, 0, 0)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
        kept = {
            k: v
            for k, v in os.environ.items()
            if k not in ("NO_COLOR", "COLUMNS", "LINES", "LC_ALL")
        }
        self._environment = {
            **kept,
            "HOME": str(home),
            "TMPDIR": str(home),
            "XDG_STATE_HOME": str(home / "state"),
            "TERM": "xterm-256color",
            "LC_MESSAGES": "C",
            "BLACKQUEEN_WARM_BOTS": "false",
            # Nothing here answers the question where the cursor is.
            "PROMPT_TOOLKIT_NO_CPR": "1",
            **environment,
        }
        self._program = Program((str(COMMAND), *words))
        self._forked = may_fork(words, environment)
        self._terminal = terminal

    async def __aenter__(self) -> "Screen":
        await self._start()
        os.close(self._terminal)
        asyncio.get_running_loop().add_reader(self._master, self._hear)
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._program.code is None:
            self.end()
            await self.ended()
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        left = _running_below(self._home)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        print(self.text)
        assert not left, "processes were left behind"

    @property
    def text(self) -> str:
        return without_escapes(self.raw)

    def type(self, text: str, end: str = ENTER) -> None:
        os.write(self._master, (text + end).encode())

    async def sees(self, words: str) -> str:
        """Wait for `words` after what was seen before; returns the text up to them."""
        async with asyncio.timeout(SECONDS):
            while (at := self.text.find(words, self._read_to)) < 0:
                assert not self._over, f"ended without {words!r}"
                self._news.clear()
                await self._news.wait()
        seen = self.text[self._read_to : at + len(words)]
        self._read_to = at + len(words)
        return seen

    def end(self, sign: signal.Signals = signal.SIGTERM) -> None:
        self._program.signal(sign)

    async def ended(self) -> int:
        return await self._program.ended()

    async def alone(self) -> None:
        """Wait until every process that the program started has ended."""
        async with asyncio.timeout(SECONDS):
            while _running_below(self._home):  # noqa: ASYNC110 - they are no children of ours
                await asyncio.sleep(0.02)

    async def _start(self) -> None:
        """Start the program in a session that the terminal controls, so that Ctrl-C is a signal."""
        if self._forked:
            await ForkedProcess(self._program).start(
                self._program.words[1:], self._environment, Path.cwd(), terminal=self._terminal
            )
            return
        await asyncio.get_running_loop().subprocess_exec(
            lambda: self._program,
            *self._program.words,
            env=self._environment,
            stdin=None,
            stdout=None,
            stderr=None,
            preexec_fn=lambda: os.login_tty(self._terminal),
        )

    def _hear(self) -> None:
        try:
            self.raw += os.read(self._master, 65536).decode("utf-8", "replace")
        except OSError:
            # Nobody has the other end open any more.
            asyncio.get_running_loop().remove_reader(self._master)
            self._over = True
        self._news.set()


def without_escapes(raw: str) -> str:
    """The output of a program without escape codes."""
    return _ESCAPES.sub("", raw).replace("\r", "")


def _running_below(home: Path) -> list[int]:
    """The processes whose home directory is `home`."""
    mark = f"HOME={home}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                environment = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if mark in environment:
                found.append(int(folder.name))
    return found
