"""Layout hints: how a client that knows no rules lays out a game's zones and shows its values.

A hint is about all zones, or all values, of one kind: ``hand`` is about ``hand/0``, ``hand/1`` and
so on. Hints say nothing that a viewer may not know; they are the same for everybody.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.facts import Seat

HAND, SLOTS, TRICK, PILE, STACK, ROW, HIDDEN = (
    "hand",
    "slots",
    "trick",
    "pile",
    "stack",
    "row",
    "hidden",
)
PLACES = (HAND, SLOTS, TRICK, PILE, STACK, ROW, HIDDEN)
"""The words for places, which docs/protocol.md explains."""

BY_SEAT, ON_TABLE, BY_TEAM, NOBODY = "seat", "table", "team", "nobody"
SHOWN = (BY_SEAT, ON_TABLE, BY_TEAM, NOBODY)
"""Where a value is shown."""

A_SEAT, A_TEAM, CARDS, A_GROUP, A_FLAG = "seat", "team", "cards", "group", "flag"
HOLDS = ("", A_SEAT, A_TEAM, CARDS, A_GROUP, A_FLAG)
"""What a value is, if it is no plain number or word."""


@dataclass(frozen=True, slots=True)
class ZoneHint:
    """Where the zones of one kind are laid, and what they are called.

    `rows` is for slots: they fill so many rows, one row after the other. `over` is the kind of the
    zones on which these lie: a slot on the slot of the same number, a pile on the other pile.
    """

    kind: str
    place: str
    title: str
    rows: int = 1
    over: str = ""


@dataclass(frozen=True, slots=True)
class ValueHint:
    """Where the values of one kind are shown, and what they are called.

    A value that is `shown` by a seat and `holds` a seat marks that player, as a dealer is marked.
    Without `zero` the number 0 means that there is nothing to show. The seat of a value that
    `holds` one is the value less `first`.
    """

    kind: str
    title: str
    shown: str
    zero: bool = True
    holds: str = ""
    first: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """The hints of a game. `teams` are the seats that play together in every deal, if any do."""

    zones: tuple[ZoneHint, ...] = ()
    values: tuple[ValueHint, ...] = ()
    teams: tuple[tuple[Seat, ...], ...] = ()

    def zone(self, kind: str) -> ZoneHint | None:
        """The hint for the zones of this kind, if there is one."""
        return next((hint for hint in self.zones if hint.kind == kind), None)

    def value(self, kind: str) -> ValueHint | None:
        """The hint for the values of this kind, if there is one."""
        return next((hint for hint in self.values if hint.kind == kind), None)


NO_LAYOUT = Layout()
"""That of a game that says nothing, or of a server that is too old to send one."""

LEADER = ValueHint("leader", "leader", BY_SEAT, holds=A_SEAT)
DEALER = ValueHint("dealer", "dealer", BY_SEAT, holds=A_SEAT)
TRUMP = ValueHint("trump", "trump", ON_TABLE, holds=A_GROUP)
"""Values that several games have."""

_OF_EVERY_MATCH = (
    ValueHint("turn", "turn", NOBODY),
    ValueHint("deal", "deal", ON_TABLE),
    ValueHint("option", "option", NOBODY),
    ValueHint("sheet", "score sheet", NOBODY),
    ValueHint("team", "team", BY_SEAT, holds=A_TEAM),
    ValueHint("team_total", "total", BY_TEAM),
    ValueHint("total", "total", BY_SEAT),
)


def laid_out(
    zones: Iterable[ZoneHint],
    values: Iterable[ValueHint],
    teams: tuple[tuple[Seat, ...], ...] = (),
) -> Layout:
    """The layout of a game: its own hints, and those for the values that every match has."""
    return Layout(tuple(zones), (*values, *_OF_EVERY_MATCH), teams)
