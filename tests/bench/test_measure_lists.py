"""The figures of lists of tables."""

import pytest

from bench import measure_lists


def test_lists_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long an answer is, what it costs, and what it costs beside the whole list."""
    monkeypatch.setattr(measure_lists, "ROUNDS", 3)
    figures = {each.name: each for each in measure_lists.measure()}
    assert list(figures) == [
        "lists.msgpack",
        "lists.msgpack.page",
        "lists.msgpack.share",
        "lists.json",
        "lists.json.page",
        "lists.json.share",
        "lists.search",
    ]
    assert all(each.value > 0 for each in figures.values())
    assert figures["lists.msgpack"].kept
    assert figures["lists.json"].kept
