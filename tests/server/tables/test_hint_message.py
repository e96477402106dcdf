"""What a hint says of a decision."""

from math import inf

import pytest

from bots import Candidate, Decision, Measure
from engine.cards import FRENCH
from protocol.texts import worded
from server.tables.hint_message import hint_message, hint_phrase

NINE, JACK, TEN = "play 9S", "play JS", "play TS"


def decided(*candidates: Candidate, measure: Measure = "lead", by: str = "value") -> Decision:
    return Decision(NINE, candidates, by=by, measure=measure)


def said(decision: Decision) -> str | None:
    return worded(hint_phrase(decision), FRENCH)


@pytest.mark.parametrize(
    ("measure", "values", "words"),
    [
        (
            "lead",
            (4.2, -7.0),
            "9♠ puts you 4 points ahead of the others on average; J♠ makes it -7.",
        ),
        (
            "lead",
            (1.4, 1.2),
            "9♠ puts you 1.4 points ahead of the others on average; J♠ makes it 1.2.",
        ),
        ("team_lead", (1.0, -9.6), "9♠ puts your team 1 point ahead on average; J♠ makes it -10."),
        ("lead", (-3.8, -5.2), "9♠ leaves you 4 points behind the others on average; J♠ 5."),
        ("team_lead", (-1.0, -9.6), "9♠ leaves your team 1 point behind on average; J♠ 10."),
        ("score", (2.01, 2.0), "9♠ scores 2.01 points on average; J♠ makes it 2.00."),
        ("chance", (0.62, 0.551), "9♠ wins 62 times in 100; J♠ makes it 55."),
        ("worth", (3, 1), "9♠ looks best: the bot values it at 3, and J♠ at 1."),
        ("lead", (2.0, 2.0), "9♠ is as good as the best of the other moves."),
    ],
)
def test_the_reason_in_a_sentence(
    measure: Measure, values: tuple[float, float], words: str
) -> None:
    """The move, what it comes to, and the next best; with as few digits as tell them apart."""
    best, other = values
    decision = decided(Candidate(JACK, other), Candidate(NINE, best), measure=measure)
    assert said(decision) == words


def test_what_was_sampled_is_told_by_its_mean() -> None:
    """The value may hold more, such as what caution takes off."""
    candidates = Candidate(NINE, 3.0, {"mean": 5.0}), Candidate(JACK, 2.0, {"mean": 2.0})
    assert said(decided(*candidates)) == (
        "9♠ puts you 5 points ahead of the others on average; J♠ makes it 2."
    )


def test_a_bid_says_how_many_tricks() -> None:
    """Bots that bid by rules weigh nothing else."""
    decision = Decision("bid 3", (Candidate("bid 3", 2.75),), measure="tricks")
    assert said(decision) == "Bid 3: your hand should take 2.8 tricks."


@pytest.mark.parametrize(
    "candidates",
    [(), (Candidate(NINE, 0.0),), (Candidate(NINE, -inf),), (Candidate(NINE, 2.0),)],
)
def test_without_a_comparison_the_move_is_told(candidates: tuple[Candidate, ...]) -> None:
    """A forced move, and a bot that weighs nothing."""
    assert said(decided(*candidates)) == "A strong bot would choose 9♠."


def test_equal_cards_explain_nothing() -> None:
    """The next move that comes to less is named, and no move that was given up early."""
    candidates = Candidate(TEN, 4.0), Candidate(NINE, 4.0), Candidate(JACK, 1.0)
    assert said(decided(*candidates)) == (
        "9♠ puts you 4 points ahead of the others on average; J♠ makes it 1."
    )
    early = Candidate(TEN, 9.0), Candidate(NINE, 4.0), Candidate(JACK, 1.0)
    assert said(decided(*early)) == said(decided(*candidates))


@pytest.mark.parametrize(
    ("by", "order"), [("value", [NINE, TEN, JACK]), ("visits", [NINE, JACK, TEN])]
)
def test_the_list_is_ordered_by_what_the_move_was_chosen_by(by: str, order: list[str]) -> None:
    """The recommended move comes first, then the others; what has no value is left out."""
    candidates = (
        Candidate(JACK, 1.0, {"visits": 30}),
        Candidate(NINE, 3.0, {"visits": 50}),
        Candidate(TEN, 2.0, {"visits": 20}),
        Candidate("play AS", -inf, {"visits": 0}),
    )
    told = hint_message("K7Q2X", 7, decided(*candidates, by=by), 3)
    assert told["strength"] == 3
    assert [each["action"] for each in told["candidates"]] == order
