"""The commands as a person or a script starts them, against real servers on this machine."""

import asyncio
import json
import signal
from pathlib import Path

import pytest

from tests.e2e.processes import Program, Programs, Server

pytestmark = pytest.mark.e2e
ONE_DEAL = ("--option", "deals=1")
JOIN = ("join", "ws://127.0.0.1:9")
CREATE = (*JOIN, "--create", "black_queen")


async def created(programs: Programs, server: Server, *words: str) -> tuple[Program, str]:
    """A client that hosts a new table, and the table's code."""
    host = await programs.run("join", server.url, "--create", "black_queen", "--json", *words)
    opened = await host.line(lambda line: '"type":"table"' in line)
    return host, str(json.loads(opened)["table"])


async def test_play_without_a_person_plays_a_whole_match(programs: Programs) -> None:
    """With nothing to read the seat plays by itself, and the result is printed in the end."""
    play = await programs.run("play", *ONE_DEAL, "--seats", "3", "--bots", "1,0", "--name", "Ann")
    await play.done()
    told = "\n".join(play.lines)
    assert "Match 1 begins." in told
    assert "a bot of strength 1." in told
    assert "a bot of strength 0." in told
    assert any(line.startswith("1  ") for line in play.lines[-5:])
    assert "Ann (you)" in told
    assert "\x1b" not in told
    assert programs.running() == set()


async def test_the_same_seed_deals_the_same_cards(programs: Programs) -> None:
    """Two games with one seed begin alike, two with different seeds do not."""
    hands = []
    for seed in ("7", "7", "8"):
        play = await programs.run("play", *ONE_DEAL, "--seed", seed, "--seats", "2", "--json")
        await play.done()
        hands.append([r["facts"] for r in play.records("event") if "hand_dealt" in str(r)])
    assert hands[0] == hands[1] != hands[2]


async def test_a_game_kept_in_a_folder_goes_on_there(programs: Programs) -> None:
    """Ctrl-C ends the program and its server; next time the match is where it was."""
    words = ("play", *ONE_DEAL, "--data", str(programs.folder / "kept"), "--json")
    first = await programs.run(*words, typed=True)
    opened = json.loads(await first.line(lambda line: '"your_turn":true' in line))
    first.signal(signal.SIGINT)
    assert await first.ended() == 130
    assert programs.running() == set()
    second = await programs.run(*words)
    await second.done()
    assert second.records("table")[0]["table"] == opened["table"]
    assert second.records("table")[0]["seq"] >= opened["seq"]
    assert len(second.records("finished")) == 1


async def test_another_game_gets_a_table_beside_the_kept_one(programs: Programs) -> None:
    """A game that is named is the one that is played; the others stay, and the player is told."""
    kept = ("--data", str(programs.folder / "kept"), "--bots", "0")

    async def broken_off(*words: str) -> list[str]:
        play = await programs.run("play", *words, *kept, "--option", "bot_delay=0.05")
        await play.line(lambda line: " plays " in line or "You play" in line)
        play.signal(signal.SIGINT)
        assert await play.ended() == 130
        return play.lines

    await broken_off("schnapsen")
    second = "\n".join(await broken_off("whist"))
    assert "The match of Schnapsen stays kept in" in second
    assert "blackqueen play schnapsen goes on" in second
    assert "Whist · table" in second
    third = "\n".join(await broken_off("whist", "--seats", "7"))
    assert "The match of Whist kept in" in third
    # What it is played with was settled when it began.
    assert "without regard to --seats, --bots, --option" in third
    assert "The match of Schnapsen kept in" in "\n".join(await broken_off("schnapsen"))


async def test_a_killed_player_leaves_no_server_behind(programs: Programs) -> None:
    """Even SIGKILL, which lets nobody clean up."""
    play = await programs.run("play", "--json", typed=True)
    await play.line(lambda line: '"your_turn":true' in line)
    play.signal(signal.SIGKILL)
    await play.ended()
    async with asyncio.timeout(60):
        while programs.running():  # noqa: ASYNC110 - nothing tells when a stranger's child ends
            await asyncio.sleep(0.02)


async def test_moves_and_orders_can_be_piped(programs: Programs) -> None:
    """With `--json` standard input is typed line by line; what is wrong is a record too."""
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


async def test_two_scripts_and_two_bots_finish_a_match(programs: Programs) -> None:
    """Four programs of their own, one result; a spectator sees the same one."""
    server = await programs.serve()
    host, code = await created(programs, server, "--auto", "--start", "4", *ONE_DEAL)
    guest = await programs.run("join", server.url, code.lower(), "--auto", "--json", "--seat", "4")
    watcher = await programs.run("watch", server.url, code, "--json")
    bots = [
        await programs.run("bot", server.url, code, "--strength", "1", "--json"),
        await programs.run("bot", server.url, "--seed", "3", "--name", "Robo", "--json"),
    ]
    clients = [host, guest, watcher, *bots]
    for client in clients:
        await client.done()
    (result,) = host.records("finished")
    assert all(client.records("finished") == [result] for client in clients)
    assert {"Bot 1", "Robo"} < set(result["names"])
    assert guest.records("table")[0]["seat"] == 3
    assert watcher.records("table")[0]["seat"] is None
    told = {"type", "player", "name", "server"}
    assert all(set(client.records("welcome")[0]) == told for client in clients)
    await server.stop()


async def test_a_script_fills_its_table_with_bots(programs: Programs) -> None:
    """`--start 1` begins at once, with bots of `--fill` in all other seats."""
    server = await programs.serve()
    host, _ = await created(programs, server, "--auto", "--start", "1", "--fill", "1", *ONE_DEAL)
    await host.done()
    strengths = [s.get("strength") for s in host.records("event")[-1]["info"]["seats"]]
    assert strengths == [None, 1, 1, 1]


async def test_where_hints_are_off_auto_plays_at_random(programs: Programs) -> None:
    """The match is finished all the same."""
    server = await programs.serve()
    host, _ = await created(
        programs, server, "--auto", "--start", "1", *ONE_DEAL, "--option", "hints=no"
    )
    await host.done()
    assert not any(r["command"]["type"] == "hint" for r in host.records("answer"))


async def test_a_script_without_a_code_takes_the_next_open_table(programs: Programs) -> None:
    """And is refused where there is none."""
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
    """The token is kept with the name; the code need not be told again."""
    server = await programs.serve()
    words = ("join", server.url, "--name", "Ann", "--json")
    first = await programs.run(*words, "--create", "black_queen", "--private", typed=True)
    opened = json.loads(await first.line(lambda line: '"type":"table"' in line))
    assert opened["info"]["settings"] == {"private": True}
    first.write("quit\n")
    await first.done()
    for again in (words, (*words[:2], opened["table"], *words[2:])):
        second = await programs.run(*again, typed=True)
        seen = json.loads(await second.line(lambda line: '"type":"table"' in line))
        assert (seen["table"], seen["seat"]) == (opened["table"], 0)
        second.write("quit\n")
        await second.done()


async def test_tables_are_listed(programs: Programs) -> None:
    """For people and for scripts; private ones are not."""
    server = await programs.serve()
    empty = await programs.run("tables", server.url)
    await empty.done()
    assert empty.lines == ["There are no public tables."]
    _, code = await created(programs, server, "--auto")
    await created(programs, server, "--auto", "--private")
    listed, read = [
        await programs.run("tables", server.url.removeprefix("ws://"), *more)
        for more in ((), ("--json",))
    ]
    await listed.done()
    await read.done()
    assert listed.lines[1].split()[:2] == ["1", code]
    assert [json.loads(line)["table"] for line in read.lines] == [code]


async def test_a_dropped_connection_comes_back(programs: Programs) -> None:
    """A server that is killed and started again is found again, and the match goes on."""
    server = await programs.serve()
    host, _ = await created(programs, server, "--auto", "--start", "1", "--option", "deals=3")
    await host.line(lambda line: "card_played" in line)
    await server.kill()
    await host.line(lambda line: '"type":"disconnected"' in line)
    await programs.serve(port=server.port)
    await host.line(lambda line: '"type":"reconnected"' in line)
    await host.done()
    assert len(host.records("finished")) == 1


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("join", "ws://127.0.0.1:9", "ABCDE", "--auto"), 3, "cannot reach ws://127.0.0.1:9"),
        (("bot", "ws://127.0.0.1:9"), 3, "cannot reach"),
        (("tables", "http://127.0.0.1:9"), 2, "no address of a server"),
        (("join", "ws://127.0.0.1:9", "ABCDE", "--create", "black_queen"), 2, "either CODE"),
        (("join", "ws://127.0.0.1:9", "--seat", "0"), 2, "counted from 1"),
        ((*JOIN, "--private"), 2, "--private is for a new table"),
        ((*JOIN, "ABCDE", "--seats", "3"), 2, "--seats is for a new table"),
        ((*JOIN, "--option", "deals=1"), 2, "--option is for a new table"),
        ((*JOIN, "--auto", "--start", "2"), 2, "--start is for a new table"),
        ((*CREATE, "--seat", "2"), 2, "either --seat or --create"),
        ((*CREATE, "--fill", "1"), 2, "--fill needs --start"),
        ((*CREATE, "--start", "0"), 2, "--start 0"),
        ((*CREATE, "--option", "turn_seconds=-1"), 2, "--option turn_seconds=-1: must be"),
        (("play", "--bots", "strong"), 2, "look like 2,1,0"),
        (("play", "--bots", "1,1,1,1,1"), 2, "5 bots, but there are 3 free seats"),
        (("play", "--option", "deals"), 2, "it looks like deals=2"),
        (("play", "whst"), 2, "no game 'whst' (did you mean whist?)"),
        (("play", "schnapsen", "--seats", "3"), 2, "--seats 3: Schnapsen takes 2 players"),
        (("play", "--option", "foo=1"), 2, "--option foo: unknown; Black Queen has deals, columns"),
        (("play", "--option", "deals=many"), 2, "--option deals: 'many' must be a whole number"),
        (("play", "--bots", "9"), 2, "--bots 9: Black Queen has bots of strength 0, 1"),
        (("play", "--seed", "-1"), 2, "--seed -1: must be greater than or equal to 0"),
        (("play", "--name", "a\tb"), 2, r"--name 'a\tb': must not hold control characters"),
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
    _, code = await created(programs, server, "--auto", "--seats", "3")
    for seat, reason in (("1", "seat 1 is taken"), ("9", "there is no seat 9 at this table")):
        guest = await programs.run("join", server.url, code, "--seat", seat)
        assert await guest.ended() == 4
        assert reason in guest.errors


async def test_a_bot_of_unknown_strength_is_a_wrong_command_line(programs: Programs) -> None:
    """It says which there are."""
    server = await programs.serve()
    _, code = await created(programs, server, "--auto", "--start", "2")
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


async def test_sigterm_stops_a_player_and_his_server(programs: Programs) -> None:
    """As Ctrl-C does, with a code of its own."""
    play = await programs.run("play", "--json", typed=True)
    await play.line(lambda line: '"your_turn":true' in line)
    play.signal(signal.SIGTERM)
    assert await play.ended() == 143
    assert programs.running() == set()
