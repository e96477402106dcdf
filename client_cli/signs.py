"""What the signs in the picture of a table mean; told once for each game, and by `?`."""

from collections.abc import Iterator
from pathlib import Path

from client_cli.menu import menu
from client_cli.names import kind_of, slot_of, title_of
from client_cli.places import place_of
from client_cli.remembered import RememberedFile
from client_cli.seats_view import counted_kinds, value_kinds
from client_cli.table_view import draw_table
from client_cli.text import Look, clean, plain
from engine.layout import SLOTS
from protocol.mirror import TableMirror

_FILE = "explained-games.json"
_COUNTED = {"hand": "cards in hand", "taken": "cards taken in tricks"}
_MOST_GAMES = 200
"""Of so many games the file knows that their signs were told."""


def signs(table: TableMirror, look: Look) -> list[tuple[str, str]]:
    """The signs in the picture as it is now, each with what it means; none outside a match."""
    return [*_signs(table, look)] if table.info.phase in ("playing", "paused") else []


def _signs(table: TableMirror, look: Look) -> Iterator[tuple[str, str]]:
    zones = table.view.zones
    if table.question.to_act:
        yield look.pick("▸", ">"), "it is this player's turn"
    drawn = plain(draw_table(table, look))
    back = look.pick("▒", "#")
    if back in drawn:
        yield back, "a face-down card"
    columns = [name for name in zones if place_of(table, name) == SLOTS and slot_of(name)]
    if columns:
        slots = list(dict.fromkeys(map(slot_of, columns)))
        told = slots[0] if len(slots) == 1 else f"{slots[0]} to {slots[-1]}"
        below = (
            ", and face-down cards below it" if any(zones[name].backs for name in columns) else ""
        )
        yield told, f"the columns before each player: the card on top{below}"
        if not all(len(zones[name]) for name in columns):
            yield look.pick("·", "."), "an empty column"
    if shown := counted_kinds(table):
        titles = [title_of(kind, table, look) for kind in shown]
        what = (
            _COUNTED.get(kind, f"cards {title}") for kind, title in zip(shown, titles, strict=True)
        )
        yield ", ".join(titles), f"how many {' and '.join(what)}"
    moves = menu(table.question.choices, table.view, table.seat)
    if moves.numbers and not moves.amounts:
        yield "1)", "type this number, or the card, to play it; you can't play the others now"
    if any(slot_of(zone) for zone, _ in moves.numbers):
        yield "@2", "from column 2"
    values = value_kinds(table)
    on_screen = {*values, *(kind_of(name) for name, zone in zones.items() if len(zone))}
    for label in table.labels:
        if label.text and label.holds != "nothing" and label.kind in on_screen:
            yield clean(label.title, look), clean(label.text, look)
    known = {label.kind for label in table.labels if label.text}
    if counted := [kind for kind in values if kind not in known]:
        names = ", ".join(title_of(name, table, look) for name in counted)
        yield names, "what this game counts for each player; rules explains it"


class ExplainedGames:
    """Remembers in a `folder` of which games the signs were told; None: for this program alone."""

    def __init__(self, folder: Path | None) -> None:
        self._file = RememberedFile(folder, _FILE)
        known = self._file.read()
        listed = known if isinstance(known, list) else []
        self._known = [game for game in listed if isinstance(game, str)]

    def first(self, game: str) -> bool:
        """Whether the signs of `game` were never told before; now they are."""
        if game in self._known:
            return False
        self._known.append(game)
        self._file.keep(self._known[-_MOST_GAMES:])
        return True
