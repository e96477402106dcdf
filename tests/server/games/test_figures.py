"""What was measured of games: for the rules that were measured, and for no others."""

import pytest

from engine import GAMES
from engine.recycle.games import description, names
from server.games.descriptions import DescribedGame, GameSource, described_id
from server.games.figures import _measured, figures_of, measured_name

HEARTS = GAMES.game("hearts")
"""Any game: figures ask for the text alone."""


def test_native_games_have_figures_by_their_ids() -> None:
    """A native game that was measured has figures, and no other game of that name."""
    hearts = figures_of("hearts", None)
    assert hearts is not None
    assert hearts.choices is not None
    assert hearts.choices > 400
    assert 0 < (hearts.skill or 0) < 1
    assert figures_of("no such game", None) is None
    assert any(figures_of(info.id, None) is None for info in GAMES)


@pytest.mark.parametrize(
    ("old", "new", "is_measured"),
    [
        (";; ", ";; Really: ", True),
        ("(create players 'PLAYERS)", "(create  players 'PLAYERS) ;; all", True),
        ("NINE, TEN", "NINE, JACK", False),
    ],
)
def test_a_file_has_figures_for_its_rules(old: str, new: str, is_measured: bool) -> None:
    """A file has the figures of its rules, whatever its comments; with other rules it has none."""
    text = description("Agram2")
    assert old in text
    changed = text.replace(old, new)
    assert (measured_name(changed) == measured_name(text)) == is_measured
    game = DescribedGame(GameSource(described_id("My2.rcy", changed), changed), HEARTS, "")
    assert (figures_of("My2.rcy", game) is not None) == is_measured


def test_every_measured_file_is_there() -> None:
    """All figures are those of a native game or an included file as it is now."""
    known = {info.id for info in GAMES} | {measured_name(description(name)) for name in names()}
    for table in _measured():
        assert set(table) <= known
