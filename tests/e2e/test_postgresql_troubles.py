"""Tests servers whose PostgreSQL has a full disk, another password, or another time of day."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from tests.e2e.databases import on_postgresql
from tests.e2e.processes import Programs, Server, free_port
from tests.e2e.stored import only_table
from tests.e2e.test_disk import forgive, told
from tests.e2e.test_kill import LOBBY_EVENTS, MOVES_OF_A_DEAL
from tests.e2e.test_postgresql import Watcher, match, ready_again, unready
from tests.e2e.test_public_events import command_line
from tests.postgres import Cluster, running_cluster
from tests.raw_client import RawClient, raw_client
from tests.small_disk import SmallDisk, small_disk

pytestmark = pytest.mark.e2e

MEGABYTES = 80
"""An empty cluster takes 40."""
FAST = ("--messages-per-second", "1000", "--message-burst", "1000")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[tuple[SmallDisk, Cluster]]:
    """Start a PostgreSQL on a disk that a test may fill."""
    with (
        small_disk(tmp_path / "disk", MEGABYTES) as disk,
        running_cluster(tmp_path / "disk" / "cluster", disk.inside) as cluster,
    ):
        yield disk, cluster


async def refusal(ann: RawClient, table: str) -> dict[str, object]:
    """Repeat a command of the host until its answer is not `ok`, and return that answer."""
    for number in range(1000):
        answer = await ann.ask("configure", table=table, settings={"turn_seconds": 10 + number})
        if answer["type"] != "ok":
            return answer
    raise AssertionError("everything is stored")


async def test_a_full_disk_of_postgresql_is_told_and_forgiven(
    programs: Programs, small: tuple[SmallDisk, Cluster]
) -> None:
    """With a full disk moves are not acknowledged and `/readyz` says why; with room all goes on."""
    disk, cluster = small
    with cluster.database() as url:
        programs.use_database(url)
        server = await programs.serve(*FAST)
        async with raw_client(server.url) as ann:
            code = (await ann.ask("create_table", game="black_queen", seats=3))["table"]
            with disk.full():
                answer = await refusal(ann, code)
                assert answer["code"] == "try_again", answer
                assert "No space left on device" in await unready(server)
            assert (await ann.ask("add_bot", table=code, strength=0))["type"] == "ok"
            await ready_again(server)
        assert "could not extend file" in told(server.program, "database_unavailable")["reason"]
        forgive(server.program)
        await server.stop()


DAY = 86_400.0


@on_postgresql
async def test_the_clocks_of_servers_and_their_database_may_be_apart(
    programs: Programs, rng: Random
) -> None:
    """A match continues at a server a day ahead of PostgreSQL, then at one a day behind it."""

    async def serve(clock: float) -> Server:
        flags = ("--clock", str(clock))
        return await programs.serve(*flags, port=port, module="tests.e2e.shifted_server")

    port = free_port(rng)
    server = await serve(DAY)
    watcher = Watcher()
    async with match(server, watcher, rng) as client_logs:
        for clock in (-DAY, DAY)[: count(1)]:
            await watcher.until(max(LOBBY_EVENTS, watcher.seen) + 15)
            await server.kill()
            server = await serve(clock)
    await server.stop()
    stored = only_table(programs.data)
    assert stored.kinds.count("act") == MOVES_OF_A_DEAL
    for client_log in client_logs:
        client_log.check(stored)


ROLE, RIGHT, WRONG = "guarded", "hunter2-right", "hunter2-wrong"


@pytest.fixture
def guarded(postgresql: Cluster) -> Iterator[Cluster]:
    """Start a PostgreSQL that asks the role `ROLE` for its password."""
    postgresql.execute(f"CREATE ROLE {ROLE} SUPERUSER LOGIN PASSWORD '{RIGHT}'")
    rules = postgresql.folder / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text(f"host all {ROLE} 127.0.0.1/32 scram-sha-256\n{before}")
    postgresql.execute("SELECT pg_reload_conf()")
    yield postgresql
    rules.write_text(before)
    postgresql.execute("SELECT pg_reload_conf()")
    postgresql.execute(f"DROP ROLE {ROLE}")


def with_password(url: str, password: str) -> str:
    return url.replace("//cards@", f"//{ROLE}:{password}@")


async def test_a_wrong_password_is_named_and_never_shown(
    programs: Programs, guarded: Cluster
) -> None:
    """With a wrong password a start ends with code 1; a running server answers `try_again`.

    Neither password is in the server's output, in its log, on its pages or in the list of
    processes.
    """
    with guarded.database() as url:
        refused = await programs.run(
            "serve", "--port", "0", "--database-url", with_password(url, WRONG)
        )
        assert await refused.ended() == 1
        assert 'password authentication failed for user "guarded"' in refused.errors
        assert refused.errors.count("\n") == 1, refused.errors
        programs.use_database(url)
        server = await programs.serve("--database-url", with_password(url, RIGHT), forked=False)
        shown = command_line(server.program.pid)
        async with raw_client(server.url) as ann:
            code = (await ann.ask("create_table", game="black_queen", seats=4))["table"]
            guarded.execute(f"ALTER ROLE {ROLE} PASSWORD '{WRONG}'")
            guarded.execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{ROLE}'"
            )
            assert (await ann.ask("add_bot", table=code, strength=0))["code"] == "try_again"
            words = await unready(server)
            assert "password authentication failed" in words
            guarded.execute(f"ALTER ROLE {ROLE} PASSWORD '{RIGHT}'")
            assert (await ann.ask("add_bot", table=code, strength=0))["type"] == "ok"
        said = (refused.errors, server.program.errors, words, shown)
        assert [text for text in said if "hunter2" in text] == []
        forgive(server.program)
        await server.stop()
