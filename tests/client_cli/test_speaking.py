"""A game with `--speak` in a real terminal."""

import re
from pathlib import Path

import pytest

from tests.client_cli.screen import CTRL_C, CTRL_D, Screen

pytestmark = pytest.mark.e2e
SMALL = ("--seats", "2", "--option", "deals=1", "--option", "bot_delay=0", "--seed", "5")


async def test_a_person_plays_by_ear(tmp_path: Path) -> None:
    """A person plays by number and name; Ctrl-D and `back` work, and nothing is drawn."""
    async with Screen(tmp_path, "play", "black_queen", *SMALL, "--bots", "0", "--speak") as screen:
        told = await screen.sees("Your turn.\n")
        hand = re.search(r"^Your hand: (.*)\.$", told, re.M)
        assert hand
        numbered = re.findall(r"\d+ (\w+ of \w+)", hand[1])
        assert numbered
        screen.type(numbered[0])
        await screen.sees(f"You play {numbered[0]}.")
        await screen.sees("You may play: ")
        screen.type("1")
        await screen.sees("You play ")
        await screen.sees("Your turn.")
        screen.type("hand")
        await screen.sees("Your hand: ")
        screen.type("rules")
        await screen.sees("players 2, packs 1, left out none")
        screen.type("last")
        await screen.sees("takes it.")
        screen.type("leave")
        await screen.sees("Leave the match?")
        screen.type("no")
        await screen.sees("You stay at the table.")
        screen.type("", end=CTRL_C)
        await screen.sees("The match is kept")
        assert await screen.ended() == 130
        assert "\x1b" not in screen.raw
        assert not set("♣♦♠♥▒─│▸") & set(screen.raw)


async def test_a_seat_that_plays_by_itself_is_told(tmp_path: Path) -> None:
    """A seat that plays by itself is told in sentences, to the result."""
    async with Screen(tmp_path, "play", "black_queen", *SMALL, "--bots", "0", "--speak") as screen:
        await screen.sees("Your turn.\n")
        screen.type("", end=CTRL_D)
        await screen.sees("Your seat plays by itself now.")
        await screen.sees(" the match. ")
        await screen.sees("Play again, another game, review, history, or leave? [again]\n")
        screen.type("leave")
        assert await screen.ended() == 0
        assert "\x1b" not in screen.raw
