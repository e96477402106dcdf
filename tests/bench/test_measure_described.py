"""A described game beside the native one."""

import pytest

from bench import measure_described


def test_a_description_is_measured_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games driven by bots, games at tables, their ratios to native ones, and one that searches."""
    for name in ("ROUNDS", "GAMES_A_ROUND", "SEARCHED_GAMES"):
        monkeypatch.setattr(measure_described, name, 1)
    figures = {figure.name: figure for figure in measure_described.measure()}
    world, table = figures["described.world"].value, figures["described.table"].value
    native = figures["described.native"].value
    assert figures["described.world.ratio"].value == pytest.approx(world / native)
    assert figures["described.table.ratio"].value == pytest.approx(table / native)
    assert figures["described.search"].value > 0
    assert {name for name, each in figures.items() if each.limit} == {
        "described.world",
        "described.search",
    }
