"""The health figures in the metrics."""

import threading
from pathlib import Path

import pytest

from server.ops import health_figures
from server.ops.health_figures import HealthFigures


def told(figures: HealthFigures) -> dict[str, float]:
    """Every figure by its name."""
    return {
        sample.name.removeprefix("blackqueen_"): sample.value
        for family in figures.collect()
        for sample in family.samples
    }


def figures_of(folder: Path, trouble: list[str]) -> HealthFigures:
    """The figures of a server that is not ready for the last reason in `trouble`."""

    async def ready() -> str:
        return trouble[-1]

    return HealthFigures(ready, folder, 2000, 500)


async def test_readiness_is_that_of_the_moment(tmp_path: Path) -> None:
    """Readiness is that of the moment, with the limits beside it."""
    trouble = [""]
    figures = figures_of(tmp_path, trouble)
    await figures.ask()
    assert told(figures)["ready"] == 1
    trouble.append("draining")
    await figures.ask()
    assert told(figures)["ready"] == 0
    assert (told(figures)["connections_limit"], told(figures)["tables_limit"]) == (2000, 500)


async def test_a_disk_that_does_not_answer_has_no_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that does not answer has no figures, and blocks one thread only."""
    figures = figures_of(tmp_path, [""])
    await figures.ask()
    assert 0 < told(figures)["disk_free_bytes"] <= told(figures)["disk_bytes"]
    released, asked = threading.Event(), []

    def stuck(folder: Path) -> tuple[int, int]:
        asked.append(folder)
        released.wait()
        return 100, 10

    monkeypatch.setattr(health_figures, "_space", stuck)
    monkeypatch.setattr(health_figures, "DISK_SECONDS", 0.01)
    for _ in range(3):
        await figures.ask()
        assert "disk_free_bytes" not in told(figures)
        assert told(figures)["ready"] == 1
    released.set()
    monkeypatch.setattr(health_figures, "DISK_SECONDS", 60.0)
    await figures.ask()
    assert (told(figures)["disk_bytes"], len(asked)) == (100, 1)


async def test_a_folder_that_is_not_there_has_no_disk(tmp_path: Path) -> None:
    """Without a data folder there are no disk figures."""
    figures = figures_of(tmp_path / "none", [""])
    await figures.ask()
    assert "disk_bytes" not in told(figures)
