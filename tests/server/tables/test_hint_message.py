"""The text of a hint for a decision."""

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
    return worded(hint_phrase(decision, 3), FRENCH)


@pytest.mark.parametrize(
    ("measure", "values", "words"),
    [
        (
            "lead",
            (4.2, -7.0),
            "9♠ puts you 4 points ahead of the others on average; J♠ makes it −7.",
        ),
        (
            "lead",
            (1.4, 1.2),
            "9♠ puts you 1.4 points ahead of the others on average; J♠ makes it 1.2.",
        ),
        ("team_lead", (1.0, -9.6), "9♠ puts your team 1 point ahead on average; J♠ makes it −10."),
        (
            "lead",
            (-3.8, -5.2),
            "9♠ leaves you 4 points behind the others on average; J♠ makes it 5.",
        ),
        (
            "team_lead",
            (-1.0, -9.6),
            "9♠ leaves your team 1 point behind on average; J♠ makes it 10.",
        ),
        ("score", (2.01, 2.0), "9♠ scores 2.01 points on average; J♠ makes it 2.00."),
        ("chance", (0.62, 0.551), "9♠ wins 62 times in 100; J♠ makes it 55."),
        (
            "rank",
            (0.62, 0.551),
            "9♠ puts you ahead of 62 in 100 other players on average; J♠ makes it 55.",
        ),
        (
            "votes",
            (0.5, 0.25),
            "9♠ is best in 50 of 100 ways that the hidden cards may lie; J♠ in 25.",
        ),
        ("team_gain", (12.3, -3.0), "9♠ gains your team about 12 points; J♠ makes it −3."),
        ("team_gain", (-1.0, -3.2), "9♠ costs your team about 1 point; J♠ makes it 3."),
        (
            "trick_lead",
            (1.0, -13.0),
            "9♠ puts you 1 point ahead in this trick at worst; J♠ makes it −13.",
        ),
        (
            "trick_lead",
            (-1.0, -13.0),
            "9♠ puts you 1 point behind in this trick at worst; J♠ makes it 13.",
        ),
        ("worth", (4.53, 1), "9♠ looks better than J♠."),
        ("lead", (2.0, 2.0), "9♠ is as good as the best of the other moves."),
    ],
)
def test_the_reason_in_a_sentence(
    measure: Measure, values: tuple[float, float], words: str
) -> None:
    """A hint's sentence has the move, its value and the next best, with few digits."""
    best, other = values
    decision = decided(Candidate(JACK, other), Candidate(NINE, best), measure=measure)
    assert said(decision) == words


def test_few_points_are_kept_few() -> None:
    """In games where few points win the figure is the points."""
    candidates = Candidate(NINE, -4.1, {"score": 4.1}), Candidate(JACK, -7.0, {"score": 7.0})
    decision = Decision(NINE, candidates, measure="cost", figure="score")
    assert said(decision) == "9♠ keeps your points at 4 on average; J♠ makes it 7."


def test_against_one_other_player_a_rank_is_a_win() -> None:
    """Against one opponent a rank is told as a chance to win."""
    decision = decided(Candidate(NINE, 0.7), Candidate(JACK, 0.4), measure="rank")
    phrase = hint_phrase(decision, 2)
    assert worded(phrase, FRENCH) == "9♠ wins 70 times in 100; J♠ makes it 40."


def test_what_was_sampled_is_told_by_its_mean() -> None:
    """A sampled value is told by its mean."""
    candidates = Candidate(NINE, 3.0, {"mean": 5.0}), Candidate(JACK, 2.0, {"mean": 2.0})
    assert said(decided(*candidates)) == (
        "9♠ puts you 5 points ahead of the others on average; J♠ makes it 2."
    )


@pytest.mark.parametrize(
    ("measure", "action", "figure", "words"),
    [
        ("tricks", "bid 3", 2.75, "Bid 3: your hand should take 2.8 tricks."),
        ("nil_risk", "bid 0", 0.123, "Bid 0: with your hand, nil fails about 12 times in 100."),
        ("needed", NINE, 2.0, "9♠: you need 2 more tricks for your bid."),
        ("needed", NINE, 0.0, "9♠: you need no more tricks for your bid."),
        ("needed", NINE, -1.0, "9♠: you need no more tricks for your bid."),
        (
            "far_behind",
            "look",
            -30.0,
            "Look: your team is not behind, and a nil without a look at the cards fails more often "
            "than not.",
        ),
    ],
)
def test_a_rule_of_thumb_says_what_it_looks_at(
    measure: Measure, action: str, figure: float, words: str
) -> None:
    """A rule of thumb without comparison has its reason."""
    candidate = Candidate(action, 0.0, {"reason": figure})
    assert said(Decision(action, (candidate,), measure=measure, figure="reason")) == words


@pytest.mark.parametrize(
    "candidates",
    [(), (Candidate(NINE, 0.0),), (Candidate(NINE, -inf),), (Candidate(NINE, 2.0),)],
)
def test_without_a_comparison_the_move_is_told(candidates: tuple[Candidate, ...]) -> None:
    """Without a comparison only the move is told, with the bot if it is not the strong one."""
    assert said(decided(*candidates)) == "A strong bot would choose: 9♠."
    plain = worded(hint_phrase(decided(*candidates), 3, weaker=1), FRENCH)
    assert plain == "A plain bot would choose: 9♠."


def test_equal_cards_explain_nothing() -> None:
    """The named alternative is worth less, and was not given up early."""
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
    """The list is ordered by what decided, with the recommended move first."""
    candidates = (
        Candidate(JACK, 1.0, {"visits": 30}),
        Candidate(NINE, 3.0, {"visits": 50}),
        Candidate(TEN, 2.0, {"visits": 20}),
        Candidate("play AS", -inf, {"visits": 0}),
    )
    told = hint_message("K7Q2X", 7, decided(*candidates, by=by), 3, seats=3)
    assert told["strength"] == 3
    assert {"weaker", "seconds"}.isdisjoint(told)
    assert [each["action"] for each in told["candidates"]] == order


def test_a_bot_that_is_not_the_strong_one_says_so() -> None:
    """A hint of a bot other than the strong one says so."""
    told = hint_message("K7Q2X", 7, decided(Candidate(NINE, 1.0)), 2, seats=3, weaker=True)
    assert (told["strength"], told["weaker"]) == (2, True)
    assert told["phrase"]["code"] == "hint_weaker"
