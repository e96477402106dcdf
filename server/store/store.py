"""The database for the event loop: writes that report back, reads that are awaited."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeAlias, TypeVar

from server.store.database import database_url, open_engine
from server.store.errors import (
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreOverloaded,
    store_error,
)
from server.store.file_watch import FileWatch
from server.store.health import Health
from server.store.nodes import NodeDetails
from server.store.opening import DatabaseFound, Prepared, prepare
from server.store.reader import Reader
from server.store.rows import TableRow, Write
from server.store.shared_tables import Changes
from server.store.writer import Done, Round, Writer

if TYPE_CHECKING:
    from server.store.membership import Membership

P = ParamSpec("P")
R = TypeVar("R")

Observe: TypeAlias = Callable[[int, int, float], None]
"""Told of every batch how many writes it held, how many of them failed, and its seconds."""


def _asked(
    question: Callable[Concatenate[Reader, P], R],
) -> Callable[Concatenate["Store", P], Coroutine[Any, Any, R]]:
    """Make an awaitable method of the store from a blocking one of its reader."""

    @wraps(question)
    async def ask(store: "Store", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await store._read(question, *args, **kwargs)

    return ask


class Store:
    """The store of the event loop that opened it, which alone may call it."""

    def __init__(self, prepared: Prepared, *, limit: int, observe: Observe | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._limit = limit
        self._observe = observe
        self._prepared = prepared
        self._watch: FileWatch | None = None
        self._writer: Writer | None = None
        self.node: Membership | None = None
        """What this process is among the nodes that share the database, if it is one."""
        self._health = Health(is_file=prepared.ownership is None)
        self._waiting = 0
        self._closed = False
        self._reads = ThreadPoolExecutor(1, thread_name_prefix="store-reader")
        self._reader = Reader(open_engine(prepared.url, writes=False))

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        limit: int = 20_000,
        observe: Observe | None = None,
        new: bool = False,
        node: NodeDetails | None = None,
    ) -> Self:
        """Open the database at `url`, created and brought up to date if need be.

        At most `limit` writes wait; further ones are refused with `StoreOverloaded`. An empty
        database replaces one that is gone only if a `new` one is wanted. A `node` shares the
        database with others.
        """
        prepared = await asyncio.to_thread(prepare, database_url(url), new=new, node=node)
        store = cls(prepared, limit=limit, observe=observe)
        try:
            store._be_node()
            await store._begin()
        except StoreError:
            await store.close()
            raise
        return store

    def _be_node(self) -> None:
        if self._prepared.keeper is None:
            return
        from server.store.membership import Membership

        self.node = Membership(self._prepared.keeper)
        self.node.begin()

    async def _begin(self) -> None:
        prepared = self._prepared
        # The reader has to be there before a disk is full: SQLite needs room to begin reading.
        await self._read(Reader.ping)
        if prepared.claim is not None:
            # SQLite has made its log by now, and keeps it until the last connection is closed.
            path = Path(prepared.url.database or "")
            self._watch = FileWatch(path, prepared.claim.file, prepared.name)
        engine = open_engine(prepared.url, writes=True)
        self._writer = Writer(
            engine,
            self._report,
            prepared.position,
            self._watch,
            prepared.state,
            prepared.ownership,
        )

    @property
    def found(self) -> DatabaseFound:
        """The state of the database when it was opened."""
        return self._prepared.found

    @property
    def waiting(self) -> int:
        """The number of writes that have not been reported yet."""
        return self._waiting

    def commit(self, write: Write, done: Done) -> None:
        """Store `write`, then call `done`: never before this returns, and in the order of calls.

        Only while the result of a commit is unknown, as the connection to the database broke
        meanwhile, later writes are refused before it.
        """
        if self._closed or self._writer is None:
            self._loop.call_soon(done, StoreClosed("the store is closed"))
        elif self._waiting >= self._limit:
            self._loop.call_soon(done, StoreOverloaded(f"{self._waiting} writes are waiting"))
        else:
            self._waiting += 1
            writer = self._writer
            with writer.growing:
                if (growing := writer.open) is not None:
                    growing.writes.append(write)
                    growing.calls.append(done)
                    return
                writer.open = begun = Round(write, done)
            writer.begin(begun)

    async def save(self, write: Write) -> None:
        """Store `write`; return when it is stored, raise `StoreError` otherwise."""
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
        """Commit and report the waiting writes, then close the database."""
        if self._closed:
            return
        self._closed = True
        if self.node is not None:
            self.node.end()
        if self._writer is not None:
            await asyncio.to_thread(self._writer.finish)
        try:
            # Also while nothing can be asked.
            await self._loop.run_in_executor(self._reads, self._reader.close)
        finally:
            self._reads.shutdown()
            if self._watch is not None:
                self._watch.close()
            if self._prepared.keeper is not None:
                # The lease is given back, which takes a moment.
                await asyncio.to_thread(self._prepared.keeper.finish)
            self._prepared.release()

    @property
    def trouble(self) -> StoreError | None:
        """Return why writes were refused just now; None if they were not."""
        return self._health.trouble

    async def ping(self) -> None:
        """Return once the database has been read and something was written to it.

        Raises `StoreError` if either fails, or if other writes were refused just now. All earlier
        writes are written then.
        """
        await self.save(Write())
        await self._read(Reader.ping)
        if self._health.trouble is not None:
            raise self._health.trouble

    # What the reader is asked, each by its own words.
    player_by_token = _asked(Reader.player_by_token)
    player = _asked(Reader.player)
    devices = _asked(Reader.devices)
    review = _asked(Reader.review)
    bans = _asked(Reader.bans)
    load = _asked(Reader.load)
    entries = _asked(Reader.entries)
    description = _asked(Reader.description)
    hosted_games = _asked(Reader.hosted_games)
    hosted_text = _asked(Reader.hosted_text)
    nodes = _asked(Reader.nodes)
    shares = _asked(Reader.shares)
    owner = _asked(Reader.owner)
    node_answers = _asked(Reader.node_answers)
    device_code = _asked(Reader.device_code)
    preferences = _asked(Reader.preferences)
    seats_of = _asked(Reader.seats_of)
    closed_before = _asked(Reader.closed_before)
    old_answers = _asked(Reader.old_answers)
    unseen_players = _asked(Reader.unseen_players)
    unused_descriptions = _asked(Reader.unused_descriptions)
    answer = _asked(Reader.answer)
    last_command = _asked(Reader.last_command)

    async def open_tables(self, codes: Collection[str] | None = None) -> list[TableRow]:
        """Return the tables that are not closed, by age; all, or those of these codes."""
        return await self._read(Reader.tables, codes)

    async def closings(self, codes: Collection[str]) -> dict[str, str]:
        """Return the bodies of the entries that closed these tables, if they are closed."""
        return await self._read(Reader.closings, codes) if codes else {}

    async def changed_since(self, since: int) -> Changes:
        """Return other nodes' changes for this one; with `since` 0 all rows.

        Pass the number in the answer to the next call: no change is missed, but some may be
        returned again.
        """
        assert self.node is not None, "without other nodes nobody else changes anything"
        lease = self.node.lease
        changes = await self._read(Reader.changed_since, lease.name, lease.epoch, since)
        # A standby that is promoted gives numbers again that the primary gave to transactions of
        # which nobody heard, but none up to one that was acknowledged.
        return changes._replace(since=min(changes.since, lease.transaction))

    async def _read(
        self, question: Callable[Concatenate[Reader, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        try:
            asked = partial(question, self._reader, *args, **kwargs)
            answer = partial(self._reader.answered, asked)
            return await self._loop.run_in_executor(self._reads, answer)
        except StoreError:
            raise
        except Exception as error:
            found = store_error(error)
            if isinstance(found, StoreDamaged) and self._watch is not None:
                # Is it this page, or is the file another one?
                self._watch.check()
            raise found from error

    def _report(
        self, written: Round, outcomes: Sequence[StoreError | None], seconds: float
    ) -> None:
        """Have the loop finish a batch, in the writer's thread; a closed loop hears nothing more.

        Whoever opened the store is not whom a report is about, so it has a context of its own.
        """
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(
                self._finish, written, outcomes, seconds, context=Context()
            )

    def _finish(
        self, written: Round, outcomes: Sequence[StoreError | None], seconds: float
    ) -> None:
        self._waiting -= len(outcomes)
        for done, error in zip(written.calls, outcomes, strict=True):
            try:
                done(error)
            # One caller's mistake must not keep the others from their answers.
            except Exception as mistake:
                self._failed(mistake)
        # Nobody waits for what follows.
        if self._observe is not None:
            failed = len(outcomes) - outcomes.count(None)
            try:
                self._observe(len(outcomes), failed, seconds)
            # A fault in counting must not keep anybody from an answer.
            except Exception as mistake:
                self._failed(mistake)
        self._health.tell(written, outcomes, self._loop.time())

    def _failed(self, mistake: Exception) -> None:
        self._loop.call_exception_handler(
            {"message": "a callback of the store failed", "exception": mistake}
        )
