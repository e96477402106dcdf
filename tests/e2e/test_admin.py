"""Tests a real server with the real administrator's command, and its effects on players."""

import asyncio
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from protocol.connection import connect
from protocol.errors import ProtocolError
from protocol.to_server import CreateTable
from tests.client_cli.screen import Screen
from tests.e2e.processes import Programs, Server
from tests.e2e.program import Program, Record, table_code
from tests.e2e.test_refusals import FAILED, REFUSED, UNREACHABLE, USAGE, fails
from tests.e2e.test_releases import RELEASES
from tests.releases import Release, shared_source

pytestmark = pytest.mark.e2e

LONG = ("--option", "deals=100", "--option", "hints=no", "--auto")

COME_BACK = """
import asyncio, sys
from protocol.connection import connect
from protocol.errors import ProtocolError

async def come_back(url, token):
    try:
        async with connect(url, token=token):
            print("welcome")
    except ProtocolError as error:
        print(error)

asyncio.run(come_back(*sys.argv[1:]))
"""


@pytest.fixture
def data() -> Iterator[Path]:
    """Return a data folder whose path leaves room for the socket's name."""
    with TemporaryDirectory(prefix="bq-") as folder:
        yield Path(folder)


async def admin(programs: Programs, data: Path, *words: str) -> list[str]:
    """Return the output of `blackqueen admin`, which must succeed."""
    program = await programs.run("admin", *words, "--data", str(data))
    await program.done()
    return program.lines


async def records(programs: Programs, data: Path, *words: str) -> list[Record]:
    """Return the output of `blackqueen admin --json`."""
    return [json.loads(line) for line in await admin(programs, data, *words, "--json")]


async def back_with(server: Server, token: str | None) -> None:
    """Connect and say hello with a token."""
    async with connect(server.url, token=token):
        pass


def fetched(url: str, key: str) -> bytes:
    """Return the server's answer to a browser that has this key."""
    with urlopen(Request(url, headers={"Authorization": f"Bearer {key}"})) as answer:
        body: bytes = answer.read()
    return body


async def player(programs: Programs, server: Server, *words: str) -> tuple[Program, str]:
    """Start a client that plays a long match against bots, and return it with its table."""
    opens = ("--create", "black_queen", "--start", "2", "--fill", "0", *LONG)
    program = await programs.run("join", server.url, *opens, "--json", *words)
    return program, await table_code(program)


async def test_an_administrator_looks_after_a_server(programs: Programs, data: Path) -> None:
    """Administrators list tables, announce and close a table, and the audit log has every act.

    A link shows the server in a browser, once, and its key is in no log.
    """
    server = await programs.serve("--admin", "--bot-delay", "0.05", data=data)
    ann, code = await player(programs, server, "--name", "Ann")
    (status,) = await records(programs, data, "status")
    assert (status["pid"], status["trouble"]) == (server.program.pid, "")
    assert (await admin(programs, data, "status"))[1].endswith(", ready")
    (table,) = await records(programs, data, "tables")
    assert (table["table"], table["seats"][0]["name"]) == (code, "Ann")
    assert (await admin(programs, data, "tables"))[-1] == "1 table"
    (who,) = await records(programs, data, "players")
    assert (who["name"], who["address"], who["tables"]) == ("Ann", "127.0.0.1", [code])
    assert await admin(programs, data, "announce", "back", "at noon") == ["shown to 1 client"]
    await ann.line(lambda text: "back at noon" in text)
    assert await admin(programs, data, "close", code) == [f"table {code} is closed"]
    assert await ann.ended() == REFUSED
    assert ann.records("closed")[-1]["reason"] == "closed_by_administrator"
    modes = {name: stat.S_IMODE((data / name).stat().st_mode) for name in os.listdir(data)}
    assert modes == dict.fromkeys(modes, 0o600)
    acts = [json.loads(line) for line in (data / "audit.log").read_text().splitlines()]
    changes = [(act["act"], act["result"]) for act in acts if act["act"] in ("announce", "close")]
    assert changes == [
        ("announce", "begun"),
        ("announce", "ok"),
        ("close", "begun"),
        ("close", "ok"),
    ]
    (link,) = await records(programs, data, "link")
    page, key = link["url"].split("#")
    assert page == f"http://127.0.0.1:{server.port}/admin"
    entered = await asyncio.to_thread(fetched, f"{page}/enter", key)
    visit = json.loads(entered)["visit"]
    shown = json.loads(await asyncio.to_thread(fetched, f"{page}/overview", visit))
    assert (shown["status"]["pid"], shown["tables"]) == (server.program.pid, [])
    with pytest.raises(HTTPError, match="401"):
        await asyncio.to_thread(fetched, f"{page}/enter", key)
    told = await records(programs, data, "log", "--lines", "5")
    assert [line["act"] for line in told[0]["log"]] == ["close", "close", "link", "link", "enter"]
    await server.stop()
    secret = server.program.errors + (data / "audit.log").read_text()
    assert key not in secret
    assert visit not in secret
    assert not (data / "admin.sock").exists()


async def test_a_kicked_player_may_come_back_and_a_banned_one_not(
    programs: Programs, data: Path
) -> None:
    """Programs of kicked and banned players say why they end; bans last until lifted."""
    server = await programs.serve("--admin", "--bot-delay", "0.05", data=data)
    ann, code = await player(programs, server, "--name", "Ann")
    assert (await admin(programs, data, "kick", "Ann", "--reason", "be nice"))[0].endswith(
        f"(Ann); their seat at {code} is given up"
    )
    assert await ann.ended() == REFUSED
    assert "an administrator removed you from this server: be nice" in ann.errors
    async with connect(server.url, name="Bea") as bea:
        token = bea.token
        # A player who has never sat down is somebody new after a restart anyway.
        await bea.ask(CreateTable, game="black_queen", seats=2)
        (banned,) = await records(programs, data, "ban", "Bea", "--hours", "2", "--reason", "spam")
        with pytest.raises(ProtocolError, match="you are banned from this server until"):
            async for _ in bea.events():
                pass
    await server.kill()
    server = await programs.serve("--admin", data=data)
    with pytest.raises(ProtocolError, match="you are banned from this server until") as refused:
        await back_with(server, token)
    assert refused.value.code == "forbidden"
    assert len(await admin(programs, data, "bans")) == 3
    await admin(programs, data, "unban", banned["ban"]["subject"])
    await back_with(server, token)
    await server.stop()


async def test_a_banned_address_reads_why(programs: Programs, data: Path) -> None:
    """A banned address is refused with a reason, and `/readyz` still answers it."""
    server = await programs.serve("--admin", data=data)
    banning = ("ban", "127.0.0.1", "--reason", "too loud")
    unsure = await programs.run("admin", *banning, "--data", str(data))
    await fails(unsure, REFUSED, "would close 0 of 0 connections; nothing was done, add --yes")
    async with Screen(data, "admin", *banning, "--data", str(data)) as screen:
        await screen.sees("connections. Type yes to do it:")
        screen.type("no")
        await screen.sees("nothing was done, add --yes")
        assert await screen.ended() == REFUSED
    assert await admin(programs, data, *banning, "--yes") == [
        "banned 127.0.0.1/32 for ever",
        "This is the address of this machine: behind a proxy that --trusted-proxies does not name, "
        "it is the address of everybody.",
    ]
    refused = await programs.run("tables", server.url)
    await fails(refused, REFUSED, "your address is banned from this server: too loud")
    assert await admin(programs, data, "unban", "127.0.0.1") == ["127.0.0.1/32 is no longer banned"]
    await (await programs.run("tables", server.url)).done()
    await server.stop()


@pytest.mark.parametrize("release", RELEASES, ids=str)
async def test_an_older_client_reads_what_an_administrator_does(
    programs: Programs, data: Path, release: Release, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """An older client shows the announcement, the reason of its end, and the reason of its ban."""
    old = shared_source(release, tmp_path_factory)
    server = await programs.serve("--admin", "--bot-delay", "0.05", data=data)
    opens = ("--create", "black_queen", "--start", "2", "--fill", "0", *LONG)
    ann = await programs.run("join", server.url, *opens, "--name", "Ann", source=old)
    await ann.line(lambda text: True)
    while not await records(programs, data, "tables"):
        pass
    await admin(programs, data, "announce", "restart at noon")
    await ann.line(lambda text: "restart at noon" in text)
    await admin(programs, data, "ban", "Ann", "--reason", "spam")
    assert await ann.ended() == REFUSED
    # Newer ones say it on standard error.
    said = "\n".join([*ann.lines, ann.errors])
    assert "you are banned from this server: spam" in said
    async with connect(server.url, name="Bea") as bea:
        token = str(bea.token)
        await records(programs, data, "ban", "Bea")
    back = await programs.python(COME_BACK, words=(server.url, token), source=old)
    assert await back.line(lambda text: True) == "forbidden: you are banned from this server"
    await back.done()
    await server.stop()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("kick",), "kick PLAYER: the PLAYER is missing"),
        (("nodes", "now"), "nodes: 'now' is too much"),
        (("kick", "Ann", "Bea"), "'Bea' is too much"),
        (("unban", "Ann", "--hours", "3"), "--hours goes with ban"),
        (("shutdown",), "invalid choice: 'shutdown'"),
        ((), "  close TABLE           close a table, also in the middle of a match"),
        (("ban", "Ann", "--hours", "soon"), "--hours"),
    ],
)
async def test_words_that_make_no_request_are_named(
    programs: Programs, data: Path, words: tuple[str, ...], says: str
) -> None:
    """The command names words that make no request, even without a server."""
    await fails(await programs.run("admin", *words, "--data", str(data)), USAGE, says)


async def test_what_cannot_be_done_is_said(programs: Programs, data: Path) -> None:
    """The server says why a request fails, with the exit code for a refusal or a wrong word."""
    server = await programs.serve("--admin", data=data)
    for words, code, says in (
        (("kick", "Zoe"), REFUSED, "there is no player 'Zoe'"),
        (("close", "NONE"), REFUSED, "there is no table 'NONE'"),
        (("unban", "Zoe"), REFUSED, "'Zoe' is not banned"),
        (("announce", "\u3164"), USAGE, "field 'text' of announce"),
    ):
        await fails(await programs.run("admin", *words, "--data", str(data)), code, says)
    async with Screen(data, "admin", "status", "--data", str(data)) as screen:
        await screen.sees(f"The server with the data in {data}:\nblackqueen ")
        assert await screen.ended() == 0
    await server.stop()


async def test_without_a_server_the_folder_is_named(programs: Programs, data: Path) -> None:
    """Without a running server's socket, the command names the folder that it looked in."""
    words = ("admin", "status", "--data")
    says = f"no server runs on the data in {data}"
    await fails(await programs.run(*words, str(data)), UNREACHABLE, says)
    await (await programs.serve("--admin", data=data)).kill()
    assert (data / "admin.sock").exists()
    await fails(await programs.run(*words, str(data)), UNREACHABLE, says)
    server = await programs.serve("--no-admin", data=data)
    await fails(await programs.run(*words, str(data)), UNREACHABLE, says)
    await server.stop()
    await fails(await programs.run(*words, str(data / ("x" * 120))), UNREACHABLE, "too long")


async def test_a_server_runs_without_a_socket_unless_it_must_have_one(
    programs: Programs, data: Path
) -> None:
    """A server logs that its socket's path is too long; with `--admin` it does not start."""
    long = data / ("x" * 120)
    server = await programs.serve(data=long)
    await server.program.complaint("admin_unavailable")
    await server.stop()
    refused = await programs.start_server("--admin", data=long)
    await fails(refused, FAILED, "too long for a Unix socket")
