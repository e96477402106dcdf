"""Short descriptions for tests: one construct in the smallest game around it."""

from typing import TypeVar

from engine.recycle.problems import Problem
from engine.recycle.reading.parser import Parsed, parse
from engine.recycle.syntax import (
    Body,
    Cycle,
    Do,
    ForEach,
    Forget,
    Game,
    Kind,
    Node,
    SetInt,
    SetString,
    Shuffle,
    Size,
    When,
)

SETUP = "(setup (create players 3) (create deck (game vloc STOCK) (deck (SUIT (H, S)))))"
SCORING = "(scoring max (game sto SCORE))"

N = TypeVar("N", bound=Node)


def whole(*children: str, setup: str = SETUP, scoring: str = SCORING, declare: str = "") -> str:
    """A description with these stages and blocks, each on a line of its own from the third."""
    return "\n".join((f"(game {declare}", setup, *children, f"{scoring})"))


def game(text: str) -> Game:
    """The tree of a description that has no problem."""
    parsed = parse(text)
    assert [str(problem) for problem in parsed.problems] == []
    assert parsed.game is not None
    return parsed.game


def told(parsed: Parsed) -> list[str]:
    """The texts of the problems, as a person reads them."""
    return [str(problem) for problem in parsed.problems]


def problem(*children: str) -> Problem:
    """The one problem of a description with these stages and blocks."""
    (found,) = parse(whole(*children)).problems
    return found


def body(text: str, within: str = "") -> Body:
    """The parsed action `text`; `within`, as ``all player 'P``, binds the variables it uses."""
    said = f"({within} {text})" if within else text
    (child,) = game(whole(f"(do ({said}))")).children
    (found,) = _is(child, Do).body
    return _is(found, ForEach).body if within else found


def number(text: str, within: str = "") -> Node:
    """The parsed expression `text` where a number is expected."""
    return _is(body(f"(set (game sto N) {text})", within), SetInt).value


def string(text: str, within: str = "") -> Node:
    """The parsed expression `text` where a string is expected."""
    return _is(body(f"(set (game str S) {text})", within), SetString).value


def condition(text: str, within: str = "") -> Node:
    """The parsed expression `text` where a condition is expected."""
    return _is(body(f"({text} (turn pass))", within), When).condition


def card(text: str, within: str = "") -> Node:
    """The parsed expression `text` where a card is expected."""
    return _is(body(f"(forget {text})", within), Forget).card


def cards(text: str, within: str = "") -> Node:
    """The parsed expression `text` where a list of cards is expected."""
    return _is(body(f"(shuffle {text})", within), Shuffle).cards


def collection(text: str, within: str = "") -> Node:
    """The parsed expression `text` where anything that has a size is expected."""
    return _is(number(f"(size {text})", within), Size).collection


def player(text: str, within: str = "") -> Node:
    """The parsed expression `text` where a player is expected."""
    return _is(body(f"(cycle next {text})", within), Cycle).player


def kind_of(node: Node) -> Kind | None:
    """The kind of value that an expression gives."""
    return getattr(node, "kind", None)


def _is(node: object, kind: type[N]) -> N:
    assert isinstance(node, kind)
    return node
