"""The message and exit code of a command that is asked for something impossible."""

from pathlib import Path

import pytest

from tests.e2e.processes import Programs
from tests.e2e.program import table_code
from tests.e2e.stored import tables

pytestmark = pytest.mark.e2e
JOIN = ("join", "ws://127.0.0.1:9")
CREATE = (*JOIN, "--create", "black_queen")
HOST = ("join", "--create", "black_queen", "--auto", "--json")


@pytest.mark.parametrize("bots", ["9", "1,1"])
async def test_bots_that_cannot_come_leave_no_table_to_wait_for_them(
    programs: Programs, bots: str
) -> None:
    """The next game kept in the folder is not the one that was refused."""
    kept = programs.folder / "kept"
    play = await programs.run("play", "schnapsen", "--bots", bots, "--data", str(kept))
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
        (("play", "--bots", "1,1,1,1,1"), 2, "5 bots, but there are 3 free seats"),
        (("play", "--option", "deals"), 2, "write it like deals=2"),
        (("play", "whst"), 2, "no game 'whst' (did you mean whist?)"),
        (("play", "schnapsen", "--seats", "3"), 2, "--seats 3: Schnapsen takes 2 players"),
        (("play", "--option", "foo=1"), 2, "--option foo: unknown; Black Queen has deals, columns"),
        (("play", "--option", "deals=many"), 2, "--option deals: 'many' must be a whole number"),
        (("play", "--bots", "9"), 2, "--bots 9: Black Queen has bots of strength 0, 1"),
        (("play", "--seed", "-1"), 2, "--seed -1: must be greater than or equal to 0"),
        ((*CREATE, "--seats", "0"), 2, "--seats 0: must be greater than or equal to 1"),
        (("watch", "ws://127.0.0.1:9", "A" * 17), 2, "must have at most 16 characters"),
        (("play", "--data", "/dev/null/x"), 2, "--data /dev/null/x"),
    ],
)
async def test_what_goes_wrong_has_its_code(
    programs: Programs, words: tuple[str, ...], code: int, reason: str
) -> None:
    """One line says what, and no process is left behind."""
    program = await programs.run(*words)
    assert await program.ended() == code
    assert reason in program.errors
    assert programs.running() == set()


async def test_a_table_that_is_not_there_is_refused(programs: Programs) -> None:
    """Exit code 4, whatever one wants to do at it."""
    server = await programs.serve()
    for command in ("join", "watch", "bot"):
        client = await programs.run(command, server.url, "NOSUCH")
        assert await client.ended() == 4
        assert "NOSUCH" in client.errors


async def test_a_host_who_waits_for_more_than_there_is_room_for_is_told_so(
    programs: Programs,
) -> None:
    """And leaves no table behind."""
    server = await programs.serve()
    words = ("join", server.url, "--create", "black_queen", "--auto", "--seats", "3")
    host = await programs.run(*words, "--start", "4")
    assert await host.ended() == 2
    assert "--start 4: the table has only 3 seats" in host.errors
    tables = await programs.run("tables", server.url)
    await tables.done()
    assert tables.lines == ["There are no public tables."]


async def test_a_seat_that_cannot_be_had_is_named_as_people_count(programs: Programs) -> None:
    """From 1, though the server's own words count from 0."""
    server = await programs.serve()
    host = await programs.run(*HOST, server.url, "--seats", "3")
    code = await table_code(host)
    for seat, reason in (("1", "Seat 1 is taken"), ("9", "There is no seat 9 at this table")):
        guest = await programs.run("join", server.url, code, "--seat", seat)
        assert await guest.ended() == 4
        assert reason in guest.errors


async def test_a_bot_of_unknown_strength_is_a_wrong_command_line(programs: Programs) -> None:
    """It says which there are."""
    server = await programs.serve()
    host = await programs.run(*HOST, server.url, "--start", "2")
    code = await table_code(host)
    bot = await programs.run("bot", server.url, code, "--strength", "9")
    assert await bot.ended() == 2
    assert "no bot of strength 9; there are 0, 1" in bot.errors


async def test_a_private_server_that_cannot_start_says_why(
    programs: Programs, tmp_path: Path
) -> None:
    """The last lines of its log are what helps."""
    holder = await programs.serve(data=tmp_path / "taken")
    play = await programs.run("play", "--data", str(holder.data))
    assert await play.ended() == 3
    assert "the private server did not start" in play.errors
