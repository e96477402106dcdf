"""A whole game in a real terminal, as a person plays it."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.client_cli.screen import CTRL_C, CTRL_D, TAB, Screen
from tests.e2e.processes import Programs

pytestmark = pytest.mark.e2e
SEATED = ("play", "black_queen", "--seats", "2", "--seed", "5")
SMALL = (*SEATED, "--option", "deals=1", "--option", "bot_delay=0")


async def close(screen: Screen) -> None:
    """Close the program during a match, which is kept."""
    screen.type("quit")


def games_kept(folder: Path) -> list[Path]:
    """The temporary folders of private servers."""
    return list(folder.glob("blackqueen-*"))


async def test_a_person_plays_by_hand_and_then_lets_it_go_on(tmp_path: Path) -> None:
    """A person plays with short moves, Tab and errors; after Ctrl-D the seat plays by itself."""
    async with Screen(tmp_path, *SMALL) as screen:
        table = await screen.sees("Your turn.")
        legal = re.findall(r"\d+\)(10|[2-9JQKA])([♣♦♠♥])", table)
        assert legal
        screen.type("what is this")
        await screen.sees("Unknown command. Type ? for the commands.")
        screen.type("hnit")
        await screen.sees("Unknown command. Did you mean hint?")
        screen.type("?")
        await screen.sees("what the strongest bot here would play")
        await screen.sees("your move>")
        screen.type("hin", end=TAB)
        await screen.sees("hint")
        screen.type("")
        await screen.sees("on average;")
        screen.type("hint full")
        await screen.sees("value:")
        screen.type("say hello")
        await screen.sees(": hello")
        screen.type("score")
        await screen.sees("Black Queen · table")
        rank, suit = legal[0]
        screen.type(suit + rank.lower())
        await screen.sees(f"You play {rank}{suit}.")
        await screen.sees("Your turn.")
        screen.type("1")
        await screen.sees("You play ")
        screen.type("", end=CTRL_D)
        await screen.sees("Your seat plays by itself now. Type back")
        await screen.sees("Deal 1 scores:")
        await screen.sees("total")
        await screen.sees("Play again, another game, review, history, or leave?")
        screen.type("leave")
        assert await screen.ended() == 0
        assert "\x1b[91m" in screen.raw


async def test_a_refused_move_names_the_rule(tmp_path: Path) -> None:
    """A refused move names the rule that it breaks. Leaving a match is asked about."""
    async with Screen(tmp_path, *SMALL, "--bots", "0") as screen:
        while True:
            table = await screen.sees("Your turn.")
            hand = table[table.rindex("\nhand ") : table.rindex("\ncolumn ")]
            barred = re.findall(r"(?<![\d)])(10|[2-9JQKA])([♣♦♠♥])", hand)
            if barred:
                break
            screen.type("1")
        screen.type("A♠@9")
        await screen.sees("You don't have A♠ (column 9).")
        screen.type("".join(barred[0]))
        told = await screen.sees(".\n")
        assert re.search(r"You must follow (clubs|diamonds|spades|hearts): \S+[♣♦♠♥]", told)
        screen.type("leave")
        await screen.sees("Leave the match? It ends then. Type yes or no.")
        screen.type("yes")
        await screen.sees("You have left the table.")
        assert await screen.ended() == 0


async def test_signs_are_explained_once_and_a_turn_rings_on_request(tmp_path: Path) -> None:
    """Signs are explained below the first table of a game only, and again by `?`.

    With `--bell` a turn rings and is shown in the title, which is restored at the end.
    """
    for first, flags in ((True, ("--bell",)), (False, ())):
        async with Screen(tmp_path, *SMALL, "--bots", "0", *flags) as screen:
            told = await screen.sees("Your turn.\n")
            told += await screen.sees("your move>")
            screen.type("table")
            told += await screen.sees("Your turn.\n")
            assert ("a face-down card" in told) is first
            screen.type("?")
            await screen.sees("a face-down card")
            await close(screen)
            assert await screen.ended() == 0
            assert re.search("\x1b]2;(Your turn - Black Queen [0-9A-Z]+)\a", screen.raw)
            assert re.sub("\x1b][^\a]*\a", "", screen.raw).count("\a") == int(first)
            assert "\x1b[23;2t" in screen.raw


PAGER = """
import os, signal, sys
text = sys.stdin.read()
print(os.environ["LESS"], os.environ["LESSCHARSET"])
signal.signal(signal.SIGINT, lambda *_: print("interrupted", flush=True))
print(text, "pager ready", flush=True)
open("/dev/tty").readline()
print("pager closed")
"""


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager that prints what happens to it; Enter closes it."""
    (tmp_path / "pager.py").write_text(PAGER)
    return f"{sys.executable} {tmp_path / 'pager.py'}"


async def test_the_rules_open_in_a_pager(tmp_path: Path, pager: str) -> None:
    """The rules open in a pager, whose Ctrl-C does not end the program, but which ends with it."""
    async with Screen(tmp_path / "home", *SMALL, "--bots", "0", PAGER=pager) as screen:
        await screen.sees("Your turn.")
        screen.type("rules")
        await screen.sees("-PsPress q to go back, Space to read on$FRX utf-8")
        await screen.sees("Black Queen is a trick-taking game")
        assert "your move>" not in await screen.sees("pager ready")
        screen.type("", end=CTRL_C)
        await screen.sees("interrupted")
        screen.type("")
        await screen.sees("pager closed")
        await screen.sees("your move>")
        screen.type("1")
        await screen.sees(" the trick")
        screen.type("last")
        await screen.sees("Trick 1: ")
        await screen.sees(" takes it.")
        # What fits the screen needs no pager.
        screen.type("history")
        assert "pager" not in await screen.sees("Trick 1: ")
        screen.type("rules")
        await screen.sees("pager ready")
        screen.end()
        assert await screen.ended() == 143


async def test_a_seat_is_taken_back(tmp_path: Path) -> None:
    """After Ctrl-D `back` gives the player the seat again."""
    async with Screen(tmp_path, *SEATED, "--option", "bot_delay=60") as screen:
        await screen.sees("Your turn.")
        screen.type("", end=CTRL_D)
        await screen.sees("Type back to play again")
        await screen.sees("You play ")
        screen.type("back")
        await screen.sees("You play for yourself again.")
        await close(screen)
        await screen.sees("The match is kept")
        assert await screen.ended() == 0


async def test_ctrl_c_asks_once_and_then_ends_the_game_and_its_server(tmp_path: Path) -> None:
    """Ctrl-C asks once, and then ends the game and its server with the usual exit code.

    It asks only if no match can be kept: here a file is in the way of the state directory.
    """
    (tmp_path / "state").write_text("")
    async with Screen(tmp_path, *SMALL) as screen:
        await screen.sees("your move>")
        screen.type("half a li", end=CTRL_C)
        await screen.sees("Type yes or no, or Ctrl-C again.")
        screen.type("no")
        await screen.sees("You stay at the table.")
        screen.type("", end=CTRL_C)
        await screen.sees("Type yes or no, or Ctrl-C again.\n")
        await screen.sees("yes or no>")
        screen.type("", end=CTRL_C)
        await screen.sees(
            "The match was not kept. Start with --data DIR to keep a match for later."
        )
        assert await screen.ended() == 130
    assert not games_kept(tmp_path)


async def test_without_colours_there_are_none(tmp_path: Path) -> None:
    """With NO_COLOR in a narrow terminal there are no colours and only letters."""
    async with Screen(tmp_path, *SMALL, "--ascii", columns=60, NO_COLOR="1") as screen:
        await screen.sees("Your turn.")
        await close(screen)
        assert await screen.ended() == 0
        drawn = screen.text
        assert drawn.isascii()
        # A prompt that was wiped to make room for a line still stands before it in the text,
        # and where it became another that begins with the same letter, the rest of that.
        wiped = r"^(?:(?:start, add or \?|your move|yes or no)?> ?|es or no)+"
        lines = [re.sub(wiped, "", line) for line in drawn.splitlines()]
        # A command that is to be copied is never broken.
        assert all(len(line) < 60 or "blackqueen play" in line for line in lines)
        assert not re.search(r"\x1b\[(9|3)\dm", screen.raw)


async def test_a_lobby_by_hand(programs: Programs, tmp_path: Path) -> None:
    """Two people use the lobby: one opens a table, the other joins; they chat, start and leave."""
    server = await programs.serve()
    ann = Screen(tmp_path / "ann", "join", server.url, "--name", "Ann")
    bob = Screen(tmp_path / "bob", "join", server.url, "--name", "Bob")
    async with ann:
        await ann.sees("new, help or quit:")
        ann.type("help")
        await ann.sees("open a table for this game")
        ann.type("new black queen")
        await ann.sees("Open a table of Black Queen for 4 players? yes or no:")
        ann.type("yes")
        await ann.sees(f"blackqueen join {server.url}")
        await ann.sees("you, host, not ready")
        async with bob:
            await bob.sees("1  ")
            await bob.sees("new, help or quit:")
            bob.type("1")
            await bob.sees("you, not ready")
            await ann.sees("Bob sits down.")
            ann.type("say half a", end="")
            await ann.sees("say half a")
            bob.type("sit 4")
            await ann.sees("Bob moves to seat 4.")
            # What comes while one types goes above the line and leaves it whole.
            ann.type(" sentence")
            await bob.sees("Ann: half a sentence")
            ann.type("add 1")
            await bob.sees("an easy bot, sits down.")
            ann.type("remove 2")
            await bob.sees("The host removed ")
            ann.type("set deals=1")
            await bob.sees("deals=1")
            bob.type("set deals=2")
            await bob.sees("set deals=2: Only the host can do that.")
            bob.type("ready")
            await ann.sees("Bob is ready.")
            ann.type("kick 2")
            await ann.sees("kick 2: No other person sits at seat 2.")
            ann.type("start 0")
            await asyncio.gather(ann.sees("Match 1 begins."), bob.sees("Match 1 begins."))
            await server.kill()
            await asyncio.gather(*(each.sees("Trying to reconnect.") for each in (ann, bob)))
            await programs.serve(port=server.port)
            await asyncio.gather(*(each.sees("Connected again.") for each in (ann, bob)))
            bob.type("leave")
            await bob.sees("Leave the match? A bot plays your seat from now on. Type yes or no.")
            bob.type("yes")
            await bob.sees("You have left the table.")
            assert await bob.ended() == 0
        await ann.sees("Bob leaves the table.")
        ann.type("", end=CTRL_D)
        await ann.sees("Your seat plays by itself now")
        await ann.sees("Deal 1 scores:")
        await ann.sees("Type rematch for another match here, or leave to go.")
        ann.type("leave")
        assert await ann.ended() == 0


async def test_a_player_is_told_how_to_come_back(programs: Programs, tmp_path: Path) -> None:
    """Ctrl-C at a server prints a command that leads back to the seat."""
    server = await programs.serve()
    words = ("join", server.url, "--create", "black_queen", "--name", "Ann")
    async with Screen(tmp_path / "ann", *words) as screen:
        await screen.sees("you, host, not ready")
        screen.type("", end=CTRL_C)
        await screen.sees("Your seat is kept for a while. Come back with:")
        again = await screen.sees("--name Ann\n")
        assert await screen.ended() == 130
    async with Screen(tmp_path / "ann", *again.split()[1:]) as screen:
        await screen.sees("you, host, not ready")
        screen.type("quit")
        assert await screen.ended() == 0
