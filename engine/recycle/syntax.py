"""The tree of a game description: one frozen class a construct, whatever version it was written in.

The parser has already taken away what differs between versions, so nobody who reads a tree asks
for one:

- a card, player or list is what it is by its place and its variables' kinds; every `Variable`
  knows its `kind`, because variables are bound lexically and what they are bound to has one;
- seats in `create teams` count from 0. What a description computes itself (`(N player)`,
  `(pid 'P)`) counts from `Game.numbering`: `NumberedPlayer(n)` is seat ``n - numbering``;
- a point map is always a `PointMap` with an owner (``using 'SCORE`` of version 0.4: the table's);
- `partition` has its key first; `actual` is gone; `inc` and `dec` have an amount; a location has an
  index; the target of `cycle` is a player; the card back's family has a name.

`kind` says what an expression gives. The field `at` is where it stands and no part of equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import ClassVar, Literal, TypeAlias

from engine.recycle.positions import NOWHERE, Span


class Kind(Enum):
    """What an expression gives; the value is its name for people."""

    INTEGER = "a number"
    STRING = "a string"
    BOOLEAN = "a condition"
    CARD = "a card"
    PLAYER = "a player"
    TEAM = "a team"
    CARDS = "a list of cards"
    PILES = "a list of card lists"
    PLAYERS = "the players"
    TEAMS = "the teams"
    INTEGERS = "a range"
    STRINGS = "a list of names"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything in the tree."""

    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """``'NAME``; `kind` is what it is bound to (UNKNOWN only in a tree with errors)."""

    name: str
    kind: Kind = Kind.UNKNOWN


End: TypeAlias = Literal["top", "bottom"]
Number: TypeAlias = (
    "Integer | IntStorage | Size | Sum | Score | ExtremeScore | Arithmetic | Triangular | "
    "Fibonacci | Random | Total | PlayerNumber | TeamNumber | Variable"
)
String: TypeAlias = "Name | StringStorage | CardAttribute | Variable"
Condition: TypeAlias = "Logic | Not | Compare | Same | Quantified | Variable"
Card: TypeAlias = "CardAt | ExtremeCard | Variable"
Player: TypeAlias = "CyclePlayer | NumberedPlayer | OwnerOf | Variable"
Team: TypeAlias = "CycleTeam | NumberedTeam | TeamOf | Variable"
Owner: TypeAlias = "Table | Player | Team"
Cards: TypeAlias = (
    "Location | Filter | SetOperation | Sorted | Slice | RunSlice | PileAt | Variable"
)
"""Expressions that give a list of cards (a `Filter` of `kind` CARDS)."""
Piles: TypeAlias = "Partition | Subsets | Runs | Tuples | Indexed | Each | Filter | Variable"
"""Expressions that give a list of card lists (a `Filter` of `kind` PILES)."""
Collection: TypeAlias = "Cards | Piles | Players | Teams | Others | Members | Range | Names"
"""What `any`, `all`, `filter` and `size` go over; a `Variable` of any list's kind too."""
Expression: TypeAlias = "Number | String | Condition | Card | Player | Team | Collection"
"""What `let` and `declare` can name."""
Body: TypeAlias = "Choice | Do | ForEach | Let | When | Action"
"""What can be done; a `Choice` in the wrong place is for the checker to find."""
Action: TypeAlias = (
    "Move | SwapCards | SwapPiles | Remember | Forget | Shuffle | Interleave | SetInt | "
    "ChangeInt | SetString | SetPoints | Cycle | Pass | Repeat | RepeatAll | CreateTeams | "
    "CreateDeck"
)


@dataclass(frozen=True, slots=True)
class Table(Node):
    """``game``: what belongs to nobody."""


@dataclass(frozen=True, slots=True)
class CyclePlayer(Node):
    """``(current player)``, ``(next player)``, ``(previous player)``."""

    which: Literal["current", "next", "previous"]
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True)
class NumberedPlayer(Node):
    """``(N player)``: seat ``number - Game.numbering``."""

    number: Number
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True)
class OwnerOf(Node):
    """``(owner card)``: the player in one of whose locations the card lies."""

    card: Card
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True)
class CycleTeam(Node):
    """``(current team)``, ``(next team)``, ``(previous team)``."""

    which: Literal["current", "next", "previous"]
    kind: ClassVar[Kind] = Kind.TEAM


@dataclass(frozen=True, slots=True)
class NumberedTeam(Node):
    """``(N team)``: team ``number - Game.numbering``."""

    number: Number
    kind: ClassVar[Kind] = Kind.TEAM


@dataclass(frozen=True, slots=True)
class TeamOf(Node):
    """``(team player)``."""

    player: Player
    kind: ClassVar[Kind] = Kind.TEAM


@dataclass(frozen=True, slots=True)
class Integer(Node):
    value: int
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class IntStorage(Node):
    """``(owner sto NAME)``; 0 until it is set."""

    owner: Owner
    name: String
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Size(Node):
    collection: Collection
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """``(sum cards using points)``."""

    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Score(Node):
    """``(score card using points)``."""

    card: Card
    points: PointMap
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class ExtremeScore(Node):
    """``(scoremax cards using points)``, ``(scoremin …)``: the points, not the card."""

    which: Literal["max", "min"]
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.INTEGER


Operator: TypeAlias = Literal["+", "-", "*", "//", "%", "^"]


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """``+`` and ``*`` have two operands or more, the others two."""

    operator: Operator
    operands: tuple[Number, ...]
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Triangular(Node):
    """``(tri n)``."""

    number: Number
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Fibonacci(Node):
    """``(fib n)``."""

    number: Number
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Random(Node):
    """``(random low .. high)``, both included; ``(random n)`` has `low` 0."""

    low: Number
    high: Number
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Total(Node):
    """``(all collection 'V number)``: the sum of the number over the collection."""

    collection: Collection
    variable: str
    number: Number
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class PlayerNumber(Node):
    """``(pid player)``, counted from `Game.numbering`."""

    player: Player
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class TeamNumber(Node):
    """``(tid team)``, counted from `Game.numbering`."""

    team: Team
    kind: ClassVar[Kind] = Kind.INTEGER


@dataclass(frozen=True, slots=True)
class Name(Node):
    text: str
    kind: ClassVar[Kind] = Kind.STRING


@dataclass(frozen=True, slots=True)
class StringStorage(Node):
    """``(owner str NAME)``; empty until it is set."""

    owner: Owner
    name: String
    kind: ClassVar[Kind] = Kind.STRING


@dataclass(frozen=True, slots=True)
class CardAttribute(Node):
    """``(cardatt KEY card)``; empty where there is no such card or key."""

    key: String
    card: Card
    kind: ClassVar[Kind] = Kind.STRING


@dataclass(frozen=True, slots=True)
class PointMap(Node):
    """``(owner points NAME)``; gives 0 for every card until it is set."""

    owner: Owner
    name: String


@dataclass(frozen=True, slots=True)
class Award(Node):
    """``((KEY : VALUE)… number)``: cards that have every one of the values."""

    conditions: tuple[tuple[String, String], ...]
    value: Number


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """``and`` or ``or`` of one condition or more."""

    operator: Literal["and", "or"]
    operands: tuple[Condition, ...]
    kind: ClassVar[Kind] = Kind.BOOLEAN


@dataclass(frozen=True, slots=True)
class Not(Node):
    condition: Condition
    kind: ClassVar[Kind] = Kind.BOOLEAN


Comparison: TypeAlias = Literal["<", ">", "<=", ">=", "==", "!="]


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """Two numbers compared."""

    operator: Comparison
    left: Number
    right: Number
    kind: ClassVar[Kind] = Kind.BOOLEAN


@dataclass(frozen=True, slots=True)
class Same(Node):
    """``==`` and ``!=`` (`negated`) of two strings, two cards, two players or two teams."""

    left: String | Card | Player | Team
    right: String | Card | Player | Team
    negated: bool = False
    kind: ClassVar[Kind] = Kind.BOOLEAN


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """``(any collection 'V condition)``, or ``all`` (`every`)."""

    every: bool
    collection: Collection
    variable: str
    condition: Condition
    kind: ClassVar[Kind] = Kind.BOOLEAN


@dataclass(frozen=True, slots=True)
class CardAt(Node):
    """``(top cards)``, ``(bottom cards)``, ``(N cards)``, N counted from 0 at the bottom."""

    place: End | Number
    cards: Cards
    kind: ClassVar[Kind] = Kind.CARD


@dataclass(frozen=True, slots=True)
class ExtremeCard(Node):
    """``(max cards using points)``, ``(min …)``."""

    which: Literal["max", "min"]
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.CARD


Place: TypeAlias = Literal["vloc", "iloc", "hloc", "oloc", "mem"]
"""Who sees the cards: all, the owner, nobody, all but the owner; `mem` holds marks, no cards."""


@dataclass(frozen=True, slots=True)
class Location(Node):
    """``(owner vloc NAME index)``: a real pile. The place is part of its identity."""

    owner: Owner
    place: Place
    name: String
    index: Number
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """``(filter collection 'V condition)``; `kind` is that of the collection."""

    collection: Collection
    variable: str
    condition: Condition
    kind: Kind = Kind.CARDS


@dataclass(frozen=True, slots=True)
class SetOperation(Node):
    """Of lists of cards; an `Each` among `parts` stands for all the lists it gives."""

    operator: Literal["union", "intersect", "disjunction"]
    parts: tuple[Cards | Each, ...]
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class Sorted(Node):
    """``(sort cards using points)``: a view, the pile stays as it is."""

    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """``(top N cards)``, ``(bottom N cards)``."""

    end: End
    count: Number
    cards: Cards
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class RunSlice(Node):
    """``(run top N cards using points)``: the longest run at that end, if it has N cards."""

    end: End
    least: Number
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class PileAt(Node):
    """``(top piles)``, ``(bottom piles)``, ``(N piles)``; top is the first one."""

    place: End | Number
    piles: Piles
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True)
class Partition(Node):
    """``(partition KEY cards…)``: the cards by their value of the key, in order of first sight."""

    key: String
    parts: tuple[Cards | Each, ...]
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Subsets(Node):
    """``(subsets cards)``, ``(subsets cards op N)`` for those whose size satisfies op N."""

    cards: Cards
    operator: Comparison | None = None
    size: Number | None = None
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Runs(Node):
    """``(runs largest N cards using points)``, ``(runs all …)`` for those within runs too."""

    which: Literal["largest", "all"]
    least: Number
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Tuples(Node):
    """``(tuples N cards using points)``: groups of N cards or more of equal points."""

    count: Number
    cards: Cards
    points: PointMap
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Indexed(Node):
    """``(indexed owner vloc NAME)``: the locations of that name, by index."""

    owner: Owner
    place: Place
    name: String
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Each(Node):
    """``(all collection 'V cards)``: one list for each item."""

    collection: Collection
    variable: str
    cards: Cards
    kind: ClassVar[Kind] = Kind.PILES


@dataclass(frozen=True, slots=True)
class Players(Node):
    """``player``: all of them, in seat order."""

    kind: ClassVar[Kind] = Kind.PLAYERS


@dataclass(frozen=True, slots=True)
class Teams(Node):
    """``team``: all of them."""

    kind: ClassVar[Kind] = Kind.TEAMS


@dataclass(frozen=True, slots=True)
class Others(Node):
    """``(other player)``, ``(other team)``: all but the current one; `kind` PLAYERS or TEAMS."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Members(Node):
    """A team where a collection is wanted: its players."""

    team: Team
    kind: ClassVar[Kind] = Kind.PLAYERS


@dataclass(frozen=True, slots=True)
class Range(Node):
    """``(range low .. high)``, both included."""

    low: Number
    high: Number
    kind: ClassVar[Kind] = Kind.INTEGERS


@dataclass(frozen=True, slots=True)
class Names(Node):
    """``(A, B, C)``."""

    names: tuple[str, ...]
    kind: ClassVar[Kind] = Kind.STRINGS


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`target` names a place in a real pile: on top, at the bottom, or before the card there."""

    card: Card
    target: CardAt


@dataclass(frozen=True, slots=True)
class SwapCards(Node):
    left: Card
    right: Card


@dataclass(frozen=True, slots=True)
class SwapPiles(Node):
    """The two piles' cards change places, in their order."""

    left: Cards
    right: Cards


@dataclass(frozen=True, slots=True)
class Remember(Node):
    """A mark for the card is put into a `mem`; the card stays where it is."""

    card: Card
    target: CardAt


@dataclass(frozen=True, slots=True)
class Forget(Node):
    """A mark is taken out of a `mem`."""

    card: Card


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    cards: Cards


@dataclass(frozen=True, slots=True)
class Interleave(Node):
    """``(shuffle faro a b)``: the cards of `other` go between those of `cards`."""

    cards: Cards
    other: Cards


@dataclass(frozen=True, slots=True)
class SetInt(Node):
    storage: IntStorage
    value: Number


@dataclass(frozen=True, slots=True)
class ChangeInt(Node):
    """``inc`` (`sign` 1) and ``dec`` (`sign` -1)."""

    storage: IntStorage
    amount: Number
    sign: Literal[1, -1]


@dataclass(frozen=True, slots=True)
class SetString(Node):
    storage: StringStorage
    value: String


@dataclass(frozen=True, slots=True)
class SetPoints(Node):
    """``(set points awards)``; `update` adds to what is there instead."""

    points: PointMap
    awards: tuple[Award, ...]
    update: bool = False


@dataclass(frozen=True, slots=True)
class Cycle(Node):
    """``cycle next`` queues `player`, ``cycle current`` makes the turn his at once."""

    when: Literal["next", "current"]
    player: Player


@dataclass(frozen=True, slots=True)
class Pass(Node):
    """``(turn pass)``: an option that does nothing."""


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    times: Number
    body: Body


@dataclass(frozen=True, slots=True)
class RepeatAll(Node):
    """As often as the list that `action` takes cards from is long."""

    action: Move | Forget


@dataclass(frozen=True, slots=True)
class CreateTeams(Node):
    """The teams' seats, from 0; a seat that is missing is a team of its own."""

    teams: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class AttributeValue(Node):
    """A value, and further attributes of the cards that have it."""

    value: str
    attributes: tuple[DeckAttribute, ...] = ()


@dataclass(frozen=True, slots=True)
class DeckAttribute(Node):
    key: str
    values: tuple[AttributeValue, ...]


@dataclass(frozen=True, slots=True)
class CreateDeck(Node):
    """One card for every combination of the attributes' values; `family` names the card back."""

    target: Cards
    attributes: tuple[DeckAttribute, ...]
    family: String


@dataclass(frozen=True, slots=True)
class When(Node):
    """``(condition body)``."""

    condition: Condition
    body: Body


@dataclass(frozen=True, slots=True)
class Do(Node):
    body: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """``(any collection 'V body)``: one item is chosen; ``all`` (`every`): one after the other."""

    every: bool
    collection: Collection
    variable: str
    body: Body


@dataclass(frozen=True, slots=True)
class Let(Node):
    value: Expression
    variable: str
    body: Body


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """The member whose turn it is picks one of what the options give."""

    options: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class Stage(Node):
    """The cycle goes round, the children done once each turn, until `end` holds.

    `mode` is `end` with the condition, or `once` or `simultaneous` without.
    """

    cycle: Literal["player", "team"]
    mode: Literal["end", "once", "simultaneous"]
    end: Condition | None
    children: tuple[Stage | Body, ...]


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """A name for a value, everywhere below."""

    value: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class Setup(Node):
    """`teams` is None where nothing was said: then every player is a team of his own."""

    players: Number
    teams: CreateTeams | None
    decks: tuple[CreateDeck | Repeat, ...]


@dataclass(frozen=True, slots=True)
class Scoring(Node):
    """`best` says whether most or least wins; `value` is taken once with each player as current."""

    best: Literal["max", "min"]
    value: Number


@dataclass(frozen=True, slots=True)
class Game(Node):
    """`numbering` is what the first player and team are numbered, 0 or 1."""

    declarations: tuple[Declare, ...]
    setup: Setup
    children: tuple[Stage | Body, ...]
    scoring: Scoring
    numbering: Literal[0, 1] = 1


def parts(node: Node) -> Iterator[Node]:
    """The nodes directly inside `node`, in order of their fields."""
    for each in fields(node):
        yield from _nodes(getattr(node, each.name))


def walk(node: Node) -> Iterator[Node]:
    """`node` and every node below it, outermost first."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(list(parts(here))))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
