"""The summary of a match's judgements."""

from math import sqrt

import pytest

from bots.review import Judgement, Swing, Worth, summarize


def judgement(
    lost: Worth | None = None,
    worth: Worth | None = None,
    ahead: Worth | None = None,
    deal: int = 1,
) -> Judgement:
    """A decision for another move than the bot's, unless it was ahead of all others."""
    return Judgement(
        deal, 1, 0, "a", "a" if ahead else "b", worth=worth or lost, lost=lost, ahead=ahead
    )


def test_what_was_given_away_is_added() -> None:
    """The points given away are added, with independent errors."""
    told = summarize([judgement(Worth(3.0, 0.3)), judgement(Worth(-1.0, 0.4)), judgement()])
    assert told.given_away is not None
    assert told.given_away.points == 3.0
    assert told.given_away.error == pytest.approx(sqrt(0.3**2 + 0.4**2))
    assert (told.decisions, told.weighed, told.agreed) == (3, 2, 0)


def test_the_worst_move_gave_most_away() -> None:
    """The worst move gave most away; the first of several equals."""
    told = summarize([judgement(Worth(points, 1.0)) for points in (0.0, 2.0, 5.0, 5.0)])
    assert told.worst == 2


def test_the_best_move_was_surely_better_than_all_others() -> None:
    """The best move is one whose lead exceeds its error."""
    aheads = [Worth(3.0, 2.0), Worth(2.0, 0.5), Worth(1.0, 0.1)]
    told = summarize([judgement(Worth(0.0, 0.0), ahead=ahead) for ahead in aheads])
    assert (told.best, told.worst, told.agreed) == (1, None, 3)


def test_turning_points_are_the_greatest_changes_of_a_deal() -> None:
    """Turning points are the largest changes within a deal, beyond their errors, in order."""
    courses = [(1, 0), (1, 5), (1, 5.1), (1, -3), (1, -4), (2, 30), (2, 28)]
    told = summarize([judgement(worth=Worth(points, 0.1), deal=deal) for deal, points in courses])
    assert [(turn.at, round(turn.change.points, 1)) for turn in told.turns] == [
        (1, 5.0),
        (3, -8.1),
        (6, -2.0),
    ]
    assert isinstance(told.turns[0], Swing)


def test_without_points_there_are_moves_to_compare_and_nothing_else() -> None:
    """Without points a summary only compares moves with the bot's."""
    same = Judgement(1, 1, 0, "a", "a", lost=Worth(0.0, 0.0))
    told = summarize([same, judgement()])
    assert (told.decisions, told.agreed, told.weighed) == (2, 1, 0)
    assert (told.given_away, told.worst, told.best, told.turns) == (None, None, None, ())


def test_a_review_may_have_no_decisions() -> None:
    """A review of a match of forced moves has no decisions."""
    assert summarize([]).decisions == 0
