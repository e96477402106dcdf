"""The commands as a person or a script starts them, against real servers on this machine."""

import json
import signal
from pathlib import Path

import pytest

from protocol.exits import Exit
from tests.client_cli.screen import Screen
from tests.e2e.processes import Programs, Server
from tests.e2e.program import Program

pytestmark = pytest.mark.e2e
ONE_DEAL = ("--option", "deals=1")


async def created(
    programs: Programs, server: Server, *words: str, typed: bool = False
) -> tuple[Program, str]:
    """A client that hosts a new table, and the table's code."""
    words = ("join", server.url, "--create", "black_queen", "--json", *words)
    host = await programs.run(*words, typed=typed)
    opened = await host.line(lambda line: '"type":"table"' in line)
    return host, str(json.loads(opened)["table"])


async def test_another_game_gets_a_table_beside_the_kept_one(programs: Programs) -> None:
    """Naming another game opens a new table; kept matches stay, which the player is told."""
    kept = ("--data", str(programs.folder / "kept"), "--bots", "0")

    async def broken_off(*words: str) -> list[str]:
        play = await programs.run("play", *words, *kept, "--option", "bot_delay=0.05")
        await play.line(lambda line: " plays " in line or "You play" in line)
        play.signal(signal.SIGINT)
        assert await play.ended() == 130
        return play.lines

    await broken_off("schnapsen")
    second = "\n".join(await broken_off("whist"))
    assert "The match of Schnapsen stays in" in second
    assert "blackqueen play schnapsen continues it" in second
    assert "Whist · table" in second
    third = "\n".join(await broken_off("schnapsen", "--seats", "2"))
    assert "You continue the match of Schnapsen in" in third
    # What it is played with was settled when it began.
    assert "--seats, --bots, --option would need a new one." in " ".join(third.split())


async def test_moves_and_orders_can_be_piped(programs: Programs) -> None:
    """Lines can be piped in; with `--json` errors are records too."""
    play = await programs.run("play", *ONE_DEAL, "--seats", "2", "--json", typed=True)
    await play.line(lambda line: '"your_turn":true' in line)
    play.write("nonsense\nhint\n1\n")
    wrong = await play.line(lambda line: "not_understood" in line)
    assert "nonsense" in json.loads(wrong)["reason"]
    hint = json.loads(await play.line(lambda line: '"type":"hint"' in line))
    assert hint["command"]["type"] == "hint"
    await play.line(lambda line: '"type":"act"' in line)
    play.write("leave\n")
    await play.done()


async def test_where_hints_are_off_auto_plays_at_random(programs: Programs) -> None:
    """Without hints `--auto` plays at random with bots of `--fill`, and finishes the match."""
    server = await programs.serve()
    rules = (*ONE_DEAL, "--option", "hints=no")
    host, _ = await created(programs, server, "--auto", "--start", "1", "--fill", "1", *rules)
    await host.done()
    strengths = [s.get("strength") for s in host.records("event")[-1]["info"]["seats"]]
    assert strengths == [None, 1, 1, 1]
    assert not any(r["command"]["type"] == "hint" for r in host.records("answer"))


async def test_a_script_without_a_code_takes_the_next_open_table(programs: Programs) -> None:
    """A script without a code joins the next open table, or is refused if there is none."""
    server = await programs.serve()
    nobody = await programs.run("join", server.url, "--auto")
    assert await nobody.ended() == 4
    assert "no public table has a free seat" in nobody.errors
    host, code = await created(programs, server, "--auto", "--start", "2", *ONE_DEAL)
    guest = await programs.run("join", server.url, "--auto", "--json", "--ready")
    await guest.done()
    assert guest.records("table")[0]["table"] == code
    await host.done()


async def test_a_name_brings_one_back_to_ones_seat(programs: Programs) -> None:
    """The stored token of a name brings the player back to their seat, without the code."""
    server = await programs.serve()
    words = ("join", server.url, "--name", "Ann", "--json")
    first = await programs.run(*words, "--create", "black_queen", "--private", typed=True)
    opened = json.loads(await first.line(lambda line: '"type":"table"' in line))
    assert opened["info"]["settings"]["private"] is True
    first.write("quit\n")
    await first.done()
    for again in (words, (*words[:2], opened["table"], *words[2:])):
        second = await programs.run(*again, typed=True)
        seen = json.loads(await second.line(lambda line: '"type":"table"' in line))
        assert (seen["table"], seen["seat"]) == (opened["table"], 0)
        second.write("quit\n")
        await second.done()


async def test_tables_are_listed(programs: Programs) -> None:
    """Public tables are listed for people and as JSON; private ones are not."""
    server = await programs.serve()
    empty = await programs.run("tables", server.url)
    await empty.done()
    assert empty.lines == ["There are no public tables."]
    _, code = await created(programs, server, "--auto")
    await created(programs, server, "--auto", "--private")
    _, other = await created(programs, server, "--auto")
    listed, read, found = [
        await programs.run("tables", server.url.removeprefix("ws://"), *more)
        for more in (("--most", "1"), ("--json", "--free", "1"), ("--text", other.lower()))
    ]
    for each in (listed, read, found):
        await each.done()
    assert listed.lines[1].split()[:2] == ["1", code]
    assert listed.lines[2].startswith("There are more")
    assert [json.loads(line)["table"] for line in read.lines] == [code, other]
    assert [line.split()[1] for line in found.lines[1:]] == [other]


async def test_ones_own_tables_are_marked_and_changes_are_shown(programs: Programs) -> None:
    """One's own tables are marked, private ones too, and `--follow` prints changes."""
    server = await programs.serve()
    host, code = await created(programs, server, "--name", "Ann", "--private", typed=True)
    follower = await programs.run("tables", server.url, "--follow", "--json")
    await follower.line(lambda line: '"type":"lobby"' in line)
    host.write("quit\n")
    await host.done()
    own, others = [
        await programs.run("tables", server.url, "--name", name) for name in ("Ann", "Bea")
    ]
    for each in (own, others):
        await each.done()
    assert [own.lines[1].split()[1], own.lines[1].split()[-1]] == [code, "yours"]
    assert others.lines == ["There are no public tables."]
    _, public = await created(programs, server, "--auto")
    await follower.line(lambda line: public in line)
    follower.signal(signal.SIGINT)
    await follower.ended()


async def test_a_person_is_asked_before_they_become_another_player(
    programs: Programs, tmp_path: Path
) -> None:
    """A person must confirm at the terminal before the program becomes another player."""
    server = await programs.serve()
    host, _ = await created(programs, server, "--name", "Ann", typed=True)
    host.write("quit\n")
    await host.done()
    made = await programs.run("devices", server.url, "--name", "Ann", "--add")
    await made.ended()
    link = f"http{server.url[2:]}/#device={made.lines[1].split()[-1]}"
    home = tmp_path / "home"
    home.mkdir()
    for answer, told in (("no", "You stay who you are"), ("yes", "You are Ann there.")):
        async with Screen(home, "devices", link) as screen:
            await screen.sees("makes you a device of Ann")
            await screen.sees("Become Ann? (yes or no)")
            screen.type(answer)
            await screen.sees(told)
            await screen.ended()


async def test_the_link_that_is_printed_leads_to_the_table(programs: Programs) -> None:
    """The printed link works for join, watch and bot, with server and code in either order."""
    server = await programs.serve()
    host, code = await created(programs, server, "--name", "Ann", "--seats", "3", typed=True)
    link = f" http{server.url[2:]}/t/{code.lower()}#from=Ann&game=Whist "
    watching = await programs.run("watch", link, "--json", typed=True)
    await watching.line(lambda line: f'"table":"{code}"' in line)
    guest = await programs.run("join", link, "--name", "Bea", "--json", typed=True)
    await guest.line(lambda line: f'"table":"{code}"' in line)
    other = await programs.run("bot", code, server.url, "--name", "Cid", "--json")
    await host.line(lambda line: '"Cid"' in line)
    for program in (watching, guest, other, host):
        program.signal(signal.SIGINT)
        await program.ended()


async def test_a_second_device_is_the_same_player(programs: Programs) -> None:
    """A second device is the same player by a one-time code, until it is revoked."""
    server = await programs.serve()
    host, code = await created(programs, server, "--name", "Ann", "--private", typed=True)
    host.write("quit\n")
    await host.done()

    async def devices(*words: str) -> Program:
        program = await programs.run("devices", server.url, *words)
        await program.ended()
        return program

    made = await devices("--name", "Ann", "--add")
    secret = made.lines[1].split()[-1]
    become = (await devices("--code", secret)).lines
    assert "This code makes you a device of Ann: " in become[0]
    assert "that is forgotten" in become[1]
    assert "You are Ann there." in become[2]
    again = await devices("--code", secret)
    assert again.code == Exit.REFUSED
    own = await programs.run("tables", server.url, "--name", "Ann")
    await own.done()
    assert own.lines[1].split()[1] == code
    first, second = (await devices("--name", "Ann")).lines
    number = first.split()[0]
    assert "terminal, since" in first
    assert "this one" in second
    gone = await devices("--name", "Ann", "--revoke", "nothing")
    assert f"there are: {number}, " in gone.errors
    german = ("--name", "Ann", "--language", "de")
    revoked = await devices(*german, "--revoke", number)
    assert revoked.lines == [f"Das Gerät {number} kommt nicht mehr herein."]
    (left,) = (await devices(*german)).lines
    assert left.endswith(", dieses, verbunden")
    nobody = await devices("--name", "Zoe")
    assert "has not played" in nobody.errors
