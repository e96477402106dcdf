"""The components of a described game: its cards, piles, values and point maps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from engine.recycle.running.decks import Decks
from engine.recycle.running.operations import Stored
from engine.recycle.running.points import Awards, PointTable
from engine.recycle.running.storage import Storage, Store, ValueKey

_TABLES = 1_000
"""Point maps that are kept between uses; games set the same few again and again."""


@dataclass(frozen=True)
class Components:
    """The components shared by all games of one description.

    `tables` are the point maps that have been asked for, by their awards.
    """

    storage: Storage
    decks: Decks
    tables: dict[Awards, PointTable] = field(default_factory=dict)

    @property
    def players(self) -> int:
        """The number of players."""
        return self.storage.players

    @property
    def families(self) -> int:
        """The number of families of card backs."""
        return len({kind.family for kind in self.decks.kinds})

    @cached_property
    def value_keys(self) -> tuple[ValueKey, ...]:
        """The keys of the values, by slot."""
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
    def unset(self) -> Mapping[Store, Stored]:
        """The content of an unset value: 0, an empty string, a point map without awards."""
        return {"sto": 0, "str": "", "points": self.points(())}

    def unset_values(self) -> list[Stored]:
        """The values by slot before a game begins."""
        unset = self.unset
        return [unset[key.store] for key in self.value_keys]

    def points(self, awards: Awards) -> PointTable:
        """The table of a point map; equal awards share one table."""
        table = self.tables.get(awards)
        if table is None:
            if len(self.tables) >= _TABLES:
                self.tables.clear()
            table = self.tables[awards] = PointTable(awards, self.decks.attributes)
        return table
