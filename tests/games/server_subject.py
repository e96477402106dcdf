"""What the tests of servers and programs need to know of a game."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, TypeAlias

from engine import View
from engine.choices import Action
from engine.game import MatchGame, OptionValue
from tests.server.secrecy.knowledge import KnowledgeModel

Shown: TypeAlias = Mapping[str, Mapping[str, int]]
"""The faces that somebody sees, by zone."""


def names_nothing(action: Action, shown: Shown) -> Collection[str]:
    """No cards: the moves name their cards themselves."""
    return ()


class Opening(NamedTuple):
    """The opening of a table for a match, and moves that may be tried there at any time.

    `rare` are kinds of moves that random play seldom makes: people prefer them when they can.
    """

    game: str
    seats: int
    options: Mapping[str, OptionValue]
    attempts: Sequence[Action]
    rare: Sequence[str] = ()


Openings: TypeAlias = Callable[[Random, int], Opening]
"""The table of the match with this number."""

MATCH_VALUES = ("leader", "turn", "deal", "total", "option")
"""Names of values that the views of every match have."""


@dataclass(frozen=True)
class ServerSubject:
    """A game under test at a server.

    `opening` opens the tables that are watched for leaks, where `knowledge` says from a view with
    all cards open, and from the moves alone, who may know which card. `values` are the names of the
    view's values, up to the first slash, and `verbs` the kinds of moves that have to come up.
    `leaks` are variants that show a card to somebody by more than an order or a seat. Of `matches`
    every frame is looked at.
    `meant` are the cards that a move is for without naming them, from what its player sees.
    With the options `short` a match is soon over. `hides`: something stays hidden from a player to
    the end of the match.
    """

    opening: Openings
    knowledge: Callable[[View], KnowledgeModel]
    values: Collection[str]
    verbs: Collection[str]
    # Variants of games with different states stand in one list.
    leaks: Sequence[type[MatchGame[Any]]]
    short: Mapping[str, OptionValue]
    hides: bool = False
    matches: int = 20
    meant: Callable[[Action, Shown], Collection[str]] = names_nothing
