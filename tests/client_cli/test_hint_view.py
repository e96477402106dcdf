"""A hint as a person reads it: a sentence, and on request its figures."""

import re
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from client_cli.hint_view import hint_lines, hint_sentence
from client_cli.text import Look
from engine.phrases import Phrase
from protocol.to_client import Candidate, HintAnswer
from tests.client_cli.tables import ANNS_TURN, ASCII, CODE, WIDE, text_of

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
    """A hint lists its candidates with their values, best first, without zero figures."""
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
    """A sampled value is shown with its deviation, in ASCII too."""
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
    """A figure equal to the value is not shown again."""
    why = {"avoid": 5.125, "mean": 5.125, "deviation": 0.5, "shoot": -3.0}
    answer = HINT.model_copy(
        update={"candidates": (Candidate(action="play 2C", value=5.125, why=why),)}
    )
    assert "  play 2♣  +5.12 ± 0.50  shoot -3\n" in text_of(hint_lines(answer, ANNS_TURN, WIDE))


def test_a_move_of_which_nothing_is_known_has_no_number() -> None:
    """A candidate without a value has no number and comes last."""
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
    """A hint without reasons is only the move."""
    bare = HintAnswer(id=1, table=CODE, turn=7, action="play 2C")
    assert text_of(hint_lines(bare, ANNS_TURN, ASCII)) == "\nHint: play 2C\n"


def test_whole_values_have_no_fraction() -> None:
    """Whole values have no fraction."""
    whole = tuple(
        Candidate(action=f"play {card}", value=at) for at, card in enumerate(("2C", "9C"), 1)
    )
    drawn = text_of(hint_lines(HINT.model_copy(update={"candidates": whole}), ANNS_TURN, WIDE))
    assert "  play 9♣     +2\n" in drawn


@given(st.integers(20, 90))
def test_no_figure_of_a_hint_is_cut(cells: int) -> None:
    """In a narrow terminal figures are left out whole, from the right."""
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


LEAD = Phrase("hint_lead", {"move": "play JC@1", "value": 4, "other": "play 2C", "less": "-0.5"})
SPOKEN = HINT.model_copy(update={"phrase": LEAD})


def test_a_hint_speaks() -> None:
    """A hint's sentence has the move and its value beside the next best, without figures."""
    said = "J♣ (column 1) puts you 4 points ahead of the others on average; 2♣ makes it −0.5."
    assert text_of(hint_sentence(SPOKEN, ANNS_TURN, Look(100))) == f"\nHint: {said}\n"
    full = text_of(hint_lines(SPOKEN, ANNS_TURN, Look(100)))
    assert full.startswith(f"\nHint: {said}\n  move       value\n")
    assert "JC (column 1) puts you 4" in text_of(hint_sentence(SPOKEN, ANNS_TURN, ASCII))
    assert "makes it -0.5." in " ".join(text_of(hint_sentence(SPOKEN, ANNS_TURN, ASCII)).split())


def test_figures_come_in_the_order_of_the_server() -> None:
    """Candidates come in the server's order; an older server gives none."""
    full = text_of(hint_lines(SPOKEN, ANNS_TURN, WIDE))
    assert full.index("play 2♣ ") < full.index("play J♣@1 ")
    older = text_of(hint_lines(HINT, ANNS_TURN, WIDE))
    assert older.index("play J♣@1 ") < older.index("play 2♣ ")


def test_the_figures_have_a_unit() -> None:
    """The sentence and the line below the figures name their unit."""
    full = text_of(hint_lines(SPOKEN, ANNS_TURN, Look(100)))
    assert full.endswith("\nvalue: points ahead of the others on average.\n")


def test_a_hint_names_a_bot_that_is_not_the_strong_one() -> None:
    """A hint names the bot if it is not the strong one."""
    plain = HINT.model_copy(update={"strength": 2, "weaker": True})
    assert read(plain) == "Hint of a plain bot: play J♣@1 (no stronger bot is ready here)."
    phrase = Phrase("hint_better", {"move": "play JC@1", "other": "play 2C"})
    reason = plain.model_copy(update={"phrase": phrase, "seconds": 14})
    assert read(reason) == (
        "Hint of a plain bot: J♣ (column 1) looks better than 2♣ "
        "(a stronger hint is being prepared, about 15 s)."
    )
    alone = Phrase("hint_weaker", {"move": "play JC@1", "strength": 2})
    assert read(plain.model_copy(update={"phrase": alone})) == (
        "Hint: A plain bot would choose: J♣ (column 1) (no stronger bot is ready here)."
    )


def read(hint: HintAnswer) -> str:
    """The sentence of a hint, on one line."""
    return " ".join(text_of(hint_sentence(hint, ANNS_TURN, WIDE)).split())


def test_a_reason_of_a_newer_server_is_left_out() -> None:
    """A hint with a reason of a newer server shows only the move."""
    newer = HINT.model_copy(update={"phrase": Phrase("hint_of_tomorrow", {})})
    assert text_of(hint_sentence(newer, ANNS_TURN, WIDE)) == "\nHint: play J♣@1\n"
