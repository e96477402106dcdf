"""Plays matches on PostgreSQL, whose database ends, hangs and returns; no move is lost."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import pytest

from protocol.connection import Client, connect
from protocol.to_server import CreateTable, Join, Ready
from protocol.version import VERSION
from tests.counts import count
from tests.e2e.client_log import ClientLog
from tests.e2e.databases import on_postgresql
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs, Server
from tests.e2e.stored import ELSEWHERE, only_table
from tests.e2e.test_disk import forgive, ready
from tests.e2e.test_kill import LOBBY_EVENTS, MOVES_OF_A_DEAL, under_fire
from tests.postgres import Cluster, running_cluster
from tests.raw_client import raw_client, raw_socket
from tests.server.store.test_postgresql import execute
from tests.server.store.test_postgresql_faults import mischief

pytestmark = pytest.mark.e2e


@on_postgresql
async def test_kills_of_the_server_cost_nothing(programs: Programs, rng: Random) -> None:
    """Kills of the server lose no move, and its old database connection blocks nothing."""
    deal = range(LOBBY_EVENTS, LOBBY_EVENTS + MOVES_OF_A_DEAL * 3 // 4)
    moments = [*rng.sample(range(2, LOBBY_EVENTS), 1), *rng.sample(deal, count(2))]
    stored = await under_fire(programs, rng, moments, "black_queen", deals=1)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL


SEED = 271828182845

ENTRIES = "ALTER TABLE entries"
WRONG = {
    "ADD CONSTRAINT no_more CHECK (kind <> 'opened')": "DROP CONSTRAINT no_more",
    "ALTER COLUMN body TYPE varchar(5)": "ALTER COLUMN body TYPE text",
    "RENAME COLUMN body TO words": "RENAME COLUMN words TO body",
}
"""What makes PostgreSQL refuse an entry, and what undoes it."""
RAISED = ("P0001", "53100", "23505", "40001")
"""States that a trigger gives to an error with the row in it."""


@on_postgresql
async def test_no_error_of_postgresql_brings_a_row_into_the_log(programs: Programs) -> None:
    """PostgreSQL's errors, which quote the row with its seed, stay out of the log."""
    server = await programs.serve("--allow-seeds")
    url = programs.data.joinpath(ELSEWHERE).read_text()
    said: list[str] = []
    async with raw_client(server.url) as ann:

        async def refused() -> None:
            answer = await ann.ask("create_table", game="hearts", seed=SEED)
            assert answer.get("code") == "try_again", answer
            said.append((await ready(server))[1])

        for wrong, right in WRONG.items():
            execute(url, f"{ENTRIES} {wrong}")
            await refused()
            execute(url, f"{ENTRIES} {right}")
        assert 'column "body" of relation "entries" does not exist' in said[-1]
        for state in RAISED:
            says = f"RAISE EXCEPTION USING ERRCODE = '{state}', MESSAGE = NEW.body"
            with mischief(url, "commit", says):
                await refused()
        with mischief(url, "insert", "PERFORM pg_terminate_backend(pg_backend_pid())"):
            await refused()
        assert "table" in await ann.ask("create_table", game="hearts", seed=SEED)
    await server.program.complaint("no_more")
    for text in (server.program.errors, *said):
        assert str(SEED) not in text
        assert "Failing row" not in text
    forgive(server.program)


STRANGE = ("a\0b", "\ud800", "\U0001f0a1" * 8, "x\u202ey")


@on_postgresql
async def test_characters_that_a_database_may_not_take(programs: Programs) -> None:
    """Text that a database cannot store is refused before, huge or not, without a logged error."""
    server = await programs.serve()
    for text in STRANGE:
        async with raw_socket(server.url) as raw:
            hello = {"type": "hello", "id": 1, "version": VERSION, "client": text, "name": text}
            await raw.websocket.send(json.dumps(hello))
            await raw.receive()
    async with raw_client(server.url) as ann:
        code = (await ann.ask("create_table", game="hearts"))["table"]
        commands = [
            command
            for text in STRANGE
            for command in (
                {"type": "chat", "table": code, "text": text * 200},
                {"type": "chat", "table": code, "text": text},
                {"type": "create_table", "game": text},
                {"type": "watch", "table": text},
            )
        ]
        for number, command in enumerate(commands, 100):
            await ann.websocket.send(json.dumps({"id": number, **command}))
        assert "table" in await ann.ask("create_table", id=1000, game="whist")
    await server.stop()


@pytest.fixture
def durable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a PostgreSQL that a test may kill: it syncs all commits."""
    folder = tmp_path_factory.mktemp("durable") / "cluster"
    with running_cluster(folder, fsync="on") as cluster:
        yield cluster


class Watcher:
    """Lets a test wait until a client at the table has received a later event."""

    def __init__(self) -> None:
        self.seen = 0
        self._news = asyncio.Event()

    def saw(self, seq: int) -> None:
        self.seen = max(self.seen, seq)
        self._news.set()

    async def until(self, seq: int) -> None:
        async with asyncio.timeout(60):
            while self.seen < seq:
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def match(server: Server, watcher: Watcher, rng: Random) -> AsyncIterator[list[ClientLog]]:
    """Play a match of four players; the context waits for its end."""
    client_logs = [ClientLog(on_event=watcher.saw) for _ in range(4)]
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(connect(server.url, name=name, patience=HASTY))
            for name in ("Ann", "Ben", "Cem", "Dee")
        ]
        async with match_of(clients, client_logs, rng):
            yield client_logs


@asynccontextmanager
async def match_of(
    clients: Sequence[Client], client_logs: Sequence[ClientLog], rng: Random
) -> AsyncIterator[None]:
    """Play a match of these players' programs; the context waits for its end."""
    opened = await clients[0].ask(CreateTable, game="black_queen", options={"deals": 1})
    async with asyncio.TaskGroup() as tasks:
        for client, client_log in zip(clients, client_logs, strict=True):
            tasks.create_task(play(client, client_log, Random(rng.random())))
        for client in clients[1:]:
            await client.ask(Join, table=opened.table)
        for client in clients:
            await client.ask(Ready, table=opened.table)
        yield


async def unready(server: Server) -> str:
    """Wait until the server reports that it takes no players, and return the reason."""
    async with asyncio.timeout(60):
        while True:
            status, words = await ready(server)
            if status == 503:
                return words


async def ready_again(server: Server) -> None:
    async with asyncio.timeout(60):
        while (await ready(server))[0] != 200:
            pass


async def test_a_database_that_ends_and_comes_back_costs_nothing(
    programs: Programs, durable: Cluster, rng: Random
) -> None:
    """A database that is killed, shut down or stopped loses no move, and each is made once."""
    with durable.database() as url:
        programs.use_database(url)
        server = await programs.serve()
        watcher = Watcher()
        async with match(server, watcher, rng) as client_logs:
            await watcher.until(LOBBY_EVENTS + 10)
            durable.kill()
            assert "the store does not answer" in await unready(server)
            await asyncio.to_thread(durable.start)
            await watcher.until(watcher.seen + 10)
            durable.stop()
            assert "the store does not answer" in await unready(server)
            await asyncio.to_thread(durable.start)
            await watcher.until(watcher.seen + 10)
            with durable.paused():
                assert "the store does not answer" in await unready(server)
        await ready_again(server)
        server.program.errors = without_outages(server.program.errors)
        await server.stop()
        stored = only_table(programs.data)
        assert stored.kinds.count("act") == MOVES_OF_A_DEAL
        for client_log in client_logs:
            assert client_log.losses == 0
            client_log.check(stored)
        forgive(server.program)


def without_outages(errors: str) -> str:
    """Return the log without the lines about the missing database."""
    return "".join(
        line
        for line in errors.splitlines(keepends=True)
        if not ('"event": "database_unavailable"' in line or '"event": "store_failed"' in line)
    )
