"""Longer answers: help, rules, hints, the result."""

import re
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from client_cli.pages import final_lines, help_lines, hint_lines, rules_lines
from client_cli.text import Look
from engine.facts import Fact
from engine.games.rules import rules_text
from protocol.to_client import Candidate, HintAnswer
from tests.client_cli.tables import ANNS_TURN, ASCII, CODE, NARROW, WIDE, table, text_of


def test_help_tells_what_makes_sense_now() -> None:
    """In a match moves and hints, in the lobby seats and bots."""
    playing, lobby = ANNS_TURN, table(phase="lobby")
    assert "hint" in text_of(help_lines(playing, WIDE))
    assert "sit 2" not in text_of(help_lines(playing, WIDE))
    assert "a move     a number from the table" in text_of(help_lines(playing, WIDE))
    assert "a move" not in text_of(help_lines(lobby, WIDE))
    assert "add 2        host: add a bot of strength 2" in text_of(help_lines(lobby, WIDE))


def test_a_spectator_is_offered_no_seat_orders() -> None:
    """A spectator may watch and leave, and has no seat to give up."""
    told = text_of(help_lines(table(seat=None), WIDE))
    for word in ("hint", "say hello", "seat", "Ctrl-D"):
        assert word not in told
    assert "leave   stop watching\n" in told


def test_a_bot_plays_on_only_in_a_match() -> None:
    """Before it and after it a seat given up is free."""
    assert "give up your seat; a bot plays on\n" in text_of(help_lines(table(), WIDE))
    for phase in ("lobby", "finished"):
        told = text_of(help_lines(table(phase=phase), WIDE))
        assert "give up your seat\n" in told
        assert "a bot plays on" not in told


def test_the_keys_are_told() -> None:
    """They are all one cannot type."""
    told = text_of(help_lines(table(), WIDE))
    assert "Ctrl-D     the same as auto" in told
    assert "Ctrl-C     the same as quit" in told


def test_the_rules_are_readable_in_a_narrow_terminal() -> None:
    """Markdown as text: no marks, tables with their columns, no line too wide."""
    told = text_of(rules_lines(rules_text("black_queen"), NARROW))
    assert told.startswith("\nBlack Queen\n\nBlack Queen is a trick-taking game")
    assert "|" not in told
    assert "**" not in told
    assert all(len(each) <= NARROW.width for each in told.splitlines())


HINT = HintAnswer(
    id=1,
    table=CODE,
    turn=7,
    action="play JC@1",
    candidates=(
        Candidate(action="play 2C", value=-0.5, why={"worst": -1.0, "high": 0.0}),
        Candidate(action="play JC@1", value=1.25, why={"void/1": 0.5, "others_take": 2.0}),
    ),
)


def test_a_hint_shows_the_move_and_what_each_candidate_is_worth() -> None:
    """The best first; numbers that are zero are left out; seats are called by name."""
    assert (
        text_of(hint_lines(HINT, ANNS_TURN, WIDE))
        == """
Hint: play J♣@1
  move       value
  play J♣@1  +1.25  void Blaise 0.50  others take 2
  play 2♣    -0.50  worst -1
value: the bot's estimate of a move's worth, more is better.
"""
    )


def test_a_sampled_value_is_shown_with_its_deviation() -> None:
    """How sure a value is stands beside it and not among the reasons, in ASCII too."""
    sampled = Candidate(
        action="play 2C", value=1.5, why={"deviation": 0.25, "spread": 4.0, "worlds": 256.0}
    )
    plain = Candidate(action="play JC@1", value=-2.0, why={"worlds": 16.0})
    answer = HintAnswer(id=1, table=CODE, turn=7, action="play 2C", candidates=(plain, sampled))
    assert (
        text_of(hint_lines(answer, ANNS_TURN, WIDE))
        == """
Hint: play 2♣
  move       value
  play 2♣    +1.50 ± 0.25  spread 4  worlds 256
  play J♣@1  -2.00         worlds 16
value: the bot's estimate of a move's worth, more is better; ±: its deviation.
"""
    )
    in_ascii = text_of(hint_lines(answer, ANNS_TURN, ASCII))
    assert "+1.50 +- 0.25" in in_ascii
    assert "better; +-: its deviation." in in_ascii


def test_a_reason_that_is_the_value_itself_is_not_told_again() -> None:
    """What a bot names by several names is one number."""
    why = {"avoid": 5.125, "mean": 5.125, "deviation": 0.5, "shoot": -3.0}
    answer = HINT.model_copy(
        update={"candidates": (Candidate(action="play 2C", value=5.125, why=why),)}
    )
    assert "  play 2♣  +5.12 ± 0.50  shoot -3\n" in text_of(hint_lines(answer, ANNS_TURN, WIDE))


def test_a_move_of_which_nothing_is_known_has_no_number() -> None:
    """A value that was never worked out would look like one that was; such moves come last."""
    weighed = Candidate(action="play 9C", value=-1.5, why={"worlds": 16.0})
    even = Candidate(action="play TC", value=0.0, why={"worlds": 8.0})
    unknown = (
        Candidate(action="play 2C", value=0.0),
        Candidate(action="play JC@1", value=0.0, why={"mean": 0.0, "deviation": 0.0}),
        Candidate(action="play 4C", value=-inf, why={"playouts": 0.0}),
    )
    some = HINT.model_copy(update={"candidates": (*unknown, weighed, even)})
    assert (
        text_of(hint_lines(some, ANNS_TURN, WIDE))
        == """
Hint: play J♣@1
  move       value
  play 10♣   +0.00  worlds 8
  play 9♣    -1.50  worlds 16
  play 2♣
  play J♣@1
  play 4♣
value: the bot's estimate of a move's worth, more is better.
"""
    )
    for few in (unknown, unknown[:1]):
        none = HINT.model_copy(update={"candidates": few})
        assert text_of(hint_lines(none, ANNS_TURN, WIDE)) == "\nHint: play J♣@1\n"


def test_a_hint_without_reasons_is_just_the_move() -> None:
    """The random bot weighs nothing."""
    bare = HintAnswer(id=1, table=CODE, turn=7, action="play 2C")
    assert text_of(hint_lines(bare, ANNS_TURN, ASCII)) == "\nHint: play 2C\n"


def test_whole_values_have_no_fraction() -> None:
    """Points of games that count by ones."""
    whole = tuple(
        Candidate(action=f"play {card}", value=at) for at, card in enumerate(("2C", "9C"), 1)
    )
    drawn = text_of(hint_lines(HINT.model_copy(update={"candidates": whole}), ANNS_TURN, WIDE))
    assert "  play 9♣     +2\n" in drawn


@given(st.integers(20, 90))
def test_no_figure_of_a_hint_is_cut(cells: int) -> None:
    """In a narrow terminal whole figures are left out, from the right, and moves are shortened."""
    sampled = {"deviation": 0.25, "spread": 4.5, "worlds": 16.0, "visits": 2100.0}
    candidates = (
        Candidate(action="play 2C", value=-0.5, why=sampled),
        Candidate(action="pass TC JC QC KC AC", value=12.25, why={"worlds": 1600.0}),
    )
    hint = HINT.model_copy(update={"candidates": candidates})
    drawn = text_of(hint_lines(hint, ANNS_TURN, Look(cells))).splitlines()
    assert all(len(each) <= cells for each in drawn)
    top = next(at for at, each in enumerate(drawn) if each.startswith("  move"))
    titles, best, other = drawn[top : top + 3]
    assert titles.index("value") + 5 == best.index("+12.25") + 6 == other.index("-0.50") + 5
    whole = {"worlds 1600", "± 0.25", "spread 4.50", "worlds 16", "visits 2100", ""}
    for row, value in ((best, "+12.25"), (other, "-0.50")):
        shown = row.partition(value)[2].strip()
        assert set(re.split(r"  +|(?<=0\.25)  ", shown)) <= whole


def test_the_result_in_order_of_rank() -> None:
    """Equal totals share a rank."""
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


def test_code_in_rules_keeps_its_lines() -> None:
    """A description is read as it is written: its indents stand, its stars are no emphasis."""
    page = "These are *the* rules.\n\n```\n(game\n  (do ((* 2 3)))\n```\nThe end."
    shown = text_of(rules_lines(page, WIDE)).splitlines()[1:]
    assert shown == ["These are the rules.", "", "(game", "  (do ((* 2 3)))", "The end."]
