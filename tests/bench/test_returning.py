"""Seated players who reconnect all at once, at a real server."""

import pytest

from bench import measure_crowds
from tests.counts import NIGHT


@pytest.mark.skipif(not NIGHT, reason="three crowds at a server: by night")
def test_all_have_their_tables_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """All players have their tables again after a loss, anew, and after a restart."""
    monkeypatch.setattr(measure_crowds, "SEATED_TABLES", 5)
    figures = {figure.name: figure for figure in measure_crowds.measure_returning()}
    assert {name for name, figure in figures.items() if figure.limit} == {
        f"returning.{way}.{what}"
        for way in ("back", "anew", "restart")
        for what in ("served", "cut")
    }
    for way in ("back", "anew", "restart"):
        assert figures[f"returning.{way}.cut"].value == 0
        assert figures[f"returning.{way}.time"].value > 0
