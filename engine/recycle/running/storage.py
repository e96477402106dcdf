"""Where a game keeps its cards and values: slots for all that the description names.

What the text names outright has a slot of its own from the start, one for each owner, so that a
compiled game finds it by an addition. Names and indices that are worked out while the game is
played get theirs when they are first used. Piles that differ by their index alone are in one row,
where a compiled game finds them by their index. Source: RECYCLE, "The language": location.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.facts import EVERYONE, Audience, Seat, only
from engine.recycle.syntax import (
    CycleTeam,
    Indexed,
    Integer,
    IntStorage,
    Kind,
    Location,
    Name,
    Node,
    NumberedTeam,
    Owner,
    PointMap,
    StringStorage,
    Table,
    TeamOf,
    Variable,
)

Place: TypeAlias = Literal["vloc", "iloc", "hloc", "oloc", "mem"]
Holder: TypeAlias = Literal["game", "player", "team"]
Store: TypeAlias = Literal["sto", "str", "points"]
Teams: TypeAlias = tuple[tuple[Seat, ...], ...]

NOBODY: Audience = 0
_TAKEN = frozenset(
    [
        "turn",
        "deal",
        "deals",
        "total",
        "team",
        "option",
        "sheet",
        "play",
        "points",
        "leader",
        "dealer",
        "hand_size",
    ]
)
"""Keys of a view that mean something to clients or matches already."""
_NAMELESS = "no_name"
"""For a name that was worked out as an empty string; no name in a description has a ``_``."""


class PileKey(NamedTuple):
    """What identifies a location, apart from its owner."""

    holder: Holder
    place: Place
    name: str
    number: int


class RowKey(NamedTuple):
    """What indexed piles share that differ by their index alone, apart from their owner."""

    holder: Holder
    place: Place
    name: str


class ValueKey(NamedTuple):
    """What identifies a value in storage, apart from its owner."""

    store: Store
    holder: Holder
    name: str


@dataclass(frozen=True, slots=True)
class Pile:
    """One pile of one owner: who sees it (`seen`), and its name in views (a key for marks)."""

    key: PileKey
    owner: int
    name: str
    seen: Audience

    @property
    def marks(self) -> bool:
        """Whether it is a ``mem``, which holds marks of cards."""
        return self.key.place == "mem"

    @property
    def seat(self) -> Seat:
        """The player to whom the pile belongs, or -1."""
        return self.owner if self.key.holder == "player" else -1


def completed(teams: Teams, players: int) -> Teams:
    """`teams`, with a team of one for each seat that is in none."""
    placed = {seat for team in teams for seat in team}
    return teams + tuple((seat,) for seat in range(players) if seat not in placed)


def holder_of(owner: Owner) -> Holder:
    """Whether the table, a player or a team is the owner."""
    match owner:
        case Table():
            return "game"
        case CycleTeam() | NumberedTeam() | TeamOf():
            return "team"
        case Variable(kind=Kind.TEAM):
            return "team"
        case _:
            return "player"


class Storage:
    """The slots of one description, for `players` players in `teams`.

    `row_bases` are the rows whose piles the text indexes by what is worked out: the row of an owner
    is that number and the owner's. `rows` are the slots by index that each row has from the start,
    `row_owners` its key and its owner.
    """

    def __init__(self, nodes: Iterable[Node], players: int, teams: Teams) -> None:
        self.players = players
        self.teams = teams
        self.bases: dict[PileKey, int] = {}
        self.row_bases: dict[RowKey, int] = {}
        self.rows: list[dict[int, int]] = []
        self.row_owners: list[tuple[RowKey, int]] = []
        self.values: dict[ValueKey, int] = {}
        self.piles: list[Pile] = []
        self.size = 0
        self._places: dict[str, set[str]] = {}
        nodes = tuple(nodes)
        for node in nodes:
            match node:
                case Location(owner=owner, place=place, name=Name(text=name)):
                    self._places.setdefault(name, set()).add(place)
                case IntStorage(owner=owner, name=Name(text=name)):
                    self._value(ValueKey("sto", holder_of(owner), name))
                case StringStorage(owner=owner, name=Name(text=name)):
                    self._value(ValueKey("str", holder_of(owner), name))
                case PointMap(owner=owner, name=Name(text=name)):
                    self._value(ValueKey("points", holder_of(owner), name))
        for node in nodes:
            match node:
                case Location(
                    owner=owner, place=place, name=Name(text=name), index=Integer(value=index)
                ):
                    self._pile(PileKey(holder_of(owner), place, name, index))
                case (
                    Location(owner=owner, place=place, name=Name(text=name))
                    | Indexed(owner=owner, place=place, name=Name(text=name))
                ):
                    self._row(RowKey(holder_of(owner), place, name))
        for key, base in self.bases.items():
            for number in range(self.owners(key.holder)):
                if (row := self.row(key, number)) is not None:
                    self.rows[row][key.number] = base + number

    def row(self, key: PileKey, owner: int) -> int | None:
        """The row that has a pile of that key and owner; None if there is no such row."""
        base = self.row_bases.get(RowKey(*key[:3]))
        return None if base is None else base + owner

    def owners(self, holder: Holder) -> int:
        """The largest number of owners of a kind; there are never more teams than players."""
        return 1 if holder == "game" else self.players

    def declared(self, variable: str) -> int:
        """The slot of a declared value, named with an apostrophe, which no other name has."""
        key = ValueKey("sto", "game", f"'{variable}")
        self._value(key)
        return self.values[key]

    def all_teams(self, teams: Teams) -> Teams:
        """`teams`, with a team of one for each seat that is in none."""
        return completed(teams, self.players)

    def pile(self, key: PileKey, owner: int) -> Pile:
        """The pile of a key and owner, with or without a slot."""
        return Pile(key, owner, self._pile_name(key, owner), self._seen(key, owner))

    def named_piles(self) -> Iterator[Pile]:
        """The piles that the text names, and one of each row with computed indices."""
        yield from self.piles
        for row, owner in self.row_owners:
            yield self.pile(PileKey(*row, 1), owner)

    def value_name(self, key: ValueKey, owner: int) -> str:
        """The key of a value in a view: ``score/2``, ``broken``, ``play/points/rank``."""
        if key.name.startswith("'"):
            return f"play/declared/{key.name[1:].lower()}"
        name = key.name.lower() or _NAMELESS
        clash = name in _TAKEN or key.name in self._places
        clash = clash or sum(other.name == key.name for other in self.values) > (key in self.values)
        if key.store == "points":
            # Clients show no value whose name has several parts; people do not read point maps.
            name = f"play/points/{name}"
        elif clash:
            name += {"sto": "_count", "str": "_word"}[key.store]
        return name + _owned(key.holder, owner)

    def _value(self, key: ValueKey) -> None:
        if key not in self.values:
            self.values[key] = self.size
            self.size += self.owners(key.holder)

    def _pile(self, key: PileKey) -> None:
        if key not in self.bases:
            self.bases[key] = len(self.piles)
            owners = range(self.owners(key.holder))
            self.piles += [self.pile(key, owner) for owner in owners]

    def _row(self, key: RowKey) -> None:
        if key not in self.row_bases:
            self.row_bases[key] = len(self.rows)
            for owner in range(self.owners(key.holder)):
                self.rows.append({})
                self.row_owners.append((key, owner))

    def _pile_name(self, key: PileKey, owner: int) -> str:
        name = key.name.lower() or _NAMELESS
        known = self._places.get(key.name, set())
        if len(known) > 1 or key.place not in known or (key.place == "mem" and name in _TAKEN):
            name += f"_{key.place}"
        if key.number:
            return f"{name}/{'' if key.holder == 'game' else owner}/{key.number}"
        return name if key.holder == "game" else f"{name}/{owner}"

    def _seen(self, key: PileKey, owner: int) -> Audience:
        """The viewers of the cards (RECYCLE, "Decisions"). Spectators do not see an ``oloc``."""
        if key.place in ("vloc", "mem"):
            return EVERYONE
        if key.place == "iloc" and key.holder == "player":
            return only(owner)
        if key.place == "oloc":
            others = (seat for seat in range(self.players) if self._others(key, owner, seat))
            return only(*others)
        return NOBODY

    def _others(self, key: PileKey, owner: int, seat: Seat) -> bool:
        return key.holder == "game" or seat != owner


def _owned(holder: Holder, owner: int) -> str:
    return {"game": "", "player": f"/{owner}", "team": f"_team/{owner}"}[holder]
