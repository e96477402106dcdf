"""Facts: what happened, and who may know it.

A step of a game yields facts in order. Each names what happened (`verb` and `args`, for words)
and how the table changed (`changes`, for pictures). Where two people see the same thing
differently, the game makes two facts with audiences that do not overlap. A seat's view is the fold
of the facts it may see (`engine.views.fold`).

There are two types. A game makes an `AddressedFact`, by `public`, `private`, `to_others` or
`addressed`: there is none without an audience. What somebody is told is a `Fact`, and `seen_by` is
the way from the one to the other.

Cards are tokens here, not ints: facts and views are what leaves the engine.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.cards import Token
from engine.phrases import Value as Value

Seat: TypeAlias = int
Viewer: TypeAlias = int
"""A seat, or one of the two below."""

SPECTATOR: Viewer = -1
"""Sees what everybody sees."""
OPEN: Viewer = -2
"""Sees every card; for finished tables and tests. No fact is ever addressed to it."""

Audience: TypeAlias = int
"""A bit for each viewer: spectators first, then the seats."""
EVERYONE: Audience = -1

ZoneId: TypeAlias = str
"""``kind``, ``kind/owner`` or ``kind/owner/slot``: ``trick``, ``hand/2``, ``column/2/5``."""


def only(*viewers: Viewer) -> Audience:
    """The audience that consists of exactly these viewers."""
    mask = 0
    for viewer in viewers:
        mask |= 1 << (viewer + 1)
    return mask


def all_but(*viewers: Viewer) -> Audience:
    """The audience of everybody except these viewers, spectators included."""
    return ~only(*viewers)


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay the table anew: exactly these zones exist, each with this number of backs."""

    zones: Mapping[ZoneId, int]
    do: Literal["lay"] = "lay"


@dataclass(frozen=True, slots=True)
class Move:
    """Cards leave `source` and join the end of `target`.

    A named card leaves as the face that was seen, or else as a back, and arrives face up; with
    `hidden` it arrives as a back. A plain count moves that many backs.
    """

    source: ZoneId
    target: ZoneId
    cards: tuple[Token, ...] | int
    hidden: bool = False
    do: Literal["move"] = "move"

    def __reduce__(self) -> tuple[type["Move"], tuple[object, ...]]:
        return Move, (self.source, self.target, self.cards, self.hidden)


@dataclass(frozen=True, slots=True)
class Show:
    """Backs in `zone` turn out to be these cards, which lie face up from now on."""

    zone: ZoneId
    cards: tuple[Token, ...]
    do: Literal["show"] = "show"


@dataclass(frozen=True, slots=True)
class Set:
    """Set `key` to `value`; None removes the key."""

    key: str
    value: Value
    do: Literal["set"] = "set"

    def __reduce__(self) -> tuple[type["Set"], tuple[object, ...]]:
        return Set, (self.key, self.value)


Change: TypeAlias = Lay | Move | Show | Set


@dataclass(frozen=True, slots=True)
class Fact:
    """What happened, as one receiver is told it, without saying who else is told.

    `words` are those of the game itself, where it has any (`engine.labels`). Where a fact `holds`,
    people should have a moment to see how the table lies before it happens: a trick that is taken,
    cards that were laid open to be counted, the end of a deal.
    """

    verb: str
    args: Mapping[str, Value] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    words: str = ""
    holds: bool = False

    # A question to a bot has up to hundreds of facts and changes. To pickle one in the way of
    # data classes takes three times as long, on both sides.
    def __reduce__(self) -> tuple[type["Fact"], tuple[object, ...]]:
        return Fact, (self.verb, self.args, self.changes, self.words, self.holds)


class AddressedFact(NamedTuple):
    """A fact as a game makes it, with its audience. A named tuple: every move makes several."""

    fact: Fact
    audience: Audience

    @property
    def verb(self) -> str:
        """The verb of the fact."""
        return self.fact.verb

    @property
    def args(self) -> Mapping[str, Value]:
        """The arguments of the fact, by name."""
        return self.fact.args

    def held(self) -> "AddressedFact":
        """A copy of the fact marked as held: people first get a moment to see the table."""
        told = self.fact
        fact = Fact(told.verb, told.args, told.changes, told.words, holds=True)
        return AddressedFact(fact, self.audience)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes of the fact, in order."""
        return self.fact.changes

    def seen_by(self, viewer: Viewer) -> bool:
        """Whether `viewer` is in the audience."""
        return self.audience >> (viewer + 1) & 1 == 1


Args: TypeAlias = Mapping[str, Value]
_NO_ARGS: Final[Args] = {}


def public(
    verb: str, args: Args = _NO_ARGS, changes: tuple[Change, ...] = (), words: str = ""
) -> AddressedFact:
    """A fact for everybody, spectators included."""
    return AddressedFact(Fact(verb, args, changes, words), EVERYONE)


def private(
    seat: Seat, verb: str, args: Args = _NO_ARGS, changes: tuple[Change, ...] = (), words: str = ""
) -> AddressedFact:
    """A fact for one seat alone."""
    return AddressedFact(Fact(verb, args, changes, words), only(seat))


def to_others(
    seats: Seat | tuple[Seat, ...],
    verb: str,
    args: Args = _NO_ARGS,
    changes: tuple[Change, ...] = (),
    words: str = "",
) -> AddressedFact:
    """A fact for everybody but one seat or some seats, spectators included."""
    told = (seats,) if isinstance(seats, int) else seats
    return AddressedFact(Fact(verb, args, changes, words), all_but(*told))


def addressed(
    audience: Audience, verb: str, args: Args = _NO_ARGS, changes: tuple[Change, ...] = ()
) -> AddressedFact:
    """A fact for the viewers in `audience`."""
    return AddressedFact(Fact(verb, args, changes), audience)


def all_public(facts: Iterable[AddressedFact]) -> bool:
    """Whether everybody is told all of the facts."""
    for _, audience in facts:  # noqa: SIM110 - `all` takes twice as long, at every move
        if audience != EVERYONE:
            return False
    return True


def seen_by(facts: Iterable[AddressedFact], viewer: Viewer) -> tuple[Fact, ...]:
    """The facts that `viewer` is told, in order."""
    bit = viewer + 1
    # At every move for every viewer: a list is filled in half the time of a generator.
    return tuple([fact for fact, audience in facts if audience >> bit & 1])
