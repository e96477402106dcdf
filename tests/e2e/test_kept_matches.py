"""Tests matches against bots that a person interrupts at a terminal and continues later."""

import asyncio
import re
import shlex
import signal
from pathlib import Path
from shutil import copytree

import pytest

from client_cli.game_menu import ChosenGame, LastChoice
from tests.client_cli.screen import CTRL_C, CTRL_D, Screen
from tests.counts import some
from tests.e2e.processes import Programs

pytestmark = pytest.mark.e2e
SHORT = ("--seats", "2", "--option", "deals=1", "--option", "bot_delay=0", "--bots", "easy")
OFFER = "Go on with it, or new? [yes]"


def last_choice(home: Path) -> None:
    """Store the settings of an earlier visit, with bots that need no compiling."""
    LastChoice(home / "state" / "blackqueen").keep(ChosenGame("black_queen", ("easy",)))


def matches(home: Path) -> list[Path]:
    """Return the folders of the kept matches."""
    return sorted((home / "state" / "blackqueen" / "matches").glob("[0-9]*"))


async def begun(screen: Screen) -> str:
    """Return the code of the table, when the person may move there."""
    told = await screen.sees("Your turn.")
    found = re.findall(r" · table ([0-9A-Z]{4,})", told)
    assert found, told
    return str(found[-1])


@pytest.fixture(scope="session")
def one_left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home folder with an unfinished match, which tests copy and do not change."""
    home = tmp_path_factory.mktemp("left")
    last_choice(home)

    async def quit_one() -> None:
        async with Screen(home, "play", "--last") as screen:
            await begun(screen)
            screen.end()
            await screen.ended()

    asyncio.run(quit_one())
    return home


async def left(screen: Screen) -> int:
    """Leave the match for good and confirm it; return the exit code."""
    screen.type("leave")
    await screen.sees("Type yes or no.")
    screen.type("yes")
    return await screen.ended()


async def test_a_match_that_was_quit_goes_on_at_enter(tmp_path: Path) -> None:
    """Enter continues a match that was quit, with its moves; a finished match is not offered."""
    async with Screen(tmp_path, "play", "black_queen", *SHORT) as screen:
        code = await begun(screen)
        screen.type("1")
        await screen.sees("You play ")
        screen.type("quit")
        await screen.sees("The match is kept, and the next blackqueen play offers it.")
        assert await screen.ended() == 0
    async with Screen(tmp_path, "play", "--last") as screen:
        offer = await screen.sees(OFFER)
        assert re.search(r"Unfinished: Black Queen, \d{4}-\d\d-\d\d \d\d:\d\d\. Go on", offer)
        screen.type("")
        assert await begun(screen) == code
        screen.type("last")
        await screen.sees("takes it.")
        screen.type("", end=CTRL_D)
        await screen.sees("Play again, another game, review, history, or leave? [again]")
        # With the options of the first one.
        screen.type("")
        # A match of several deals would say which this is.
        assert "deal 1 of" not in await screen.sees("your move>")
        assert await left(screen) == 0
    assert matches(tmp_path) == []
    async with Screen(tmp_path, "play", "--last") as screen:
        assert OFFER not in await screen.sees("your move>")
        assert await left(screen) == 0


@pytest.mark.parametrize("sign", some([signal.SIGKILL, signal.SIGHUP]))
async def test_however_it_ended(tmp_path: Path, sign: signal.Signals) -> None:
    """A match whose terminal closed or whose program was killed with SIGKILL goes on at Enter."""
    last_choice(tmp_path)
    async with Screen(tmp_path, "play", "--last") as screen:
        code = await begun(screen)
        screen.end(sign)
        await screen.ended()
        await screen.alone()
    async with Screen(tmp_path, "play", "--last") as screen:
        await screen.sees(OFFER)
        screen.type("yes")
        assert await begun(screen) == code
        screen.end(signal.SIGTERM)
        await screen.ended()


async def test_a_new_match_leaves_the_old_one(tmp_path: Path, one_left: Path) -> None:
    """After a new match both are offered, the later one first; the printed command works too."""
    copytree(one_left / "state", tmp_path / "state")
    async with Screen(tmp_path, "play", "--last", columns=300) as screen:
        await screen.sees(OFFER)
        screen.type("?")
        await screen.sees("Enter goes on with the match, new begins another one")
        screen.type("perhaps")
        await screen.sees("perhaps: type yes or new")
        screen.type("new")
        code = await begun(screen)
        # It asks nothing: nothing is lost.
        screen.type("", end=CTRL_C)
        told = await screen.sees("matches/")
        command = told + (await screen.sees("\n")).strip()
        assert await screen.ended() == 130
    async with Screen(tmp_path, "play", "--last") as screen:
        await screen.sees("Go on with which unfinished match, or new? [1]")
        screen.type("3")
        await screen.sees("3: type 1 to 2 or new")
        screen.type("2")
        assert await begun(screen) != code
        screen.end()
        await screen.ended()
    words = shlex.split(command.rpartition("Continue with: ")[2])
    assert words[0].endswith("blackqueen")
    assert words[1:3] == ["play", "--data"]
    async with Screen(tmp_path, *words[1:]) as screen:
        assert await begun(screen) == code
        screen.end()
        await screen.ended()


async def test_another_game_or_other_rules_are_not_asked_about(
    tmp_path: Path, one_left: Path
) -> None:
    """If the command names a game or rules, the program only says how to continue the old match."""
    copytree(one_left / "state", tmp_path / "state")
    async with Screen(tmp_path, "play", "whist", columns=200) as screen:
        assert "nfinished" not in await screen.sees("deal 1 of ")
        screen.end()
        await screen.ended()
    async with Screen(tmp_path, "play", "black_queen", "--seed", "5", columns=200) as screen:
        told = await screen.sees("matches/1")
        assert "Unfinished: Black Queen, " in told
        assert OFFER not in await screen.sees("deal 1 of ")
        screen.end()
        await screen.ended()


async def test_without_a_terminal_nothing_is_asked(
    programs: Programs, tmp_path: Path, one_left: Path
) -> None:
    """Without a terminal a program starts a new match without a question, and does not keep it."""
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    copytree(one_left / "state", tmp_path / "state")
    program = await programs.run("play", "--json", "--auto", *SHORT, environment=state)
    await program.done()
    assert len(program.records("finished")) == 1
    assert len(matches(tmp_path)) == 1


async def test_a_damaged_match_costs_nobody_a_new_one(tmp_path: Path, one_left: Path) -> None:
    """If a kept match is damaged, the reason is printed, and a new match starts."""
    copytree(one_left / "state", tmp_path / "state")
    (folder,) = matches(tmp_path)
    database = folder / "blackqueen.sqlite3"
    database.write_bytes(b"no database" * 999)
    (folder / "match.json").write_text("{")
    async with Screen(tmp_path, "play", "--last") as screen:
        assert "Unfinished: a match, " in await screen.sees(OFFER)
        screen.type("")
        await screen.sees("cannot be played on. A new one")
        await screen.sees("your move>")
        assert await left(screen) == 0
    assert matches(tmp_path) == [folder]


async def test_a_match_that_ended_elsewhere_is_not_offered_for_ever(
    tmp_path: Path, one_left: Path
) -> None:
    """A match that was left for good by way of its folder is offered at most once more."""
    copytree(one_left / "state", tmp_path / "state")
    (folder,) = matches(tmp_path)
    async with Screen(tmp_path, "play", "--data", str(folder)) as screen:
        await begun(screen)
        assert await left(screen) == 0
    async with Screen(tmp_path, "play", "--last") as screen:
        await screen.sees(OFFER)
        screen.type("")
        await screen.sees("There is no unfinished match.")
        await begun(screen)
        assert await left(screen) == 0
    assert matches(tmp_path) == []


async def test_in_german(tmp_path: Path, one_left: Path) -> None:
    """Offer, help and farewell of kept matches are in German."""
    copytree(one_left / "state", tmp_path / "state")
    german = {"LC_MESSAGES": "de_DE.UTF-8"}
    async with Screen(tmp_path, "play", "--last", columns=300, **german) as screen:
        await screen.sees("Unbeendet: Black Queen, ")
        await screen.sees("Weiterspielen, oder neu? [ja]")
        screen.type("vielleicht")
        await screen.sees("vielleicht: tipp ja oder neu")
        screen.type("ja")
        await screen.sees("dein Zug>")
        screen.type("quit")
        await screen.sees("und blackqueen play bietet sie nächstes Mal an. So geht sie weiter:")
        assert await screen.ended() == 0


async def test_for_who_listens(tmp_path: Path, one_left: Path) -> None:
    """With spoken output the offer of a kept match is given in sentences."""
    copytree(one_left / "state", tmp_path / "state")
    async with Screen(tmp_path, "play", "--last", "--speak") as screen:
        await screen.sees(OFFER)
        screen.type("")
        await screen.sees("Your turn")
        screen.type("quit")
        await screen.sees("The match is kept")
        assert await screen.ended() == 0
