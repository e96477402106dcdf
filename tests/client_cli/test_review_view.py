"""Reviews as lines of text."""

import pytest

from client_cli.review_view import ReviewLines, Waiting
from client_cli.text import Look
from engine.cards import FRENCH
from engine.phrases import Phrase
from protocol.texts import speaking
from protocol.to_client import Points, ReviewedMove, ReviewPage, ReviewSummary

PLACE = {"deal": 1, "trick": 2, "nth": 3}
WORSE = ReviewedMove(
    entry=9,
    deal=1,
    move=3,
    trick=2,
    action="play QS",
    best="play 9S",
    given_away=Points(points=4.2, error=0.6),
    phrase=Phrase(
        "review_worse", {**PLACE, "move": "play QS", "other": "play 9S", "points": "4.2 ± 0.6"}
    ),
)
SAME = ReviewedMove(
    entry=11,
    deal=1,
    move=4,
    action="lay QS",
    best="lay QS",
    text="lay down {card QS}",
    phrase=Phrase("review_same", {**PLACE, "trick": 0, "nth": 4, "move": "lay QS"}),
)
SUMMARY = ReviewSummary(
    decisions=2,
    agreed=1,
    best=1,
    phrases=(
        Phrase("review_total", {"points": "4.2 ± 0.6", "agreed": 1, "decisions": 2}),
        Phrase("review_best", {"deal": 1, "trick": 0, "move": "lay QS", "points": "1.5"}),
        Phrase("of_tomorrow", {}),
    ),
)


def page(**fields: object) -> ReviewPage:
    """A page of a review by a bot of strength 3."""
    some = {"id": 1, "table": "K7QX", "match": 1, "seat": 0, "game": "hearts", "strength": 3}
    return ReviewPage.model_validate({**some, "legend": FRENCH, **fields})


def test_a_decision_is_a_sentence() -> None:
    """A decision is a sentence in the game's words, with a mark if it certainly cost points."""
    first = page(decisions=(WORSE, SAME))
    assert ReviewLines(first, Look()).of(first) == [
        "! Deal 1, trick 2, move 3: Q♠ gives away 4.2 ± 0.6 points; the bot would choose:",
        "    9♠.",
        "Deal 1, move 4: lay down Q♠, as the bot.",
    ]


def test_the_whole_match_comes_last() -> None:
    """The summary comes last, without phrases of a newer server."""
    first = page(decisions=(WORSE, SAME), more=1, summary=SUMMARY)
    lines = ReviewLines(first, Look(symbols=False))
    assert len(lines.of(first)) == 3
    again = SAME.model_copy(update={"text": "lay {card QS} to the other side"})
    last = lines.of(page(decisions=(again,), summary=SUMMARY))
    assert last == [
        "Deal 1, move 4: lay QS to the other side, as the bot.",
        "",
        "In all 4.2 +- 0.6 points are given away. 1 of 2 decisions are as the bot would",
        "    make them.",
        "Best move, 1.5 points better than any other: deal 1, lay down QS.",
    ]


@pytest.mark.parametrize("width", [20, 40])
def test_lines_fit(width: int) -> None:
    """The lines of a review fit any width."""
    first = page(decisions=(WORSE, SAME))
    assert max(map(len, ReviewLines(first, Look(width)).of(first))) <= width


def test_in_german() -> None:
    """The sentences of a review are in the client's language."""
    first = page(decisions=(WORSE,))
    with speaking("de"):
        (said,) = ReviewLines(first, Look(100)).of(first)
    assert (
        said
        == "! Runde 1, Stich 2, Zug 3: Q♠ verschenkt 4,2 ± 0,6 Punkte; der Bot würde wählen: 9♠."
    )


def test_moves_are_told_in_words_with_names() -> None:
    """Moves are told in the game's words, with players by name."""
    bid = Phrase("review_other", {**PLACE, "trick": 0, "move": "bid 1", "other": "bid 2"})
    first = page(
        game="whist",
        decisions=(
            WORSE.model_copy(
                update={"action": "bid 1", "best": "bid 2", "phrase": bid, "given_away": None}
            ),
            SAME.model_copy(update={"text": "ask {seat 1} for {of 0} card", "best_text": ""}),
        ),
    )
    with speaking("de"):
        lines = ReviewLines(first, Look(100), ("Ann", "Bob"), 0).of(first)
    assert lines == [
        "Runde 1, Zug 3: 1 ansagen; der Bot würde wählen: 2 ansagen.",
        "Runde 1, Zug 4: ask Bob for your card, wie der Bot.",
    ]


def test_a_review_that_waits_for_others_says_so() -> None:
    """A review without progress says each minute that it waits."""
    waiting = Waiting()
    times = ((0, 0), (0, 59), (0, 60), (0, 61), (1, 119), (1, 178), (1, 179), (7, 240), (7, 300))
    assert [told for had, now in times if (told := waiting.told(None, now, had))] == [
        "no decision is reviewed yet; the bots of other tables come first",
        "one decision is reviewed so far; the bots of other tables come first",
        "7 decisions are reviewed so far; the bots of other tables come first",
    ]


def test_a_wait_that_takes_longer_is_told_again() -> None:
    """A longer wait is told when the announced time is over, and not for a ready bot."""
    waiting = Waiting()
    times = (
        (None, 0),
        (20, 1),
        (15, 6),
        (1, 21),
        (12, 22),
        (9, 30),
        (30, 35),
        (None, 80),
        (None, 94),
    )
    assert [told for left, now in times if (told := waiting.told(left, now, 0))] == [
        "the bot is being prepared, about 20 s",
        "that takes longer than expected, about 12 s more",
        "that takes longer than expected, about 30 s more",
    ]
