"""Longer answers: help and the result."""

from dataclasses import replace

import pytest

from client_cli.pages import explained, final_lines, help_lines
from client_cli.text import Look
from engine.facts import Fact
from protocol.to_server import OptionValue
from tests.client_cli.tables import ANNS_TURN, ASCII, WIDE, human, table, text_of


def test_help_tells_what_makes_sense_now() -> None:
    """The help in a match lists moves and hints, and in the lobby seats and bots."""
    playing, lobby = ANNS_TURN, table(phase="lobby")
    assert "hint" in text_of(help_lines(playing, WIDE))
    assert "sit 2" not in text_of(help_lines(playing, WIDE))
    assert "a move     a number from the table" in text_of(help_lines(playing, WIDE))
    assert "a move" not in text_of(help_lines(lobby, WIDE))
    assert "add medium   host: add a bot that is easy, medium or strong" in text_of(
        help_lines(lobby, WIDE)
    )


@pytest.mark.parametrize("width", [20, 34, 40, 80])
def test_explanations_fit_every_width(width: int) -> None:
    """Explanations fit every width, below a long list if needed."""
    told = [("?", "this list"), ("bags, team, tricks, total", "what this game counts for each")]
    lines = text_of(explained(told, Look(width))).splitlines()
    assert all(len(line) <= width for line in lines)
    assert "for each" in " ".join(" ".join(lines).split())
    assert "counts" in " ".join(lines).split()


def test_a_spectator_is_offered_no_seat_orders() -> None:
    """A spectator's help has no commands about seats."""
    told = text_of(help_lines(table(seat=None), WIDE))
    for word in ("hint", "say hello", "seat", "Ctrl-D"):
        assert word not in told
    assert "leave    stop watching\n" in told


def test_a_bot_plays_on_only_in_a_match() -> None:
    """The help says that a bot plays on only in a match."""
    two = table(seats=(human("Ann"), human("Bob")))
    assert "give up your seat; a bot takes it\n" in text_of(help_lines(two, WIDE))
    assert "auto 3" in text_of(help_lines(two, WIDE))
    for phase in ("lobby", "finished"):
        told = text_of(help_lines(table(phase=phase), WIDE))
        assert "give up your seat\n" in told
        assert "a bot takes it" not in told


def test_help_for_one_who_plays_alone() -> None:
    """The help for a person who plays alone omits what concerns others."""
    told = text_of(help_lines(ANNS_TURN, WIDE))
    assert "give up your seat; the match ends\n" in told
    assert "auto 3" not in told


@pytest.mark.parametrize(
    ("options", "usage"),
    [
        ({"rounds": 3, "deals": 4}, "set deals=2 "),
        ({"nil": True}, "set nil=yes "),
        ({"rules": "standard"}, "set rules=standard "),
        ({}, "set turn_seconds=60 "),
    ],
)
def test_an_example_that_the_game_has(options: dict[str, OptionValue], usage: str) -> None:
    """The help's example of `set` is an option of the game."""
    lobby = table(phase="lobby")
    info = lobby.info.model_copy(update={"options": options})
    assert usage in text_of(help_lines(replace(lobby, info=info), WIDE))


def test_the_keys_are_told() -> None:
    """The help lists the keys."""
    told = text_of(help_lines(table(), WIDE))
    assert "Ctrl-D     the same as auto" in told
    assert "Ctrl-C     the same as quit" in told


def test_help_ends_with_the_signs_of_the_table() -> None:
    """The help ends with the signs of the table in a match, and without any before it."""
    told = text_of(help_lines(ANNS_TURN, WIDE))
    assert "\n▒              a face-down card\n" in told
    assert "▒" not in text_of(help_lines(table(phase="lobby"), WIDE))
    assert text_of(help_lines(ANNS_TURN, ASCII)).isascii()


def test_the_result_in_order_of_rank() -> None:
    """The result lists players by rank, with equal totals sharing one."""
    over = table(
        phase="finished",
        facts=(Fact("match_ended", {"totals": (-3, 10, -3), "ranks": (2, 1, 2)}),),
        values={"deal": 4},
    )
    assert (
        text_of(final_lines(over, WIDE))
        == """

── Black Queen · table K7Q2X · deal 4 of 4 ────────────────────────────────────
              total
1  Blaise        10
2  Ann (you)     -3
2  Carl          -3

"""
    )
