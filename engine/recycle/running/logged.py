"""The cards and values of a game in play, and a log of whatever is done to them.

`undo` takes the log back to a mark; `perform` does again what an option did when it was tried.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.facts import Seat
from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.running.operations import (
    ORDER,
    PILE,
    Op,
    Ops,
    Stored,
)
from engine.recycle.running.storage import Pile, PileKey, Teams, ValueKey

if TYPE_CHECKING:
    from engine.recycle.running.program import Program

NOTHING_QUEUED = -1
NOWHERE = -1


class Logged:
    """`where[card]` is the slot of the pile a card lies in, -1 if there is no such card."""

    __slots__ = (
        "cur",
        "log",
        "more",
        "piles",
        "places",
        "program",
        "queue",
        "slots",
        "team",
        "team_of",
        "teams",
        "values",
        "where",
        "work",
    )

    def __init__(self, program: "Program") -> None:
        self.program = program
        self.places: list[Pile] = list(program.storage.piles)
        self.piles: list[list[int]] = [[] for _ in self.places]
        self.slots: dict[tuple[PileKey, int], int] = {}
        self.where: list[int] = []
        self.values: list[Stored] = list(program.unset)
        self.more: dict[tuple[ValueKey, int], Stored] = {}
        self.teams: Teams = ()
        self.team_of: dict[Seat, int] = {}
        self.set_teams(program.storage.teams)
        self.cur = self.team = 0
        self.queue = NOTHING_QUEUED
        self.log: list[Op] = []
        self.work = program.work

    def spend(self, units: int) -> None:
        """Count work that is done between two choices; a `Fault` where it is too much."""
        self.work -= units
        if self.work < 0:
            raise Fault("too much is worked out between two choices")

    def copy_table(self, other: "Logged") -> None:
        """Lie as `other` does, without its log."""
        self.program = other.program
        self.places = other.places[:]
        self.piles = [pile[:] for pile in other.piles]
        self.slots = other.slots.copy()
        self.where = other.where[:]
        self.values = other.values[:]
        self.more = other.more.copy()
        self.teams, self.team_of = other.teams, other.team_of
        self.cur, self.queue, self.team = other.cur, other.queue, other.team
        self.log = []

    def set_teams(self, teams: Teams) -> None:
        self.teams = teams
        self.team_of = {seat: team for team, seats in enumerate(teams) for seat in seats}

    def order(self, slot: int, after: Sequence[int]) -> None:
        self._do((ORDER, slot, tuple(self.piles[slot]), tuple(after)))

    def add_pile(self, key: PileKey, owner: int) -> int:
        """The slot of a pile that is used for the first time."""
        if len(self.piles) >= limits.PILES:
            raise Fault(f"more than {limits.PILES} locations")
        self._do((PILE, key, owner))
        return len(self.piles) - 1

    def perform(self, ops: Ops) -> None:
        """Do again what an option did when it was tried."""
        for op in ops:
            self._do(op)

    def undo(self, mark: int) -> None:
        """Take back everything after the first `mark` ops."""
        log = self.log
        while len(log) > mark:
            self._undo(log.pop())

    def _do(self, op: Op) -> None:
        match op:
            case (0, card, source, place, target, at):
                del self.piles[source][place]
                self.piles[target].insert(at, card)
                self.where[card] = target
            case (1, card, slot, at):
                self.piles[slot].insert(at, card)
            case (2, _, slot, at):
                del self.piles[slot][at]
            case (3, slot, _, after):
                self.piles[slot][:] = after
            case (4, key, _, after):
                self._set(key, after)
            case (5, _, turn):
                self.cur, self.queue = turn
            case (7, key, owner):
                self.slots[key, owner] = len(self.piles)
                self.piles.append([])
                self.places.append(self.program.storage.pile(key, owner))
            case (8, cards, slot):
                for card in cards:
                    self.lay(card, slot)
            case (9, _, teams):
                self.set_teams(teams)
        self.log.append(op)

    def _undo(self, op: Op) -> None:
        match op:
            case (0, card, source, place, target, at):
                del self.piles[target][at]
                self.piles[source].insert(place, card)
                self.where[card] = source
            case (1, _, slot, at):
                del self.piles[slot][at]
            case (2, card, slot, at):
                self.piles[slot].insert(at, card)
            case (3, slot, before, _):
                self.piles[slot][:] = before
            case (4, key, before, _):
                self._set(key, before)
            case (5, turn, _):
                self.cur, self.queue = turn
            case (7, key, owner):
                del self.slots[key, owner], self.piles[-1], self.places[-1]
            case (8, cards, slot):
                del self.piles[slot][-len(cards) :]
                for card in cards:
                    self.where[card] = NOWHERE
            case (9, teams, _):
                self.set_teams(teams)

    def _set(self, key: "int | tuple[ValueKey, int]", value: Stored | None) -> None:
        if isinstance(key, int):
            assert value is not None
            self.values[key] = value
        elif value is None:
            del self.more[key]
        else:
            self.more[key] = value

    def lay(self, card: int, slot: int) -> None:
        """A card that was nowhere lies on top of a pile."""
        if card >= len(self.where):
            self.where += [NOWHERE] * (card + 1 - len(self.where))
        self.where[card] = slot
        self.piles[slot].append(card)
