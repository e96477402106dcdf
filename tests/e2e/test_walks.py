"""Follows people who use the program for the first time, in a real terminal."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.client_cli.screen import CTRL_C, CTRL_D, Screen
from tests.e2e.processes import Programs
from tests.e2e.program import table_code
from tests.e2e.proxy import proxy

pytestmark = pytest.mark.e2e
SMALL = ("--seats", "2", "--option", "deals=1", "--option", "bot_delay=0", "--seed", "5")


async def test_a_newcomer_alone(tmp_path: Path) -> None:
    """A new player reads help and rules, tries an illegal move, plays a card, and leaves."""
    async with Screen(tmp_path, "play", *SMALL, PAGER="") as screen:
        await screen.sees("Which game? [black_queen]")
        screen.type("black queen")
        await screen.sees("How strong should the bots be? [medium]")
        screen.type("easy")
        await screen.sees("Type ? to see this again.")
        await screen.sees("your move>")
        screen.type("?")
        assert "what the strongest bot here would play" in await screen.sees("the same as quit")
        screen.type("rules")
        await screen.sees("Black Queen is a trick-taking game")
        screen.type("hello everybody")
        await screen.sees("To chat: say hello everybody")
        screen.type("hint")
        await screen.sees("Hint")
        screen.type("A♠@9")
        await screen.sees("You don't have A♠ (column 9).")
        screen.type("hand")
        assert "hand " in await screen.sees(")")
        screen.type("1")
        await screen.sees("You play ")
        screen.type("last")
        await screen.sees("takes it.")
        screen.type("leave")
        await screen.sees("Leave the match? It ends then. Type yes or no.")
        screen.type("no")
        screen.type("leave")
        await screen.sees("Type yes or no.")
        screen.type("yes")
        await screen.sees("You have left the table.")
        assert await screen.ended() == 0


async def test_two_friends(programs: Programs, tmp_path: Path) -> None:
    """A friend joins with the host's line; after a lost connection the seat is kept."""
    server = await programs.serve()
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
    async with (
        proxy(server.port) as line,
        Screen(tmp_path / "ann", "join", server.url, "--name", "Ann") as ann,
    ):
        await ann.sees("new, help or quit:")
        ann.type("new black_queen seats=2 deals=1 columns=0")
        await ann.sees("yes or no:")
        ann.type("yes")
        *_, code = words = await invited(ann)
        assert words == ["blackqueen", "join", server.url, code]
        again = ("join", line.url, code, "--name", "Bob")
        async with Screen(tmp_path / "bob", *again) as bob:
            await ann.sees("Bob sits down.")
            bob.type("say good luck")
            await ann.sees("Bob: good luck")
            ann.type("say you too")
            await bob.sees("Ann: you too")
            for screen in (ann, bob):
                screen.type("ready")
            begun = await ann.sees(" lead")
            first, second = (ann, bob) if begun.endswith("You lead") else (bob, ann)
            for screen in (first, second):
                # With a clock, since there are two people.
                await screen.sees("your move, ")
                screen.type("1")
                await screen.sees("You play ")
            line.cut()
            await bob.sees("Connection lost")
            await bob.sees("Connected again.")
            bob.type("say still here")
            await ann.sees("Bob: still here")
            bob.type("", end=CTRL_C)
            await bob.sees("Your seat is kept")
            assert await bob.ended() == 130
        await ann.sees("Bob is away.")
        async with Screen(tmp_path / "bob", *again) as bob:
            await ann.sees("Bob is back.")
            bob.type("leave")
            await bob.sees("A bot plays your seat from now on.")
            bob.type("yes")
            assert await bob.ended() == 0
        await ann.sees("Bob leaves the table.")
        ann.type("leave")
        await ann.sees("It ends then.")
        ann.type("yes")
        assert await ann.ended() == 0


async def invited(host: Screen) -> list[str]:
    """Return the command line that the host is told to send to friends."""
    await host.sees("they join with:")
    told = await host.sees("\n\n")
    found = re.search(r"blackqueen join \S+ \w+", told)
    assert found, told
    return shlex.split(found[0])


async def test_a_spectator_who_listens(programs: Programs, tmp_path: Path) -> None:
    """With spoken output a spectator reads every event in a sentence, without escape codes.

    Spectators of the table can chat with each other, and its players do not read that.
    """
    server = await programs.serve()
    words = ("--create", "black_queen", "--seats", "2", "--option", "deals=1", "--json")
    chat = ("--option", "spectator_chat=yes")
    host = await programs.run("join", server.url, *words, *chat, typed=True)
    code = await table_code(host)
    (tmp_path / "zoe").mkdir()
    async with Screen(tmp_path / "zoe", "tables", server.url) as screen:
        await screen.sees(code)
        assert await screen.ended() == 0
    async with Screen(tmp_path / "zoe", "watch", server.url, code, "--speak") as screen:
        await screen.sees(f"Black Queen, table {code}.")
        await screen.sees("Seat 2: free.")
        host.write("start 0\n")
        await screen.sees("Match 1 begins.")
        await screen.sees(" leads.")
        await host.line(lambda text: bool(json.loads(text).get("your_turn")))
        host.write("1\n")
        told = await screen.sees(" plays ")
        card = await screen.sees(".\n")
        assert re.search(r"\w+ of (clubs|diamonds|spades|hearts)\.\n", card), told
        screen.type("score")
        await screen.sees("points 0.")
        screen.type("table")
        await screen.sees("The trick: ")
        screen.type("frobnicate")
        await screen.sees("Unknown command. Type ? for the commands.")
        screen.type("?")
        await screen.sees("say hello: chat with the other spectators.")
        screen.type("say so far so good")
        await screen.sees(" (spectator): so far so good\n")
        host.write("say I listen\n")
        assert "so far" not in await host.line(lambda text: "I listen" in text)
        screen.type("", end=CTRL_D)
        await screen.sees("You are watching. Type quit to stop.")
        screen.type("quit")
        await screen.sees("Watch again with: ")
        await screen.sees("blackqueen watch")
        assert await screen.ended() == 0
        assert "\x1b" not in screen.raw
        assert not set("♣♦♠♥▒─│▸") & set(screen.raw)
