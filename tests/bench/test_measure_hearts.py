"""Hearts beside OpenSpiel's, or loudly without it."""

from importlib.util import find_spec

import pytest

from bench import measure_hearts
from bench.figures import Figure, Unmeasured


@pytest.fixture(autouse=True)
def _briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in {
        "ROUNDS": 1,
        "DEALS": 50,
        "CAREFUL_DEALS": 20,
        "ROLLOUTS": 5,
        "GAMES": 1,
    }.items():
        monkeypatch.setattr(measure_hearts, name, small)


def test_without_openspiel_the_ratios_are_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own rates are there; what needs OpenSpiel is said to be missing, and fails."""
    monkeypatch.setattr(measure_hearts, "find_spec", lambda name: None)
    figures = list(measure_hearts.measure())
    assert [figure.kept for figure in figures] == [True, True, True, False, False]
    assert all("open-spiel" in gap.as_row() for gap in figures if isinstance(gap, Unmeasured))


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="open-spiel is not installed")
def test_both_are_measured_in_one_run() -> None:
    """Ours, theirs and the ratio, once for the kernel and once for the engine."""
    figures = [each for each in measure_hearts.measure() if isinstance(each, Figure)]
    names = [f"hearts.{part}{of}" for part in ("kernel", "engine") for of in ("", ".openspiel")]
    rates = {figure.name: figure.value for figure in figures}
    assert set(names) < set(rates)
    assert all(rates[name] > 0 for name in names)
    ratio = rates["hearts.engine"] / rates["hearts.engine.openspiel"]
    assert rates["hearts.engine.ratio"] == pytest.approx(ratio)
