"""Controls one running program and reads its output, with a timeout on every wait."""

import asyncio
import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

SECONDS = 60.0
"""No single step of a program takes longer, on a slow machine either."""
TROUBLE = re.compile(
    r'Traceback \(most recent call last\)|"level": "(?:error|critical)"'
    r"|Warning:|never (?:awaited|retrieved)"
)
"""What no program writes, whatever it is put through."""
LINES_OF_TROUBLE = 30

# A line of `--json` holds any JSON.
Record: TypeAlias = dict[str, Any]


def trouble(said: str) -> str:
    """Return a program's output from the first line that reports trouble, or ""."""
    if not (found := TROUBLE.search(said)):
        return ""
    lines = said[said.rfind("\n", 0, found.start()) + 1 :].splitlines()
    return "\n".join(lines[:LINES_OF_TROUBLE])


class Program(asyncio.SubprocessProtocol):
    """A running program; `lines` and `errors` grow as the program writes."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        self.lines: list[str] = []
        self.errors = ""
        self._begun = b""
        self._news = asyncio.Event()
        self._closed = False

    @property
    def ports(self) -> set[int]:
        """The program's local ports of its TCP connections by IPv4."""
        links = (os.readlink(end) for end in Path(f"/proc/{self.pid}/fd").iterdir())
        own = {link[len("socket:[") : -1] for link in links if link.startswith("socket:")}
        lines = Path(f"/proc/{self.pid}/net/tcp").read_text().splitlines()[1:]
        ends = (line.split() for line in lines)
        return {int(end[1].partition(":")[2], 16) for end in ends if end[9] in own}

    @property
    def pid(self) -> int:
        return self._transport.get_pid()

    @property
    def code(self) -> int | None:
        """The program's exit code; None while the program runs."""
        return self._transport.get_returncode()

    def signal(self, number: signal.Signals) -> None:
        self._transport.send_signal(number)

    def write(self, text: str) -> None:
        """Type on the program's standard input, if it has one."""
        pipe = self._transport.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(text.encode())

    async def line(self, wanted: Callable[[str], bool]) -> str:
        """Return the first output line that is `wanted`; fail if the program ends without one."""
        at = 0
        async with asyncio.timeout(SECONDS):
            while True:
                for text in self.lines[at:]:
                    if wanted(text):
                        return text
                at = len(self.lines)
                assert not self._closed, f"ended without the line waited for\n{self}"
                await self._next()

    async def complaint(self, words: str) -> None:
        """Wait until the program has written these words on standard error."""
        async with asyncio.timeout(SECONDS):
            while words not in self.errors:
                assert not self._closed, f"ended without the words waited for\n{self}"
                await self._next()

    async def ended(self) -> int:
        """Wait until the program has ended and closed its output, and return its exit code."""
        async with asyncio.timeout(SECONDS):
            while not self._closed:
                await self._next()
        assert self.code is not None
        return self.code

    async def done(self) -> None:
        """Wait until the program has ended with the expected exit code."""
        code = await self.ended()
        assert code == 0, f"exit code {code}\n{self}"

    def records(self, *types: str) -> list[Record]:
        """Return the lines of `--json` of these types, or all of them."""
        records: list[Record] = [json.loads(text) for text in self.lines]
        return [record for record in records if not types or record["type"] in types]

    def __str__(self) -> str:
        said = "\n".join(text[:300] for text in self.lines[-20:])
        words = " ".join(self.words)
        return f"--- {words}, exit code {self.code}\n{said}\n--- stderr\n{self.errors[-4000:]}"

    async def _next(self) -> None:
        self._news.clear()
        await self._news.wait()

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.errors += data.decode("utf-8", "replace")
        else:
            *whole, self._begun = (self._begun + data).split(b"\n")
            self.lines += [line.decode() for line in whole]
        self._news.set()

    def connection_lost(self, error: Exception | None) -> None:
        self._closed = True
        self._transport.close()
        self._news.set()


async def table_code(host: Program) -> str:
    """Return the code of the table that a client with `--json` has opened."""
    line = await host.line(lambda text: json.loads(text)["type"] == "table")
    code: str = json.loads(line)["table"]
    return code


async def told(client: Program, seq: int) -> None:
    """Wait until a client with `--json` has received event `seq`."""

    def wanted(text: str) -> bool:
        record: Record = json.loads(text)
        return record["type"] == "event" and bool(record["seq"] >= seq)

    await client.line(wanted)
