"""The places of zones and values in the picture of a table, by the layout hints of its game.

An older server sends no hints; then the names of zones and values decide.
"""

from client_cli.names import is_shown, kind_of, seat_of, team_of
from engine.facts import Seat, ZoneId
from engine.layout import (
    BY_SEAT,
    BY_TEAM,
    HAND,
    HIDDEN,
    NOBODY,
    ON_TABLE,
    PILE,
    ROW,
    SLOTS,
    TRICK,
    ValueHint,
    ZoneHint,
)
from protocol.mirror import TableMirror

_BY_NAME = {"hand": HAND, "column": SLOTS, "taken": PILE, "trick": TRICK}
"""Places that the name of a zone tells."""


def place_of(table: TableMirror, zone: ZoneId) -> str:
    """Where a zone lies, in a word of `engine.layout.PLACES`."""
    return zone_hint(table, zone).place


def zone_hint(table: TableMirror, zone: ZoneId) -> ZoneHint:
    """The layout hint of a zone, or one made from its name."""
    kind = kind_of(zone)
    guess = ROW if table.layout.zones else _BY_NAME.get(kind, ROW)
    return table.layout.zone(kind) or ZoneHint(kind, guess, kind)


def is_hidden(table: TableMirror, zone: ZoneId) -> bool:
    """Whether a zone need not be shown."""
    return place_of(table, zone) == HIDDEN


def is_trick(table: TableMirror, zone: ZoneId) -> bool:
    """Whether this zone in the middle holds the cards that everybody plays."""
    return place_of(table, zone) == TRICK and seat_of(zone) is None


def is_counted(table: TableMirror, zone: ZoneId) -> bool:
    """Whether only the number of the cards in a player's zone matters."""
    return place_of(table, zone) == PILE and seat_of(zone) is not None


def hand_of(table: TableMirror, seat: Seat | None) -> ZoneId:
    """The zone of the cards that a player holds."""
    hands = (zone for zone in table.view.zones if place_of(table, zone) == HAND)
    return next((zone for zone in hands if seat_of(zone) == seat), f"hand/{seat}")


def value_hint(table: TableMirror, key: str) -> ValueHint:
    """The layout hint of a value, or one made from its name and label."""
    kind = kind_of(key)
    hint = table.layout.value(kind)
    if hint is not None:
        return hint
    shown = ON_TABLE if "/" not in key else BY_SEAT if seat_of(key) is not None else NOBODY
    if team_of(key) is not None:
        shown = BY_TEAM
    return ValueHint(kind, kind, shown if is_shown(kind, table) else NOBODY)
