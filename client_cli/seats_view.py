"""The rows of a table: one for each seat, with its scores, its piles and its columns."""

from math import ceil

from client_cli.card_labels import CardLabels
from client_cli.grid import Column, grid
from client_cli.names import (
    TEAM_TOTAL,
    bot_text,
    is_single,
    kind_of,
    minutes,
    seat_name,
    seat_of,
    slot_of,
    title_of,
    told_value,
    value_text,
)
from client_cli.places import is_counted, place_of, value_hint, zone_hint
from client_cli.tell import tell
from client_cli.text import EMPTY, Line, Look, Span, clean, cut, line
from engine.facts import Seat, Value
from engine.layout import BY_SEAT, HAND, SLOTS, TRICK
from engine.views import Zone
from protocol.mirror import TableMirror

_NAME_CELLS = 16
_TEAM = "team"
"""The kind of the values that say which team a seat belongs to."""


def name_column(table: TableMirror, look: Look) -> Column:
    """The column of names, with an arrow before the players to move."""
    arrow = look.pick("▸ ", "> ")

    def cell(seat: Seat) -> Line:
        asked = seat in table.question.to_act
        name = Span(seat_name(table.info, seat, look), "strong" if asked else "")
        return line(Span(arrow if asked else "  ", "strong"), cut((name,), _NAME_CELLS))

    return Column("", tuple(map(cell, _rows(table))))


def score_columns(table: TableMirror, look: Look) -> list[Column]:
    """The columns for the kind of player, the reserve of time, and each value."""
    rows = _rows(table)
    by_key = _by_kind(table)
    return [
        Column("", tuple((Span(_kind(table, seat), "dim"),) for seat in rows)),
        *_reserves(table),
        *(
            Column(
                title_of(key, table, look),
                tuple(line(told_value(key, values.get(seat, ""), table, look)) for seat in rows),
                right=True,
            )
            for key, values in sorted(by_key.items(), key=_rank)
        ),
    ]


def value_kinds(table: TableMirror) -> list[str]:
    """The kinds of values that have a column, in the order of these columns."""
    return [kind for kind, _ in sorted(_by_kind(table).items(), key=_rank)]


def counted_kinds(table: TableMirror) -> list[str]:
    """The kinds of zones for which a column shows the number of cards."""
    zones = [zone for zone in table.view.zones if seat_of(zone) is not None]
    hands = [kind_of(zone) for zone in zones if place_of(table, zone) == HAND]
    piles = [kind_of(zone) for zone in zones if is_counted(table, zone)]
    # If tricks are counted, the cards in them need not be.
    told = {"taken"} if any(kind_of(key) == "tricks" for key in table.view.values) else set()
    return [kind for kind in dict.fromkeys((*hands, *piles)) if kind not in told]


def _by_kind(table: TableMirror) -> dict[str, dict[Seat, Value]]:
    """The shown values of seats, by kind and seat."""
    by_kind: dict[str, dict[Seat, Value]] = {}
    for key, value in table.view.values.items():
        seat, hint = seat_of(key), value_hint(table, key)
        if kind_of(key) == "total" and is_single(table):
            continue
        if seat is not None and hint.shown == BY_SEAT:
            said = "" if value == 0 and not hint.zero else _for_people(key, value)
            by_kind.setdefault(kind_of(key), {})[seat] = said
    return {kind: values for kind, values in by_kind.items() if set(values.values()) != {""}}


def team_lines(table: TableMirror, look: Look) -> list[Line]:
    """A row for each team with its players and total; nothing without teams."""
    teams = team_totals(table, look)
    if not teams:
        return []
    return grid(
        Column(tell("table.team"), tuple(line(str(team)) for team, _, _ in teams), right=True),
        [
            Column(tell("table.players"), tuple(line(players) for _, players, _ in teams)),
            Column(tell("table.total"), tuple(line(total) for _, _, total in teams), right=True),
        ],
        look.width,
    )


def team_totals(table: TableMirror, look: Look) -> list[tuple[int, str, str]]:
    """Each team by its number, from 1, with its players and total."""
    values = table.view.values
    teams: dict[int, list[Seat]] = {}
    for key, team in values.items():
        seat = seat_of(key)
        if kind_of(key) == _TEAM and seat is not None and isinstance(team, int):
            teams.setdefault(team, []).append(seat)
    return [
        (
            team + 1,
            ", ".join(seat_name(table.info, seat, look) for seat in sorted(seats)),
            value_text(values.get(f"{TEAM_TOTAL}/{team}", ""), look),
        )
        for team, seats in sorted(teams.items())
    ]


def seat_columns(table: TableMirror, labels: CardLabels) -> list[Column]:
    """The columns of scores, of card counts, of played cards and of the tops of table columns."""
    return [
        *score_columns(table, labels.look),
        *_counts(table, labels),
        *_played(table, labels),
        *_slots(table, labels),
    ]


def _for_people(key: str, value: Value) -> Value:
    """A value for people: a seat's team counted from 1, every other value as it is."""
    return value + 1 if kind_of(key) == _TEAM and isinstance(value, int) else value


def _rank(column: tuple[str, object]) -> tuple[bool, str]:
    """The sort key of value columns: by name, with the sum of everything last."""
    return column[0] == "total", column[0]


def _rows(table: TableMirror) -> range:
    """Every seat of the table, and every other seat that owns a zone."""
    owners = (seat_of(zone) for zone in table.view.zones)
    last = max((seat for seat in owners if seat is not None), default=-1)
    return range(max(len(table.info.seats), last + 1))


def _kind(table: TableMirror, seat: Seat) -> str:
    seats = table.info.seats
    chair = seats[seat] if seat < len(seats) else None
    deals = tell("table.dealer") if table.view.values.get("dealer") == seat else ""
    if chair is None or chair.kind == "empty":
        notes = [tell("table.free")]
    elif chair.kind == "bot":
        notes = [bot_text(chair.strength, table.bots)]
    else:
        away = tell("chairs.away") if chair.away else ""
        here = tell("chairs.you") if seat == table.seat else away
        program = tell("table.program") if chair.program else ""
        notes = [here, program, tell("table.bot_plays") if chair.stand_in else ""]
    partner = tell("table.partner") if _are_partners(table, seat) else ""
    return ", ".join(filter(None, (*notes, partner, deals)))


def _are_partners(table: TableMirror, seat: Seat) -> bool:
    """Whether the player at another seat is the reader's partner."""
    own, other = (table.view.values.get(f"{_TEAM}/{each}") for each in (table.seat, seat))
    return seat != table.seat and own is not None and own == other


def _reserves(table: TableMirror) -> list[Column]:
    """The extra time of the players in this match, if there is any."""
    reserve, seats = table.question.reserve, table.info.seats
    if not reserve:
        return []
    cells = tuple(
        line(minutes(reserve[seat]))
        if seat < min(len(seats), len(reserve)) and seats[seat].kind == "human"
        else EMPTY
        for seat in _rows(table)
    )
    return [Column(tell("table.reserve"), cells, right=True)]


def _counts(table: TableMirror, labels: CardLabels) -> list[Column]:
    zones = table.view.zones
    return [
        Column(
            title_of(kind, table, labels.look),
            tuple(line(str(len(zones.get(f"{kind}/{seat}", Zone())))) for seat in _rows(table)),
            right=True,
        )
        for kind in counted_kinds(table)
    ]


def _played(table: TableMirror, labels: CardLabels) -> list[Column]:
    """The columns for what each player has before them of a trick, once anybody has."""
    zones = table.view.zones
    tricks = [zone for zone in zones if place_of(table, zone) == TRICK and len(zones[zone])]
    kinds = dict.fromkeys(kind_of(zone) for zone in tricks if seat_of(zone) is not None)
    return [
        Column(
            title_of(kind, table, labels.look),
            tuple(_stack(zones.get(f"{kind}/{seat}", Zone()), labels) for seat in _rows(table)),
        )
        for kind in kinds
    ]


def _slots(table: TableMirror, labels: CardLabels) -> list[Column]:
    """A column for each slot that any seat has, row after row; numbers are in their order."""
    stacks: dict[str, dict[Seat, Zone]] = {}
    in_rows = 1
    for name, zone in table.view.zones.items():
        seat, slot = seat_of(name), slot_of(name)
        if place_of(table, name) == SLOTS and seat is not None and slot:
            others = stacks.setdefault(slot, {})
            others[seat] = _on_each_other(zone, others.get(seat, Zone()))
            in_rows = max(in_rows, zone_hint(table, name).rows)
    rows = _rows(table)
    slots = sorted(stacks, key=int) if all(map(str.isdecimal, stacks)) else list(stacks)
    in_row = max(1, ceil(len(slots) / in_rows))
    return [
        Column(
            clean(slot, labels.look),
            tuple(_stack(stacks[slot].get(seat, Zone()), labels) for seat in rows),
            # Many of them must fit beside each other in a narrow terminal.
            gap=" " if at % in_row else "  ",
            block="slots",
        )
        for at, slot in enumerate(slots)
    ]


def _on_each_other(zone: Zone, other: Zone) -> Zone:
    """Two zones in one slot, with the backs lowest."""
    return Zone(other.cards + zone.cards, zone.backs + other.backs)


def _stack(zone: Zone, labels: CardLabels) -> Line:
    """The top card and a mark for each back below it."""
    if not zone.cards and not zone.backs:
        return (Span(labels.look.pick("·", "."), "dim"),)
    backs = Span(labels.back.text * min(zone.backs, 3), labels.back.style)
    return line(*(labels.card(token) for token in zone.cards), backs if zone.backs else EMPTY)
