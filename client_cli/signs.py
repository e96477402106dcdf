"""The meaning of the signs in the picture of a table; shown once for each game, and by `?`."""

from collections.abc import Iterator
from functools import reduce
from pathlib import Path

from client_cli.menu import menu
from client_cli.names import kind_of, slot_of, title_of, titled
from client_cli.places import place_of
from client_cli.remembered import RememberedFile
from client_cli.seats_view import counted_kinds, value_kinds
from client_cli.table_view import draw_table
from client_cli.tell import tell
from client_cli.text import Look, clean, plain
from engine.layout import SLOTS
from protocol.mirror import TableMirror

_FILE = "explained-games.json"
_COUNTED = {"hand": "signs.in_hand", "taken": "signs.taken"}
_MOST_GAMES = 200
"""Of so many games the file knows that their signs were told."""


def signs(table: TableMirror, look: Look) -> list[tuple[str, str]]:
    """The signs in the picture as it is now, each with what it means; none outside a match."""
    return [*_signs(table, look)] if table.info.phase in ("playing", "paused") else []


def _signs(table: TableMirror, look: Look) -> Iterator[tuple[str, str]]:
    zones = table.view.zones
    if table.question.to_act:
        yield look.pick("▸", ">"), tell("signs.turn")
    drawn = plain(draw_table(table, look))
    back = look.pick("▒", "#")
    if back in drawn:
        yield back, tell("signs.back")
    columns = [name for name in zones if place_of(table, name) == SLOTS and slot_of(name)]
    if columns:
        slots = list(dict.fromkeys(map(slot_of, columns)))
        told = slots[0] if len(slots) == 1 else tell("name.range", low=slots[0], high=slots[-1])
        below = any(zones[name].backs for name in columns)
        yield told, tell("signs.columns_over" if below else "signs.columns")
        if not all(len(zones[name]) for name in columns):
            yield look.pick("·", "."), tell("signs.empty")
    if shown := counted_kinds(table):
        titles = [title_of(kind, table, look) for kind in shown]
        what = [
            tell(_COUNTED[kind]) if kind in _COUNTED else tell("signs.cards", title=title)
            for kind, title in zip(shown, titles, strict=True)
        ]
        together = reduce(lambda one, another: tell("signs.and", one=one, another=another), what)
        yield ", ".join(titles), tell("signs.counted", what=together)
    moves = menu(table.question.choices, table.view, table.seat)
    if moves.numbers and not moves.amounts:
        yield "1)", tell("signs.number")
    if any(slot_of(zone) for zone, _ in moves.numbers):
        yield "@2", tell("signs.place")
    values = value_kinds(table)
    on_screen = {*values, *(kind_of(name) for name, zone in zones.items() if len(zone))}
    for label in table.labels:
        if label.text and label.holds != "nothing" and label.kind in on_screen:
            yield clean(titled(label.title, table), look), clean(label.text, look)
    known = {label.kind for label in table.labels if label.text}
    if counted := [kind for kind in values if kind not in known]:
        names = ", ".join(title_of(name, table, look) for name in counted)
        yield names, tell("signs.values")


class ExplainedGames:
    """Remembers in a `folder` the games whose signs were explained; None: only in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._file = RememberedFile(folder, _FILE)
        known = self._file.read()
        listed = known if isinstance(known, list) else []
        self._known = [game for game in listed if isinstance(game, str)]

    def first(self, game: str) -> bool:
        """Whether the signs of `game` are explained for the first time, which is recorded."""
        if game in self._known:
            return False
        self._known.append(game)
        self._file.keep(self._known[-_MOST_GAMES:])
        return True
