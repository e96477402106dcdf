"""An outline of a game as lines for people."""

from collections.abc import Iterator, Sequence

from engine.recycle.authoring.outline import Outline, OutlinedZone, Part
from engine.recycle.checking.places import Holder, PlaceKey

_OWNERS: dict[Holder, str] = {
    "the table": "the table",
    "a player": "each player",
    "a team": "each team",
}
_SORTS = {"sto": "numbers", "str": "names", "points": "point maps"}


def lines(outline: Outline, title: str) -> Iterator[str]:
    """The outline of a game under its `title`, line by line."""
    players = "1 player" if outline.players == "1" else f"{outline.players} players"
    yield f"{title}: {players}, {outline.teams}"
    yield from (f"  {deck}" for deck in outline.decks)
    yield "piles"
    yield from _zones(outline.zones)
    for sort, name in _SORTS.items():
        found = [key for key in outline.values if key.sort == sort]
        if found:
            yield name
            yield from _values(found)
    yield "course of the game"
    yield from _parts(outline.parts, 1)
    yield f"scoring: {outline.scoring}"


def _zones(zones: Sequence[OutlinedZone]) -> Iterator[str]:
    names = max((len(zone.name) for zone in zones), default=0)
    for holder, owner in _OWNERS.items():
        for zone in zones:
            if zone.holder == holder:
                what = "marks, " if zone.place == "mem" else ""
                yield (
                    f"  {owner:<11}  {zone.name:<{names}}  {zone.place:<4}  "
                    f"{what}seen by {zone.seen_by}"
                )


def _values(found: Sequence[PlaceKey]) -> Iterator[str]:
    for holder, owner in _OWNERS.items():
        names = ", ".join(key.name for key in found if key.holder == holder)
        if names:
            yield f"  {owner:<11}  {names}"


def _parts(parts: Sequence[Part], depth: int) -> Iterator[str]:
    space = "  " * depth
    for part in parts:
        if part.sort == "stage":
            yield f"{space}{part.title} {''.join(part.lines)}".rstrip()
        else:
            yield f"{space}{part.title}"
            yield from (f"{space}  {line}" for line in part.lines)
        yield from _parts(part.parts, depth + 1)
