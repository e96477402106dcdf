"""The tool that learns the policy's weights: it prints them, and finds those that are there."""

import numpy as np
import pytest

from bots.schnapsen.answer_features import ANSWER_FEATURES
from bots.schnapsen.lead_features import LEAD_FEATURES
from tools.learn_schnapsen import TENDS, Lessons, main


def test_what_is_printed_are_weights(capsys: pytest.CaptureFixture[str]) -> None:
    """After some deals every number about a card has its two weights, as Python reads them."""
    assert main(["--deals", "20", "--worlds", "8"]) == 0
    printed: dict[str, list[tuple[float, float]]] = {}
    exec(capsys.readouterr().out, printed)
    for name, many in (("LEADS", LEAD_FEATURES), ("ANSWERS", ANSWER_FEATURES)):
        weights = np.array(printed[name])
        assert weights.shape == (many, 2)
        assert weights.any(axis=0).all()


def test_weights_that_decide_are_found() -> None:
    """Where cards win as three weights have it, these weights come out."""
    draws = np.random.default_rng(1)
    true = np.array([1.0, -2.0, 0.5])
    lessons = Lessons()
    for cards in (2, 3, 4, 5) * 100:
        described = draws.normal(size=(cards, 3))
        lessons.add(described, TENDS * (described @ true))
    assert lessons.weights() == pytest.approx(true, abs=0.01)
