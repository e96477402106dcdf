"""The state of a running game, with a log of every operation on it, so that they can be undone.

Cards and piles are numbers here: a card is an int (see `decks`), a pile is its *slot*, an index
into `piles`. Options are tried on the state itself and then undone, which is much cheaper than a
copy.
"""

from typing import Any

from engine.facts import Seat
from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.running import operations
from engine.recycle.running.components import Components
from engine.recycle.running.operations import Op, Ops, Stored
from engine.recycle.running.storage import Pile, PileKey, Teams, ValueKey
from engine.recycle.running.turns import Turns

NOWHERE = -1
"""The slot of a card that does not exist."""
CARDS_A_UNIT = 16
"""So many cards are looked at for one unit of work where Python looks through a list itself."""


class UndoableState:
    """Piles, values, teams and turns, and the `log` of what was done to them.

    `piles[slot]` are a pile's cards from bottom to top, or the cards whose marks lie in a mem;
    `places[slot]` is whose pile it is. `where[card]` is the slot of the pile a card lies in,
    `NOWHERE` if there is no such card. `slots` are the piles, and `more` the values, that had no
    slot from the start: their names or indices were worked out in the game. `rows` are the slots of
    indexed piles by their index, for each row of the `Storage`.
    """

    __slots__ = (
        "components",
        "log",
        "more",
        "piles",
        "places",
        "rows",
        "slots",
        "team_of",
        "teams",
        "turns",
        "values",
        "where",
    )

    def __init__(self, components: Components) -> None:
        self.components = components
        self.turns = Turns(components.players)
        self.places: list[Pile] = list(components.storage.piles)
        self.piles: list[list[int]] = [[] for _ in self.places]
        self.slots: dict[tuple[PileKey, int], int] = {}
        self.rows: list[dict[int, int]] = [row.copy() for row in components.storage.rows]
        self.where: list[int] = []
        self.values: list[Stored] = components.unset_values()
        self.more: dict[tuple[ValueKey, int], Stored] = {}
        self.teams: Teams = ()
        self.team_of: dict[Seat, int] = {}
        self.set_teams(components.storage.teams)
        self.log: list[Op] = []

    def clone(self) -> "UndoableState":
        """An independent copy, with an empty log."""
        twin = UndoableState.__new__(UndoableState)
        twin.components = self.components
        twin.turns = self.turns.clone()
        twin.places = self.places[:]
        twin.piles = [pile[:] for pile in self.piles]
        twin.slots = self.slots.copy()
        twin.rows = [row.copy() for row in self.rows]
        twin.where = self.where[:]
        twin.values = self.values[:]
        twin.more = self.more.copy()
        twin.teams, twin.team_of = self.teams, self.team_of
        twin.log = []
        return twin

    # Reading

    def slot(self, key: PileKey, owner: int) -> int:
        """The slot of a pile by its computed name; a new pile is made if needed."""
        base = self.components.storage.bases.get(key)
        if base is not None:
            return base + owner
        known = self.slots.get((key, owner))
        if known is not None:
            return known
        if key.number < 0:
            raise Fault("a location has no negative index")
        return self.add_pile(key, owner)

    def slot_in(self, number: int, row: int) -> int:
        """The slot of the pile with an index in a row; a new pile is made if needed."""
        slots = self.rows[row]
        if number in slots:
            return slots[number]
        key, owner = self.components.storage.row_owners[row]
        return self.slot(PileKey(*key, number), owner)

    # What is stored is a number, a string or a point map; compiled code knows which it asks for.
    def value(self, key: ValueKey, owner: int) -> Any:
        """The stored value with a computed name."""
        base = self.components.storage.values.get(key)
        if base is not None:
            return self.values[base + owner]
        return self.more.get((key, owner), self.components.unset[key.store])

    def counts(self) -> tuple[int, ...]:
        """The number of cards of each kind."""
        decks = self.components.decks
        counts = [0] * len(decks.kinds)
        for card, slot in enumerate(self.where):
            counts[decks.kind(card)] += slot >= 0
        return tuple(counts)

    def has_acted(self, mark: int) -> bool:
        """Whether anything was done after the first `mark` operations.

        Creating a pile by mentioning it does not count, nor does a reason.
        """
        idle = operations.PILE, operations.WHY
        return any(op[0] not in idle for op in self.log[mark:])

    # Setting up, without the log

    def set_teams(self, teams: Teams) -> None:
        """Replace the teams; each seat is in one of them."""
        self.teams = teams
        self.team_of = {seat: team for team, seats in enumerate(teams) for seat in seats}

    def lay(self, card: int, slot: int) -> None:
        """Put a new card on top of a pile."""
        if card >= len(self.where):
            self.where += [NOWHERE] * (card + 1 - len(self.where))
        self.where[card] = slot
        self.piles[slot].append(card)

    # Operations

    def add_pile(self, key: PileKey, owner: int) -> int:
        """Make a pile and give its slot; a `Fault` above `limits.PILES` of them."""
        if len(self.piles) >= limits.PILES:
            raise Fault(f"more than {limits.PILES} locations")
        self.do((operations.PILE, key, owner))
        return len(self.piles) - 1

    def perform(self, ops: Ops) -> None:
        """Repeat operations that were done before and undone."""
        for op in ops:
            self.do(op)

    def undo(self, mark: int) -> None:
        """Undo everything after the first `mark` operations, the last first."""
        log = self.log
        while len(log) > mark:
            self._undo(log.pop())

    def do(self, op: Op) -> None:
        """Perform an operation that is known to be possible, and log it."""
        match op[0]:
            case operations.MOVE:
                _, card, source, place, target, at = op
                del self.piles[source][place]
                self.piles[target].insert(at, card)
                self.where[card] = target
            case operations.MARK:
                _, card, slot, at = op
                self.piles[slot].insert(at, card)
            case operations.UNMARK:
                _, _, slot, at = op
                del self.piles[slot][at]
            case operations.ORDER:
                _, slot, _, after = op
                self.piles[slot][:] = after
            case operations.VALUE:
                _, key, _, after = op
                self._set(key, after)
            case operations.CYCLE:
                _, _, (self.turns.current, self.turns.queued) = op
            case operations.PILE:
                _, key, owner = op
                self.slots[key, owner] = len(self.piles)
                if (row := self.components.storage.row(key, owner)) is not None:
                    self.rows[row][key.number] = len(self.piles)
                self.piles.append([])
                self.places.append(self.components.storage.pile(key, owner))
            case operations.CARDS:
                _, cards, slot = op
                for card in cards:
                    self.lay(card, slot)
            case operations.TEAMS:
                self.set_teams(op[2])
        self.log.append(op)

    def _undo(self, op: Op) -> None:
        match op[0]:
            case operations.MOVE:
                _, card, source, place, target, at = op
                del self.piles[target][at]
                self.piles[source].insert(place, card)
                self.where[card] = source
            case operations.MARK:
                _, _, slot, at = op
                del self.piles[slot][at]
            case operations.UNMARK:
                _, card, slot, at = op
                self.piles[slot].insert(at, card)
            case operations.ORDER:
                _, slot, before, _ = op
                self.piles[slot][:] = before
            case operations.VALUE:
                _, key, before, _ = op
                self._set(key, before)
            case operations.CYCLE:
                _, (self.turns.current, self.turns.queued), _ = op
            case operations.PILE:
                _, key, owner = op
                del self.slots[key, owner], self.piles[-1], self.places[-1]
                if (row := self.components.storage.row(key, owner)) is not None:
                    del self.rows[row][key.number]
            case operations.CARDS:
                _, cards, slot = op
                del self.piles[slot][-len(cards) :]
                for card in cards:
                    self.where[card] = NOWHERE
            case operations.TEAMS:
                self.set_teams(op[1])

    def _set(self, key: "int | tuple[ValueKey, int]", value: Stored | None) -> None:
        """Set a value by its slot, or by its name and owner; None means that it was unset."""
        if isinstance(key, int):
            assert value is not None
            self.values[key] = value
        elif value is None:
            del self.more[key]
        else:
            self.more[key] = value
