"""The database as the event loop sees it: writes that report back, reads that are awaited."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import ParamSpec, Self, TypeAlias, TypeVar

from sqlalchemy.engine import URL

from server.store.claim import Claim
from server.store.database import database_url, open_engine, prepare
from server.store.errors import StoreClosed, StoreError, StoreOverloaded, store_error
from server.store.reader import Reader
from server.store.rows import AnswerRow, EntryRow, PlayerRow, ResultRow, TableRow, Write
from server.store.writer import Done, Waiting, Writer

P = ParamSpec("P")
R = TypeVar("R")

Observe: TypeAlias = Callable[[int, int, float], None]
"""Told of every batch how many writes it held, how many of them failed, and its seconds."""


class Store:
    """Belongs to the event loop that opened it, and is called from there alone."""

    def __init__(
        self, url: URL, claim: Claim | None, *, limit: int, observe: Observe | None
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._limit = limit
        self._observe = observe
        self._claim = claim
        self._fresh: list[Waiting] = []
        self._waiting = 0
        self._closed = False
        self._writer = Writer(open_engine(url, writes=True), self._report)
        self._reads = ThreadPoolExecutor(1, thread_name_prefix="store-reader")
        self._reader = Reader(open_engine(url, writes=False))

    @classmethod
    async def open(cls, url: str, *, limit: int = 20_000, observe: Observe | None = None) -> Self:
        """Open the database at `url`, created and brought up to date if need be.

        At most `limit` writes wait; what is too much is refused with `StoreOverloaded`.
        """
        parsed = database_url(url)
        claim = await asyncio.to_thread(prepare, parsed)
        store = cls(parsed, claim, limit=limit, observe=observe)
        # The reader has to be there before a disk is full: SQLite needs room to begin reading.
        try:
            await store._read(store._reader.ping)
        except StoreError:
            await store.close()
            raise
        return store

    @property
    def waiting(self) -> int:
        """Writes that have not been reported yet."""
        return self._waiting

    def commit(self, write: Write, done: Done) -> None:
        """Store `write`, then call `done`: never before this returns, and in the order of calls."""
        if self._closed:
            self._loop.call_soon(done, StoreClosed("the store is closed"))
        elif self._waiting >= self._limit:
            self._loop.call_soon(done, StoreOverloaded(f"{self._waiting} writes are waiting"))
        else:
            self._waiting += 1
            # All that the loop does in one round goes to the writer in one piece.
            if not self._fresh:
                self._loop.call_soon(self._hand_over)
            self._fresh.append((write, done))

    async def save(self, write: Write) -> None:
        """Store `write`; returns when it is safe, raises `StoreError` when it is not."""
        stored: asyncio.Future[None] = self._loop.create_future()

        def done(error: Exception | None) -> None:
            if stored.cancelled():
                return
            if error is None:
                stored.set_result(None)
            else:
                stored.set_exception(error)

        self.commit(write, done)
        await stored

    async def close(self) -> None:
        """Commit what waits and report it, then close the database."""
        if self._closed:
            return
        self._closed = True
        self._hand_over()
        await asyncio.to_thread(self._writer.finish)
        try:
            await self._read(self._reader.close)
        finally:
            self._reads.shutdown()
            if self._claim is not None:
                self._claim.release()

    async def ping(self) -> None:
        """Return once the database has been read and could be written, else raise `StoreError`."""
        await self.save(Write())
        await self._read(self._reader.ping)

    async def player_by_token(self, token_hash: str) -> PlayerRow | None:
        return await self._read(self._reader.player_by_token, token_hash)

    async def load(self, code: str) -> tuple[TableRow, list[EntryRow]] | None:
        """A table and its whole log in order, as of one moment."""
        return await self._read(self._reader.load, code)

    async def description(self, digest: str) -> str | None:
        """The text of a game description, None if there is none of this digest."""
        return await self._read(self._reader.description, digest)

    async def open_tables(self) -> list[TableRow]:
        """The tables that are not closed, by age."""
        return await self._read(self._reader.tables)

    async def closed_before(self, moment: float, limit: int) -> list[str]:
        """Tables whose last entry closed them before `moment`, at most `limit` of them."""
        return await self._read(self._reader.closed_before, moment, limit)

    async def answer(
        self, player: str, client: str, command: int, tables: Collection[str]
    ) -> EntryRow | AnswerRow | None:
        """What came of a command: the entry it wrote, else the answer it got, else nothing yet.

        A move is found if it is in the log of one of `tables`.
        """
        return await self._read(self._reader.answer, player, client, command, tables)

    async def last_command(self, player: str, client: str, tables: Collection[str]) -> int:
        """The highest number a client has given a command that was answered; 0 if none.

        Moves count if they are in the log of one of `tables`.
        """
        return await self._read(self._reader.last_command, player, client, tables)

    async def results(self, table: str | None = None, limit: int | None = None) -> list[ResultRow]:
        """Results of one table or of all, the latest first."""
        return await self._read(self._reader.results, table, limit)

    async def _read(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await self._loop.run_in_executor(self._reads, lambda: question(*args, **kwargs))
        except Exception as error:
            raise store_error(error) from error

    def _hand_over(self) -> None:
        if self._fresh:
            self._writer.put(self._fresh)
            self._fresh = []

    def _report(
        self, batch: Sequence[Waiting], outcomes: Sequence[StoreError | None], seconds: float
    ) -> None:
        # A loop that was closed while the thread was writing hears nothing more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._finish, batch, outcomes, seconds)

    def _finish(
        self, batch: Sequence[Waiting], outcomes: Sequence[StoreError | None], seconds: float
    ) -> None:
        self._waiting -= len(batch)
        if self._observe is not None:
            failed = sum(error is not None for error in outcomes)
            self._observe(len(batch), failed, seconds)
        for (_, done), error in zip(batch, outcomes, strict=True):
            try:
                done(error)
            # One caller's mistake must not keep the others from their answers.
            except Exception as mistake:
                self._loop.call_exception_handler(
                    {"message": "a callback of the store failed", "exception": mistake}
                )
