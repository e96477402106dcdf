"""Tests disks and databases that fail under a running server, and the next start."""

import asyncio
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from protocol.version import VERSION
from tests.e2e.processes import Programs, Server
from tests.e2e.program import Program
from tests.raw_client import raw_client, raw_socket
from tests.server.store.test_file_watch import cut, log_of, remove_all, replace

pytestmark = pytest.mark.e2e


async def ready(server: Server) -> tuple[int, str]:
    """Return status and text of the server's `/readyz` page."""

    def get() -> tuple[int, str]:
        try:
            with urlopen(f"http://127.0.0.1:{server.port}/readyz", timeout=30) as page:
                return page.status, page.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(get)


def told(program: Program, event: str) -> dict[str, Any]:
    """Return the first log event of this name."""
    events = [json.loads(line) for line in program.errors.splitlines() if line.startswith("{")]
    return next(found for found in events if found["event"] == event)


def forgive(program: Program) -> None:
    """Accept the errors that the program has reported, as they were expected."""
    program.errors = ""


MISCHIEF: dict[str, Callable[[Path], object]] = {
    "deleted": remove_all,
    "replaced": replace,
    "cut": lambda path: cut(path, 0),
    "log deleted": lambda path: log_of(path).unlink(),
    "log cut": lambda path: cut(log_of(path), 0.5),
}


@pytest.mark.parametrize("name", MISCHIEF)
async def test_a_server_whose_database_is_gone_accepts_nothing(
    programs: Programs, name: str
) -> None:
    """Without its database a server answers `try_again` and logs why; a new start creates none."""
    server = await programs.serve()
    path = server.data / "blackqueen.sqlite3"
    async with raw_client(server.url) as ann:
        code = (await ann.ask("create_table", game="black_queen", seats=2))["table"]
        assert await ready(server) == (200, "ready\n")
        MISCHIEF[name](path)
        answer = await ann.ask("add_bot", table=code, strength=0)
        assert answer.get("code") == "try_again", answer
        status, words = await ready(server)
        assert status == 503
        assert "while the server was running" in words
        await server.program.complaint("database_lost")
    await server.kill()
    forgive(server.program)
    if name not in ("deleted", "cut"):
        return
    refused = await programs.start_server()
    assert await refused.ended() == 1
    assert "there was a database" in refused.errors
    assert "--new-database" in refused.errors
    server = await programs.serve("--new-database")
    assert told(server.program, "database_opened")["tables"] == 0
    await server.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process's files")
async def test_a_full_disk_is_told_and_forgiven(programs: Programs) -> None:
    """While the disk is full, `/readyz` and the answers to commands say so.

    With room again the server goes on by itself, and reports that, too.
    """
    server = await programs.serve()
    _, hard = resource.prlimit(server.program.pid, resource.RLIMIT_FSIZE)
    async with raw_client(server.url) as ann, raw_socket(server.url) as bea:
        asks = ["notice.outage"]
        await bea.ask("hello", version=VERSION, client="t", name="Bea", features=asks)
        code = (await ann.ask("create_table", game="black_queen", seats=3))["table"]
        resource.prlimit(server.program.pid, resource.RLIMIT_FSIZE, (4096, hard))
        status, words = await ready(server)
        assert (status, "disk" in words) == (503, True)
        assert (await ann.ask("add_bot", table=code, strength=0))["code"] == "try_again"
        assert await bea.receive() == [{"type": "notice", "kind": "outage"}]
        resource.prlimit(server.program.pid, resource.RLIMIT_FSIZE, (hard, hard))
        assert await bea.receive() == [{"type": "notice", "kind": "outage_over"}]
        assert await ready(server) == (200, "ready\n")
        assert (await ann.ask("add_bot", table=code, strength=0))["type"] == "ok"
    assert told(server.program, "database_available")
    forgive(server.program)
    await server.stop()


async def test_a_start_says_what_a_killed_server_had_acknowledged(programs: Programs) -> None:
    """With a complete write-ahead log nothing is lost; with a damaged one the loss is reported."""
    server = await programs.serve()
    async with raw_client(server.url) as ann:
        code = (await ann.ask("create_table", game="black_queen", seats=4))["table"]
        for _ in range(3):
            assert (await ann.ask("add_bot", table=code, strength=0))["type"] == "ok"
    await server.kill()
    server = await programs.serve()
    opened = told(server.program, "database_opened")
    assert (opened["tables"], opened["open_tables"], opened["entries"]) == (1, 1, 5)
    assert opened["recovered_pages"] > 0
    async with raw_client(server.url) as ben:
        for _ in range(2):
            await ben.ask("create_table", game="black_queen", seats=4)
    await server.kill()
    log = log_of(server.data / "blackqueen.sqlite3")
    damaged = bytearray(log.read_bytes())
    damaged[2000] ^= 1
    log.write_bytes(damaged)
    server = await programs.serve()
    assert told(server.program, "database_opened")["tables"] == 1
    older = told(server.program, "database_older")
    assert older["entries"] == 4
    forgive(server.program)
    await server.stop()
