"""Tests that failures are reported in a sentence, with the documented exit code."""

import json
import re
import socket
from pathlib import Path

import pytest

from tests.commands import Commands
from tests.e2e.processes import Programs
from tests.e2e.program import Program

pytestmark = pytest.mark.e2e

DONE, FAILED, USAGE, UNREACHABLE, REFUSED = range(5)
HOSTING = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")


async def fails(program: Program, code: int, *words: str) -> None:
    """Check that a program ends with `code`, an empty stdout, and a short message on stderr."""
    assert await program.ended() == code, program
    said = [line for line in program.errors.splitlines() if not _is_log(line)]
    assert program.lines == []
    assert said, program
    assert len(said) <= 3 or said[0].startswith("usage: blackqueen admin ACT"), program
    for each in words:
        assert each in said[-1], program


def _is_log(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--port", "99999"), ("--port", "99999", "65535")),
        (("--bot-delay", "soon"), ("--bot-delay", "'soon'")),
        (("--config", "nothing.toml"), ("nothing.toml", "cannot be read")),
        (("--games", "nothing"), ("--games nothing", "no such folder")),
        (("--database-url", "cards.sqlite3"), ("--database-url", "is not one", "sqlite:///")),
        (("--database-url", "foo://"), ("--database-url", "foo://: no kind of database")),
        (("--database-url", "sqlite://"), ("--database-url", "name a file by its path")),
        (("--node-url", "ws://localhost:1"), ("--node-url", "PostgreSQL", "--database-url")),
        (("--nonsense",), ("unrecognized arguments: --nonsense", "serve --help")),
        (("--gmaes=shelf",), ("--gmaes=shelf", "did you mean --games?")),
    ],
)
async def test_a_bad_flag_is_named(
    programs: Programs, flags: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """A setting that cannot be used ends the server with exit code 2 and the flag's name."""
    await fails(await programs.run("serve", *flags), USAGE, *words)


def test_the_codes_of_a_server_are_told() -> None:
    """The hosting guide lists the exit codes that a server ends with, and no others."""
    section = HOSTING[HOSTING.index("## Exit codes") :]
    codes = re.findall(r"^\| (\d+) \|", section[: section.index("\n## ")], re.MULTILINE)
    assert [int(code) for code in codes] == [DONE, FAILED, USAGE]


async def test_a_bad_variable_and_a_bad_file_are_named(programs: Programs, tmp_path: Path) -> None:
    """Errors in environment variables and in files are reported with their origin."""
    bad = {"BLACKQUEEN_PORT": "none"}
    await fails(await programs.run("serve", environment=bad), USAGE, "BLACKQUEEN_PORT", "'none'")
    (tmp_path / "bad.toml").write_text("prot = 1\n")
    program = await programs.run("serve", "--config", "bad.toml")
    await fails(program, USAGE, "bad.toml", "'prot'", "did you mean 'port'")


async def test_a_port_in_use_is_named(programs: Programs) -> None:
    """If another program uses the port, the server says so and what to do."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        words = (
            f"cannot listen on 127.0.0.1:{port}: Address already in use; choose another with --port"
        )
        await fails(await programs.start_server(port=port), FAILED, words)


async def test_an_address_that_is_not_ours_is_named(programs: Programs) -> None:
    """A host that this machine does not have is reported at the start without a traceback."""
    program = await programs.start_server("--host", "192.0.2.1")
    await fails(program, FAILED, "cannot listen on 192.0.2.1:0")


async def test_a_folder_that_cannot_be_written_is_named(programs: Programs, tmp_path: Path) -> None:
    """If the database cannot be created, the server names the file and does not start."""
    (tmp_path / "file").touch()
    program = await programs.start_server(data=tmp_path / "file" / "below")
    await fails(program, FAILED, "file/below/blackqueen.sqlite3", "cannot be created")


async def test_a_database_of_another_kind_is_refused(programs: Programs) -> None:
    """A URL of an unknown database is refused, without its password in the message."""
    program = await programs.run("serve", "--database-url", "oracle+cx_oracle://cards:secret@x/y")
    await fails(program, USAGE, "oracle+cx_oracle://cards:***@x/y", "neither SQLite nor PostgreSQL")


async def test_another_programs_file_is_left_alone(programs: Programs, tmp_path: Path) -> None:
    """A file that is no database of ours is refused and not changed."""
    file = tmp_path / "blackqueen.sqlite3"
    file.write_text("a letter to my aunt, longer than the header of a database " * 20)
    before = file.read_bytes()
    await fails(await programs.start_server(data=tmp_path), FAILED, "not a database")
    assert file.read_bytes() == before


async def test_a_second_server_on_the_same_data_is_refused(programs: Programs) -> None:
    """A second server on one data folder is refused until the first one has ended."""
    first = await programs.serve()
    await fails(await programs.start_server(), FAILED, "another server uses this database")
    await first.kill()
    second = await programs.serve()
    await second.stop()


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("tables", "ws://127.0.0.1:9"), UNREACHABLE, "nothing answers"),
        (("watch", "ftp://127.0.0.1", "PLUM"), USAGE, "is no address of a server"),
        (("join", "ws://127.0.0.1:99999", "PLUM"), USAGE, "a port is from 1 to 65535"),
        (("tables", "ws://"), USAGE, "ws:// names no host"),
        (("replay", "--all"), USAGE, "blackqueen.sqlite3"),
    ],
)
def test_a_client_says_why_it_cannot(
    here: Commands, words: tuple[str, ...], code: int, says: str
) -> None:
    """A client without a server or an address prints one sentence, with the right exit code.

    `tests/client_cli/test_wrong_commands.py` has more of what may be wrong.
    """
    ended = here.run(*words)
    assert (ended.code, ended.out) == (code, "")
    (line,) = ended.errors.splitlines()
    assert says in line
