"""A compiled description: what it does as Python functions, and what these need to know."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.limits import PLAY_LIMITS
from engine.recycle.running.decks import Decks
from engine.recycle.running.operations import Stored
from engine.recycle.running.points import Awards, PointTable
from engine.recycle.running.storage import Storage, Store, ValueKey
from engine.recycle.running.world import Option, World
from engine.recycle.source_text import Span
from engine.shuffle import Shuffler, seed_from_int

Block: TypeAlias = Callable[[World], int]
"""Does something and says which one comes next."""

_TABLES = 1_000
"""Point maps that are kept between uses; games set the same few again and again."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A choice: how its options are found, what comes `then`; `unseen` if all choose at once."""

    options: Callable[[World], list[Option]]
    then: int
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """The name of the compiled code and, for each of its lines, what it stands for."""

    file: str
    lines: Mapping[int, Span]


@dataclass(frozen=True)
class Program:
    """`code[pc]` is None where the game waits: for the choice `asks[pc]`, or for ever.

    `weights` tell blocks, which are steps, from the ends of stages, which are none.
    """

    players: int
    aim: Literal["high", "low"]
    storage: Storage
    decks: Decks
    code: tuple[Block | None, ...]
    weights: tuple[int, ...]
    spans: tuple[Span, ...]
    asks: Mapping[int, Ask]
    # What is set up answers nothing; scoring is for the world's current player.
    setup: Callable[[World], Any]
    score: Callable[[World], int]
    origin: Origin
    grows: bool = False
    """Whether decks are made after the setup."""
    work: int = limits.WORK
    """Units that may be spent between two choices; a server allows less than a simulation."""
    tables: dict[Awards, PointTable] = field(default_factory=dict)

    @property
    def value_slots(self) -> Mapping[ValueKey, int]:
        return self.storage.values

    @property
    def families(self) -> int:
        """How many families of card backs there are."""
        return len({kind.family for kind in self.decks.kinds})

    @cached_property
    def value_keys(self) -> tuple[ValueKey, ...]:
        """What the values are, by slot."""
        owners = self.storage.owners
        return tuple(key for key in self.storage.values for _ in range(owners(key.holder)))

    @cached_property
    def value_names(self) -> tuple[str, ...]:
        """The names of the values in views, by slot."""
        return tuple(
            self.storage.value_name(key, owner)
            for key in self.storage.values
            for owner in range(self.storage.owners(key.holder))
        )

    @cached_property
    def made_by_setup(self) -> tuple[int, ...]:
        """How many cards of each kind a game begins with."""
        world = World(self, Shuffler(seed_from_int(0)), PLAY_LIMITS)
        with suppress(Fault):
            self.setup(world)
        return world.counts()

    @cached_property
    def nothing(self) -> Mapping[Store, Stored]:
        """What is stored where nothing was set."""
        return {"sto": 0, "str": "", "points": self.points(())}

    @property
    def unset(self) -> list[Stored]:
        """The values of a game that has not begun."""
        nothing, values = self.nothing, list[Stored]()
        for key in self.value_slots:
            values += [nothing[key.store]] * self.storage.owners(key.holder)
        return values

    def points(self, awards: Awards) -> PointTable:
        """The table of a point map; the same one for the same awards."""
        table = self.tables.get(awards)
        if table is None:
            if len(self.tables) >= _TABLES:
                self.tables.clear()
            table = self.tables[awards] = PointTable(awards, self.decks.attributes)
        return table
