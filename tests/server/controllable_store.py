"""Stores whose writes a test can refuse, hold and release, and whose reads it can delay."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection
from typing import Concatenate, ParamSpec, TypeVar

from server.names import CommandKey
from server.store import AnswerRow, EntryRow, ForgottenAnswers, Store, TableRow, Write
from server.store.errors import StoreUnavailable
from server.store.reader import Reader
from server.store.writer import Done

P = ParamSpec("P")
R = TypeVar("R")


class ControllableStore(Store):
    """A real store that refuses writes while `broken`, and holds them until released.

    Each read awaits `gate` with the name of the read. While `players_only`, only players who have
    sat are written; everything else is only reported as written, which is fast. `reporting` counts
    the reports still to come, `reading` the reads under way, and `written` what was given to the
    disk.
    """

    broken = False
    players_only = False
    reporting = 0
    reading = 0
    written = 0
    held_writes: list[tuple[Write, Done]] | None = None
    gate: Callable[[str], Awaitable[None]] | None = None

    def commit(self, write: Write, done: Done) -> None:
        if self.held_writes is not None:
            self.held_writes.append((write, done))
            return
        if self.players_only:
            write = Write(players=tuple(row for row in write.players if row.sat))
        if not self.broken and (write.players or not self.players_only):
            self.written += 1
            super().commit(write, done)
            return
        self.reporting += 1
        # Whether the disk works later does not matter: this was not written.
        error = StoreUnavailable("disk full") if self.broken else None

        def report() -> None:
            self.reporting -= 1
            done(error)

        asyncio.get_running_loop().call_soon(report)

    def hold_writes(self) -> None:
        """Hold every write until `release_writes`."""
        self.held_writes = []

    def release_writes(self) -> None:
        """Write the held writes in order, and hold no more."""
        writes, self.held_writes = self.held_writes or [], None
        for write, done in writes:
            self.commit(write, done)

    async def flushed(self) -> None:
        """Return when every earlier write is on the disk."""
        done = asyncio.Event()
        super().commit(Write(), lambda error: done.set())
        await done.wait()

    async def load(self, code: str) -> tuple[TableRow, list[EntryRow]] | None:
        await self._pass("load")
        return await super().load(code)

    async def answer(
        self, player: str, client: str, command: int, tables: Collection[str]
    ) -> EntryRow | AnswerRow | ForgottenAnswers | None:
        await self._pass("answer")
        found = await super().answer(player, client, command, tables)
        await self._pass("answered")
        return found

    async def last_command(self, player: str, client: str, tables: Collection[str]) -> int:
        number = await super().last_command(player, client, tables)
        await self._pass("last_command")
        return number

    async def _read(
        self, question: Callable[Concatenate[Reader, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        self.reading += 1
        try:
            return await super()._read(question, *args, **kwargs)
        finally:
            self.reading -= 1

    async def _pass(self, name: str) -> None:
        if self.gate is not None:
            await self.gate(name)


class MemoryStore(ControllableStore):
    """A store in memory; `logs` is what would be on the disk."""

    logs: defaultdict[str, list[EntryRow]]
    outcomes: dict[CommandKey, EntryRow | AnswerRow]

    def commit(self, write: Write, done: Done) -> None:
        if self.held_writes is None and not self.broken:
            for row in write.entries:
                self.logs[row.table].append(row)
                if row.player is not None and row.client is not None and row.command is not None:
                    self.outcomes[CommandKey(row.player, row.client, row.command)] = row
            for answer in write.answers:
                self.outcomes[CommandKey(answer.player, answer.client, answer.command)] = answer
        super().commit(write, done)

    async def answer(
        self, player: str, client: str, command: int, tables: Collection[str]
    ) -> EntryRow | AnswerRow | None:
        return self.outcomes.get(CommandKey(player, client, command))

    async def last_command(self, player: str, client: str, tables: Collection[str]) -> int:
        numbers = (key.command for key in self.outcomes if key[:2] == (player, client))
        return max(numbers, default=0)

    async def load(self, code: str) -> tuple[TableRow, list[EntryRow]] | None:
        rows = self.logs[code]
        if not rows:
            return None
        return TableRow(code, "", 1, False, "playing", None, rows[-1].seq, 0.0), list(rows)
