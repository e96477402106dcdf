"""Layout hints for zones and values, by their kinds."""

from engine.layout import BY_SEAT, HAND, NO_LAYOUT, NOBODY, ON_TABLE, ValueHint, ZoneHint, laid_out

HINTS = laid_out((ZoneHint("hand", HAND, "hand"),), (ValueHint("bid", "bid", BY_SEAT),))


def test_a_hint_is_found_by_its_kind() -> None:
    """A layout hint is found by its kind; a kind without a hint has none."""
    assert HINTS.zone("hand") == ZoneHint("hand", HAND, "hand")
    assert HINTS.value("bid") == ValueHint("bid", "bid", BY_SEAT)
    assert HINTS.zone("deck") is None
    assert NO_LAYOUT.value("bid") is None


def test_every_game_has_the_values_of_matches() -> None:
    """A match adds its number, totals and options to the layout of any game."""
    shown = {hint.kind: hint.shown for hint in HINTS.values}
    assert shown["deal"] == ON_TABLE
    assert shown["total"] == BY_SEAT
    assert shown["option"] == NOBODY
