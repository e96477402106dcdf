"""An outline of a game: its cards, its piles and who sees them, its stages and choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Literal

from engine.recycle import syntax
from engine.recycle.checking.places import Holder, PlaceKey, keys
from engine.recycle.checking.scopes import seen
from engine.recycle.reading.tokens import Sort, tokens
from engine.recycle.source_text import Span
from engine.recycle.syntax import Node, Place, walk

LONG = 72
"""How much of a form is shown, in characters."""
_SEEN_BY: dict[Place, str] = {
    "vloc": "everybody",
    "mem": "everybody",
    "iloc": "its player",
    "hloc": "nobody",
    "oloc": "everybody but its player",
}
_TABLES: dict[Place, str] = {**_SEEN_BY, "iloc": "nobody", "oloc": "everybody"}
"""The same for piles of the table and of teams, which have no player."""
_TURNS = {
    ("player", "end"): "player after player",
    ("team", "end"): "team after team",
    ("player", "once"): "every player once",
    ("team", "once"): "every team once",
    ("player", "simultaneous"): "all players at once",
    ("team", "simultaneous"): "all teams at once",
}


@dataclass(frozen=True, slots=True)
class OutlinedZone:
    """The piles of one name, of which each player or the table has one."""

    holder: Holder
    place: Place
    name: str
    seen_by: str


@dataclass(frozen=True, slots=True)
class Part:
    """A stage with its parts, or a choice or block with what it does in `lines`."""

    sort: Literal["stage", "choice", "do"]
    title: str
    lines: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of a game, in words to be shown."""

    players: str
    teams: str
    decks: tuple[str, ...]
    zones: tuple[OutlinedZone, ...]
    values: tuple[PlaceKey, ...]
    parts: tuple[Part, ...]
    scoring: str


def outline(game: syntax.Game, text: str) -> Outline:
    """The outline of the game in `text`, which has no errors."""
    teams = game.setup.teams
    value = shown(text, game.scoring.value.at)
    return Outline(
        players=_number(game, game.setup.players, text),
        teams=_teams(teams, game.numbering) if teams else "every player is a team",
        decks=tuple(_decks(game, text)),
        zones=tuple(dict.fromkeys(_zones(game))),
        values=tuple(dict.fromkeys(_values(game))),
        parts=tuple(_part(child, text) for child in game.children),
        scoring=f"{'most' if game.scoring.best == 'max' else 'least'} of {value} wins",
    )


def shown(text: str, span: Span, most: int = LONG) -> str:
    """The words at `span` on one line, without comments, cut short."""
    said = ""
    # A form can be the whole file: no more of it is looked at than can be shown.
    for token in tokens(span.of(text)[: 20 * most]):
        if token.sort is Sort.COMMENT:
            continue
        tight = not said or said.endswith("(") or token.text in (")", ",")
        said += token.text if tight else f" {token.text}"
        if len(said) > most:
            return f"{said[: most - 1]}…"
    return said


def _teams(teams: syntax.CreateTeams, numbering: int) -> str:
    sides = (" and ".join(str(seat + numbering) for seat in team) for team in teams.teams)
    return " against ".join(sides)


def _decks(game: syntax.Game, text: str) -> Iterator[str]:
    times = ""
    for node in walk(game):
        if isinstance(node, syntax.CreateDeck):
            number = prod(_size(attribute) for attribute in node.attributes)
            values: dict[str, set[str]] = {}
            for part in walk(node):
                if isinstance(part, syntax.DeckAttribute):
                    values.setdefault(part.key, set()).update(each.value for each in part.values)
            told = ", ".join(_count(len(found), key.lower()) for key, found in values.items())
            copies = f"{times} × " if times else ""
            times = ""
            yield f"{copies}{_count(number, 'card')} ({told}) in {shown(text, node.target.at)}"
        elif isinstance(node, syntax.Repeat) and isinstance(node.body, syntax.CreateDeck):
            times = _number(game, node.times, text)


def _count(number: int, what: str) -> str:
    """A number with its noun: ``1 card``, ``4 suits``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _number(game: syntax.Game, node: Node, text: str) -> str:
    """The number as it is written or was declared."""
    declared = {each.variable: each.value for each in game.declarations}
    while isinstance(node, syntax.Variable) and node.name in declared:
        node = declared.pop(node.name)
    return shown(text, node.at)


def _size(attribute: syntax.DeckAttribute) -> int:
    return sum(prod(map(_size, value.attributes)) for value in attribute.values)


def _zones(game: syntax.Game) -> Iterator[OutlinedZone]:
    for here in seen(game):
        if isinstance(here.node, syntax.Location | syntax.Indexed):
            place = here.node.place
            for key in keys(here.node, here.scope) or ():
                seen_by = _SEEN_BY if key.holder == "a player" else _TABLES
                yield OutlinedZone(key.holder, place, key.name, seen_by[place])


def _values(game: syntax.Game) -> Iterator[PlaceKey]:
    for here in seen(game):
        if isinstance(here.node, syntax.IntStorage | syntax.StringStorage | syntax.PointMap):
            yield from keys(here.node, here.scope) or ()


def _part(node: Node, text: str) -> Part:
    match node:
        case syntax.Stage(cycle, mode, end, children):
            until = (f"until {shown(text, end.at)}",) if end else ()
            parts = tuple(_part(child, text) for child in children)
            return Part("stage", _TURNS[cycle, mode], until, parts)
        case syntax.Choice(options):
            return Part("choice", "choice", tuple(_lines(options, text)))
        case syntax.Do(bodies):
            return Part("do", "do", tuple(_lines(bodies, text)))
    return Part("do", "do", tuple(_lines((node,), text)))


def _lines(bodies: Iterable[Node], text: str) -> Iterator[str]:
    """The lines of the outline for a body: one each, or two if it depends on a condition."""
    for body in bodies:
        if isinstance(body, syntax.When):
            yield f"if {shown(text, body.condition.at)}"
            yield f"   {shown(text, body.body.at)}"
        else:
            yield shown(text, body.at)
