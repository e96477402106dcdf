"""The database as the event loop sees it: writes that report back, reads that are awaited."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, Self, TypeAlias, TypeVar

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
from server.store.lease import NodeListener
from server.store.nodes import Node, NodeRow, Owner
from server.store.opening import Found, Prepared, prepare
from server.store.reader import Reader
from server.store.reporting import Reporting
from server.store.rows import (
    AnswerKey,
    AnswerRow,
    BanRow,
    DeviceCode,
    DeviceRow,
    EntryRow,
    Forgotten,
    HostedGame,
    NodeAnswer,
    PlayerRow,
    ResultRow,
    ReviewRow,
    TableRow,
    Write,
)
from server.store.shared_tables import Changes, SharedTable
from server.store.writer import Done, Round, Writer

if TYPE_CHECKING:
    from server.store.membership import Membership

P = ParamSpec("P")
R = TypeVar("R")

Observe: TypeAlias = Callable[[int, int, float], None]
"""Told of every batch how many writes it held, how many of them failed, and its seconds."""


class Store:
    """Belongs to the event loop that opened it, and is called from there alone."""

    def __init__(self, prepared: Prepared, *, limit: int, observe: Observe | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._limit = limit
        self._observe = observe
        self._prepared = prepared
        self._watch: FileWatch | None = None
        self._writer: Writer | None = None
        self._reporting = Reporting(self._loop, self._finish)
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
        node: Node | None = None,
        listener: NodeListener | None = None,
    ) -> Self:
        """Open the database at `url`, created and brought up to date if need be.

        At most `limit` writes wait; what is too much is refused with `StoreOverloaded`. An empty
        database is begun in place of one that is gone only if a `new` one is wanted.
        A `node` shares the database with others; the `listener` is told what becomes of it.
        """
        prepared = await asyncio.to_thread(prepare, database_url(url), new=new, node=node)
        store = cls(prepared, limit=limit, observe=observe)
        try:
            store._be_node(listener)
            await store._begin()
        except StoreError:
            await store.close()
            raise
        return store

    def _be_node(self, listener: NodeListener | None) -> None:
        if self._prepared.keeper is None:
            return
        from server.store.membership import Membership

        self.node = Membership(self._prepared.keeper, listener)
        self.node.begin()

    async def _begin(self) -> None:
        prepared = self._prepared
        # The reader has to be there before a disk is full: SQLite needs room to begin reading.
        await self._read(self._reader.ping)
        if prepared.claim is not None:
            # SQLite has made its log by now, and keeps it until the last connection is closed.
            path = Path(prepared.url.database or "")
            self._watch = FileWatch(path, prepared.claim.file, prepared.name)
        engine = open_engine(prepared.url, writes=True)
        self._writer = Writer(
            engine,
            self._reporting.report,
            prepared.position,
            self._watch,
            prepared.state,
            prepared.ownership,
        )

    @property
    def found(self) -> Found:
        """What lay in the database when it was opened."""
        return self._prepared.found

    @property
    def waiting(self) -> int:
        """Writes that have not been reported yet."""
        return self._waiting

    def commit(self, write: Write, done: Done) -> None:
        """Store `write`, then call `done`: never before this returns, and in the order of calls.

        Only while it is not known what became of a commit, since the connection to the database
        broke meanwhile, what comes after it is refused before.
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
        if self.node is not None:
            self.node.end()
        if self._writer is not None:
            await asyncio.to_thread(self._writer.finish)
        self._reporting.close()
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
        """Why writes were refused just now; None if they were not."""
        return self._health.trouble

    async def ping(self) -> None:
        """Return once the database has been read and something was written to it.

        Raises `StoreError` if either cannot be, or if other writes were refused just now. All that
        was to be written before is written then.
        """
        await self.save(Write())
        await self._read(self._reader.ping)
        if self._health.trouble is not None:
            raise self._health.trouble

    async def player_by_token(self, token_hash: str) -> PlayerRow | None:
        """The player one of whose tokens has this hash, if any."""
        return await self._read(self._reader.player_by_token, token_hash)

    async def player(self, id: str) -> PlayerRow | None:
        """The player of this id, if they are stored."""
        return await self._read(self._reader.player, id)

    async def devices(self, player: str) -> list[DeviceRow]:
        """The devices of a player that have a row, the oldest first."""
        return await self._read(self._reader.devices, player)

    async def review(self, table: str, match: int, seat: int, player: str) -> ReviewRow | None:
        """The review of a seat in a match that was made for a player, if any."""
        return await self._read(self._reader.review, table, match, seat, player)

    async def bans(self) -> list[BanRow]:
        """All bans, also those that are over; the oldest first."""
        return await self._read(self._reader.bans)

    async def load(self, code: str) -> tuple[TableRow, list[EntryRow]] | None:
        """A table and its whole log in order, as of one moment."""
        return await self._read(self._reader.load, code)

    async def entries(self, code: str, after: int) -> list[EntryRow]:
        """The entries of a table's log behind number `after`, in order."""
        return await self._read(self._reader.entries, code, after)

    async def description(self, digest: str) -> str | None:
        """The text of a game description, None if there is none of this digest."""
        return await self._read(self._reader.description, digest)

    async def hosted_games(self) -> list[HostedGame]:
        """What nodes brought for all, by name; of one name the latest last."""
        return await self._read(self._reader.hosted_games)

    async def hosted_text(self, digest: str, rules_digest: str) -> tuple[str, str] | None:
        """The text and the rules page with these digests, if anybody still brings them."""
        return await self._read(self._reader.hosted_text, digest, rules_digest)

    async def nodes(self) -> list[NodeRow]:
        """All nodes that the database ever had, by name; none in a file."""
        return await self._read(self._reader.nodes)

    async def shares(self) -> dict[str, int]:
        """How many open tables each node owns that owns any; nobody does in a file."""
        return await self._read(self._reader.shares)

    async def owner(self, code: str) -> Owner | None:
        """The node that owns an open table, by the name "" if nobody does; None without a table."""
        return await self._read(self._reader.owner, code)

    async def changed_since(self, since: int) -> Changes:
        """What other nodes have written for this one to know; all there is `since` 0.

        Ask next for what changed since the number in the answer: nothing is missed, but some may
        be told again. Nothing in a file.
        """
        name, epoch = ("", 0) if self.node is None else (self.node.name, self.node.epoch)
        changes = await self._read(self._reader.changed_since, name, epoch, since)
        if self.node is None:
            return changes
        # A standby that is promoted gives numbers again that the primary gave to transactions of
        # which nobody heard, but none up to one that was acknowledged.
        return changes._replace(since=min(changes.since, self.node.transaction))

    async def node_answers(self, request: str) -> list[NodeAnswer]:
        """What nodes have answered so far to the request with this id."""
        return await self._read(self._reader.node_answers, request)

    async def device_code(self, code_hash: str) -> DeviceCode | None:
        """The code with this hash, if it was made and its device is not there yet."""
        return await self._read(self._reader.device_code, code_hash)

    async def seats_of(self, player: str) -> list[SharedTable]:
        """The open tables where a player has a seat, at whatever node, by their codes."""
        return await self._read(self._reader.seats_of, player)

    async def open_tables(self, codes: Collection[str] | None = None) -> list[TableRow]:
        """The tables that are not closed, by age; all, or those of these codes."""
        return await self._read(self._reader.tables, codes)

    async def closed_before(self, moment: float, limit: int) -> list[str]:
        """Tables whose last entry closed them before `moment`, at most `limit` of them."""
        return await self._read(self._reader.closed_before, moment, limit)

    async def old_answers(
        self, moment: float, after: AnswerKey, limit: int
    ) -> tuple[list[AnswerKey], AnswerKey | None]:
        """Of the next `limit` answers `after` a key those given before `moment`.

        With the key to go on with, None behind the last answer.
        """
        return await self._read(self._reader.old_answers, moment, after, limit)

    async def unseen_players(self, moment: float, sat: bool, after: str, limit: int) -> list[str]:
        """Players not seen since `moment`, `after` one of them, who ever `sat` or never did.

        None of them has a seat at an open table.
        """
        return await self._read(self._reader.unseen_players, moment, sat, after, limit)

    async def unused_descriptions(self) -> list[str]:
        """The digests of the descriptions that no table is played by."""
        return await self._read(self._reader.unused_descriptions)

    async def closings(self, codes: Collection[str]) -> dict[str, str]:
        """The bodies of the entries that closed these tables, of those that are closed."""
        return await self._read(self._reader.closings, codes) if codes else {}

    async def answer(
        self, player: str, client: str, command: int, tables: Collection[str]
    ) -> EntryRow | AnswerRow | Forgotten | None:
        """What came of a command: the entry it wrote, else the answer it got, else nothing yet.

        `Forgotten` if that may have been deleted, as what came of an old command is.
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
            answer = partial(self._reader.answered, partial(question, *args, **kwargs))
            return await self._loop.run_in_executor(self._reads, answer)
        except StoreError:
            raise
        except Exception as error:
            found = store_error(error)
            if isinstance(found, StoreDamaged) and self._watch is not None:
                # Is it this page, or is the file another one?
                self._watch.check()
            raise found from error

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
