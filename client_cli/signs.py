"""What the signs in the picture of a table mean; told once for each game, and by `?`."""

import json
from collections.abc import Iterator
from pathlib import Path

from client_cli.menu import menu
from client_cli.names import kind_of, seat_of, slot_of, title_of
from client_cli.text import Look, clean
from protocol.mirror import TableMirror

_FILE = "explained-games.json"
_MOST_GAMES = 200
"""Of so many games the file knows that their signs were told."""


def signs(table: TableMirror, look: Look) -> list[tuple[str, str]]:
    """The signs in the picture as it is now, each with what it means; none outside a match."""
    return [*_signs(table, look)] if table.info.phase in ("playing", "paused") else []


def _signs(table: TableMirror, look: Look) -> Iterator[tuple[str, str]]:
    zones = table.view.zones
    kinds = {kind_of(name) for name in zones}
    yield look.pick("▸", ">"), "it is this player's turn"
    if any(zone.backs for name, zone in zones.items() if kind_of(name) != "hand"):
        yield look.pick("▒", "#"), "a face-down card"
    columns = [name for name in zones if kind_of(name) == "column" and slot_of(name)]
    if columns:
        slots = list(dict.fromkeys(map(slot_of, columns)))
        told = slots[0] if len(slots) == 1 else f"{slots[0]} to {slots[-1]}"
        yield told, "the columns before each player: the card on top, and face-down cards below it"
        empty = look.pick("·", ".")
        yield empty, "an empty column"
    numbers = [
        text
        for kind, text in (("hand", "cards in hand"), ("taken", "cards taken in tricks"))
        if kind in kinds
    ]
    shown = [kind for kind in ("hand", "taken") if kind in kinds]
    if shown:
        yield ", ".join(shown), f"how many {' and '.join(numbers)}"
    moves = menu(table.question.choices, table.view, table.seat)
    if moves.numbers and not moves.amounts:
        yield "1)", "type this number, or the card, to play it; you can't play the others now"
    if any(slot_of(zone) for zone, _ in moves.numbers):
        yield "@2", "from column 2"
    for label in table.labels:
        if label.text and label.holds != "nothing":
            yield clean(label.title, look), clean(label.text, look)
    counted = {kind_of(key): None for key in table.view.values if seat_of(key) is not None}
    known = {label.kind for label in table.labels if label.text or label.holds == "nothing"}
    if counted := {kind: None for kind in counted if kind not in known}:
        names = ", ".join(title_of(name, table, look) for name in counted)
        yield names, "what this game counts for each player; rules explains it"


class ExplainedGames:
    """Remembers in a `folder` of which games the signs were told; None: for this program alone."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / _FILE
        self._known = _read(self._file)

    def first(self, game: str) -> bool:
        """Whether the signs of `game` were never told before; now they are."""
        if game in self._known:
            return False
        self._known.append(game)
        if self._file is not None:
            try:
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._file.write_text(json.dumps(self._known[-_MOST_GAMES:]), "utf-8")
            except OSError:
                # Then they are told again next time.
                self._file = None
        return True


def _read(file: Path | None) -> list[str]:
    try:
        known = [] if file is None else json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [game for game in known if isinstance(game, str)] if isinstance(known, list) else []
