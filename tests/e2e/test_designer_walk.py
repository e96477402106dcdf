"""Follows a game designer in a terminal, who writes a file, fixes it, plays it and measures it."""

import re
from pathlib import Path

import pytest

from tests.client_cli.screen import Screen

pytestmark = pytest.mark.e2e

GAME = """;; Bury and show: one card goes to the crypt, the other one counts.
;; @pile CRYPT crypt: nobody looks into it again
;; @hide TURNS
(game
 (setup
  (create players 2)
  (create deck (game hloc STOCK)
          (deck (RANK (TWO, THREE, FOUR, FIVE, SIX)) (SUIT (CLUBS, HEARTS)))))
 (do
  ((set (game points WORTH)
        (((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4) ((RANK : FIVE) 5) ((RANK : SIX) 6)))
   (shuffle (game hloc STOCK))
   (all player 'P (repeat 2 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))))
 ;; @stage The burial: everybody buries one card and shows the other.
 (stage player once
  ;; @choice Bury a card: The other one counts.
  (choice
   ((any ((current player) iloc HAND) 'CARD
         (do ((move 'CARD (top (game hloc CRYPT))) (inc (game sto TURNS)))))))
  (choice
   ((move (top ((current player) iloc HAND)) (top ((current player) vloc SHOWN))))))
 (scoring max (sum ((current player) vloc SHOWN) using (game points WORTH))))
"""


async def test_a_designer_with_a_new_game(tmp_path: Path) -> None:
    """The check names each mistake; the texts of the file appear at the table and in a refusal."""
    file = tmp_path / "Bury2.rcy"
    file.write_text(GAME.replace("(shuffle", "(shufle").replace("@hide TURNS", "@hide TURN"))
    async with Screen(tmp_path, "recycle", "check", str(file), columns=200) as screen:
        await screen.sees("Bury2.rcy:12:4: error [unknown_word] 'shufle'")
        await screen.sees("did you mean shuffle?")
        await screen.sees("0 of 1 description can be played")
        assert await screen.ended() == 1
    async with Screen(tmp_path, "play", str(file), "--bots", "0", columns=200) as screen:
        await screen.sees("12:4: error [unknown_word]")
        assert await screen.ended() != 0
    file.write_text(file.read_text().replace("(shufle", "(shuffle"))
    async with Screen(tmp_path, "recycle", "check", str(file), columns=200) as screen:
        await screen.sees("Bury2.rcy:3:1: warning [annotated_nothing] no value is called TURN")
        await screen.sees("did you mean TURNS?")
        assert await screen.ended() == 0
    file.write_text(GAME)
    async with Screen(tmp_path, "recycle", "show", str(file)) as screen:
        await screen.sees("Bury2: 2 players")
        await screen.sees("CRYPT")
        assert await screen.ended() == 0
    play = ("play", str(file), "--bots", "0", "--option", "bot_delay=0", "--seed", "5")
    async with Screen(tmp_path, *play) as screen:
        await screen.sees("The burial")
        await screen.sees("Bury a card. The other one counts.")
        table = await screen.sees("Type ? to see this again.")
        assert "to the crypt" in table
        assert "turns" not in table
        held = re.findall(r"[1-9]\)(\S)[♣♥]", table)
        missing = next(rank for rank in "23456" if rank not in held)
        screen.type(f"{missing}♣")
        await screen.sees("You can't do that now. The burial: Bury a card. The other one counts.")
        await screen.sees("  play ")
        screen.type("1")
        await screen.sees("You play ")
        await screen.sees(" to the crypt.")
        await screen.sees("your move>")
        screen.type("?")
        await screen.sees("nobody looks into it again")
        screen.type("1")
        await screen.sees("Deal 1 scores:")
        await screen.sees("Play again, another game, review, history, or leave?")
        screen.type("leave")
        assert await screen.ended() == 0
    games = ("--games", "5", "--out", str(tmp_path / "measured"))
    async with Screen(tmp_path, "simulate", str(file), *games, columns=200) as screen:
        assert await screen.ended() == 0
    assert list((tmp_path / "measured").rglob("*.html"))
