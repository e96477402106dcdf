"""Players, teams and decks."""

from __future__ import annotations

from dataclasses import dataclass

from engine.recycle.syntax.actions import Repeat
from engine.recycle.syntax.categories import Action, Cards, Number, String
from engine.recycle.syntax.node import Node


@dataclass(frozen=True, slots=True)
class CreateTeams(Action):
    """The teams' seats, from 0; a seat that is missing is a team of its own."""

    teams: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class AttributeValue(Node):
    """A value, and further attributes of the cards that have it."""

    value: str
    attributes: tuple[DeckAttribute, ...] = ()


@dataclass(frozen=True, slots=True)
class DeckAttribute(Node):
    """``(KEY (VALUE, VALUE…))``: a key, and the values of it that cards have."""

    key: str
    values: tuple[AttributeValue, ...]


@dataclass(frozen=True, slots=True)
class CreateDeck(Action):
    """One card for every combination of the attributes' values; `family` names the card back."""

    target: Cards
    attributes: tuple[DeckAttribute, ...]
    family: String


@dataclass(frozen=True, slots=True)
class Setup(Node):
    """The setup; `teams` is None if the text has none: then every player is a team of one."""

    players: Number
    teams: CreateTeams | None
    decks: tuple[CreateDeck | Repeat, ...]
