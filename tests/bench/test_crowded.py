"""Tables of described games that play at once: what is counted of their bots."""

import pytest

from bench import measure_crowded
from bench.measure_crowded import Answers, answers_of
from server.ops.metrics import Metrics


def test_answers_are_counted_by_the_server() -> None:
    """All answers of bots, and those that were not the bot's own."""
    metrics = Metrics()
    for lateness in ("", "late", "", "failed"):
        metrics.bot_chose("high2", 2, 0.1, lateness)
    assert answers_of(metrics.render()[1].decode()) == Answers(4, 2)


def test_tables_are_played_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables on a real server give both figures, one of them with a limit."""
    monkeypatch.setattr(measure_crowded, "TABLES", 2)
    monkeypatch.setattr(measure_crowded, "SECONDS", 1.0)
    answers, replaced = measure_crowded.measure()
    assert (answers.name, replaced.name) == ("crowded.answers", "crowded.replaced")
    assert answers.limit is None
    assert replaced.limit is not None
