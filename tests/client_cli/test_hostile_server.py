"""Programs against a server, files and a database that try to control the terminal."""

import re
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

import msgpack
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from protocol.version import MSGPACK
from tests.client_cli.hostile_relay import POISON, SEEN, TITLE, hostile_relay
from tests.client_cli.screen import TAB, Screen
from tests.commands import Commands
from tests.counts import some
from tests.e2e.processes import Programs
from tests.e2e.program import Program
from tests.server.small_descriptions import HIGH

pytestmark = pytest.mark.e2e

OWN = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x07|[\r\n\b\t]")
"""What a client itself sends to a terminal, colours, the cursor of its prompt and a title, and the
echo of what is typed."""
KEPT = [pytest.param(("verb", "args"), id="but_verbs"), pytest.param((), id="all")]
"""Without its verbs a client does not know what happened; with them it has sentences for it."""
OPEN = ("--create", "black_queen", "--seats", "2", "--option", "deals=1", "--option", "bot_delay=0")


def harm(written: str) -> str:
    """The poison in an output: the whole jump, or any other control character."""
    jumps = written.count("\x1b[66;6H") * "jump "
    return jumps + "".join(char for char in OWN.sub("", written) if not char.isprintable())


def clean(program: Program) -> str:
    """The output of a program into pipes has no control characters."""
    written = "\n".join([*program.lines, program.errors])
    assert all(line.isprintable() for line in written.split("\n")), repr(written)
    return written


@pytest.mark.parametrize("kept", some(KEPT))
async def test_a_person_plays_at_a_hostile_server(
    programs: Programs, tmp_path: Path, kept: Collection[str]
) -> None:
    """A person's session at a hostile server has no foreign control characters."""
    server, home = await programs.serve(), tmp_path / "home"
    home.mkdir()
    async with (
        hostile_relay(server.url, kept=kept) as url,
        # A pager would take what is typed ahead of it.
        Screen(home, "join", url, *OPEN, PAGER="") as screen,
    ):
        await screen.sees("they join with")
        screen.type("set nonsense=1")
        await screen.sees("set nonsense=1:")
        screen.type("start 2")
        await screen.sees("Your turn.")
        screen.type("hint")
        await screen.sees("Hint")
        for typed in ("score", "table", "rules", "?", "say hello", "99", "nonsense", "1"):
            screen.type(typed)
        screen.type("p", end=TAB)
        screen.type("", end=TAB)
        screen.type("")
        screen.type("leave")
        await screen.sees("Type yes or no.")
        screen.type("yes")
        assert await screen.ended() == 0
        assert SEEN in screen.text
        assert harm(screen.raw) == ""


@pytest.mark.parametrize("kept", some(KEPT[::-1]))
async def test_programs_in_pipes_at_a_hostile_server(
    programs: Programs, kept: Collection[str]
) -> None:
    """Programs in pipes at a hostile server print no control characters, as text and JSON."""
    server = await programs.serve()
    async with hostile_relay(server.url, kept=kept) as url:
        auto = (*OPEN, "--option", "hints=no", "--auto", "--start", "1")
        for words in (
            ("tables", url, "--games"),
            ("tables", url),
            ("join", url, *auto),
            ("join", url, *auto, "--json"),
            ("tables", url, "--games", "--json"),
            ("join", url, "NONE"),
            ("watch", url, "NONE"),
            ("bot", url, "NONE", "--strength", "0"),
        ):
            program = await programs.run(*words)
            await program.ended()
            assert SEEN in clean(program) or words == ("tables", url)


async def test_programs_with_hostile_files(
    programs: Programs, here: Commands, tmp_path: Path
) -> None:
    """Programs with hostile file names and contents print no control characters."""
    folder = tmp_path / f"games{TITLE}"
    folder.mkdir()
    good, bad = folder / f"good{TITLE}.rcy", folder / f"bad{TITLE}.rcy"
    good.write_text(f";; {POISON}\n{HIGH}")
    bad.write_text(f"(chioce {POISON}")
    refused = [("simulate", str(bad)), ("arena", TITLE), ("replay", "--all", "--data", str(folder))]
    for wrong in refused:
        ended = here.run(*wrong)
        assert ended.code == 2, wrong
        written = f"{ended.out}{ended.errors}"
        assert all(line.isprintable() for line in written.split("\n")), repr(written)
        assert SEEN in written, wrong
    for words, code in (
        (("simulate", str(good), "--games", "2"), 0),
        (("play", str(good), "--auto"), 2),
        (("play", str(bad)), 2),
        (("serve", "--games", f"{folder}-none"), 2),
        (("serve", f"--{TITLE}"), 2),
    ):
        program = await programs.run(*words)
        assert await program.ended() == code, words
        assert SEEN in clean(program), words
    server = await programs.serve("--games", str(folder), "--log-format", "console")
    await server.stop()
    assert SEEN in clean(server.program)


@asynccontextmanager
async def refusing(*, at: str) -> AsyncIterator[str]:
    """A server that refuses a client with foreign words: by HTTP, by a close, by its answer."""

    async def handle(connection: ServerConnection) -> None:
        if at == "close":
            await connection.close(4001, POISON.replace("\r\n", "\n"))
        async for _ in connection:
            await connection.send(
                b"\x91" + msgpack.packb({"type": "error", "id": 1, "code": at, "reason": POISON})
            )
            await connection.close(4001, POISON)

    def process(connection: ServerConnection, request: Request) -> Response | None:
        if at != "http":
            return None
        return Response(403, "\x1b]0;owned\x07", Headers({"X": "y"}), POISON.encode())

    async with serve(
        handle, "127.0.0.1", 0, subprotocols=[Subprotocol(MSGPACK)], process_request=process
    ) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


WAYS = ["http", "what", "close", "version_unsupported", "unauthorized"]


@pytest.mark.parametrize("at", some(WAYS, 2))
async def test_refusals_of_a_hostile_server(programs: Programs, at: str) -> None:
    """A refusal of a hostile server ends the program with one clean line."""
    async with refusing(at=at) as url:
        for words in (("tables", url), ("bot", url, "--json")):
            program = await programs.run(*words)
            assert await program.ended() in (3, 4)
            assert "blackqueen: " in clean(program)
