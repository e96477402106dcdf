"""The message and exit code of a command that is impossible."""

from pathlib import Path

import pytest

from tests.commands import Commands
from tests.counts import NIGHT
from tests.e2e.processes import Programs
from tests.e2e.program import table_code
from tests.e2e.stored import tables

pytestmark = pytest.mark.e2e
JOIN = ("join", "ws://127.0.0.1:9")
CREATE = (*JOIN, "--create", "black_queen")
NO_GAME = (("play", "whst"), 2, "no game 'whst' (did you mean whist?)")
AFTER_A_START = [
    NO_GAME,
    (("play", "--bots", "1,1,1,1,1"), 2, "5 bots, but there are 3 free seats"),
    (("play", "schnapsen", "--seats", "3"), 2, "--seats 3: Schnapsen takes 2 players"),
    (("play", "--option", "foo=1"), 2, "--option foo: unknown; Black Queen has deals, columns"),
    (("play", "--bots", "9"), 2, "--bots 9: Black Queen has bots of strength 0, 1"),
]
"""What a private server is started for first: by night all, by day one of them."""
HOST = ("join", "--create", "black_queen", "--auto", "--json")


async def test_bots_that_cannot_come_leave_no_table_to_wait_for_them(programs: Programs) -> None:
    """A command with unknown bots leaves no table behind."""
    kept = programs.folder / "kept"
    play = await programs.run("play", "schnapsen", "--bots", "1,1", "--data", str(kept))
    assert await play.ended() == 2
    assert tables(kept) == []


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("join", "ws://127.0.0.1:9", "ABCDE", "--auto"), 3, "nothing answers at ws://127.0.0.1:9"),
        (("bot", "ws://127.0.0.1:9"), 3, "nothing answers"),
        (("tables", "ftp://127.0.0.1:9"), 2, "no address of a server"),
        (("join", "ws://127.0.0.1:9", "ABCDE", "--create", "black_queen"), 2, "either CODE"),
        (("join", "ws://127.0.0.1:9", "--seat", "0"), 2, "counted from 1"),
        ((*JOIN, "--private"), 2, "--private is only for a new table"),
        ((*JOIN, "ABCDE", "--seats", "3"), 2, "--seats is only for a new table"),
        ((*JOIN, "--option", "deals=1"), 2, "--option is only for a new table"),
        ((*JOIN, "--auto", "--start", "2"), 2, "--start is only for a new table"),
        ((*CREATE, "--seat", "2"), 2, "either --seat or --create"),
        (CREATE, 2, "nobody could start the match, because this is no terminal"),
        ((*CREATE, "--fill", "1"), 2, "--fill needs --start"),
        ((*CREATE, "--start", "0"), 2, "--start 0"),
        ((*CREATE, "--option", "turn_seconds=-1"), 2, "--option turn_seconds=-1: must be"),
        (("play", "--bots", "best"), 2, "look like medium or 2,1,0"),
        (("play", "--option", "deals"), 2, "write it like deals=2"),
        *(AFTER_A_START if NIGHT else [NO_GAME]),
        (("play", "--seed", "-1"), 2, "--seed -1: must be greater than or equal to 0"),
        ((*CREATE, "--seats", "0"), 2, "--seats 0: must be greater than or equal to 1"),
        (("watch", "ws://127.0.0.1:9", "A" * 17), 2, "must have at most 16 characters"),
        (("play", "--data", "/dev/null/x"), 2, "--data /dev/null/x"),
    ],
)
def test_what_goes_wrong_has_its_code(
    here: Commands, words: tuple[str, ...], code: int, reason: str
) -> None:
    """Each mistake prints one line and has its exit code."""
    ended = here.run(*words)
    assert ended.code == code
    assert reason in ended.errors


async def test_a_refused_game_leaves_no_server_behind(programs: Programs) -> None:
    """A refused game ends the private server with the program."""
    program = await programs.run("play", "--option", "deals=many")
    assert await program.ended() == 2
    assert "--option deals: 'many' must be a whole number" in program.errors
    assert programs.running() == set()


async def test_what_a_server_refuses_has_its_code(programs: Programs) -> None:
    """A refusal by a server has its message and exit code, and leaves no table behind.

    Seats are counted from 1, though the server's own words count from 0.
    """
    server = await programs.serve()
    for command in ("join", "watch", "bot"):
        client = await programs.run(command, server.url, "NOSUCH")
        assert await client.ended() == 4
        assert "NOSUCH" in client.errors
    words = ("join", server.url, "--create", "black_queen", "--auto", "--seats", "3")
    host = await programs.run(*words, "--start", "4")
    assert await host.ended() == 2
    assert "--start 4: the table has only 3 seats" in host.errors
    tables = await programs.run("tables", server.url)
    await tables.done()
    assert tables.lines == ["There are no public tables."]
    host = await programs.run(*HOST, server.url, "--seats", "3")
    code = await table_code(host)
    for more, ends, reason in (
        (("join", "--seat", "1"), 4, "Seat 1 is taken"),
        (("join", "--seat", "9"), 4, "There is no seat 9 at this table"),
        (("bot", "--strength", "9"), 2, "no bot of strength 9; there are 0, 1"),
    ):
        guest = await programs.run(more[0], server.url, code, *more[1:])
        assert await guest.ended() == ends
        assert reason in guest.errors


async def test_a_private_server_that_cannot_start_says_why(
    programs: Programs, tmp_path: Path
) -> None:
    """A private server that cannot start is reported with the last lines of its log."""
    holder = await programs.serve(data=tmp_path / "taken")
    play = await programs.run("play", "--data", str(holder.data))
    assert await play.ended() == 3
    assert "the private server did not start" in play.errors
