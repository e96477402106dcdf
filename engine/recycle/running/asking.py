"""What compiled expressions ask a table, and how its stages go round.

Everything that takes time beyond a single step counts its work in units, so that no description
can keep the machine busy: `go`, `each`, `times`, `spend`.
"""

from collections.abc import Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from engine.facts import Seat
from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.running.logged import NOTHING_QUEUED
from engine.recycle.running.operations import Ops
from engine.recycle.running.storage import Holder, PileKey, Place, ValueKey
from engine.recycle.running.table import TOP, Table
from engine.shuffle import Shuffler

if TYPE_CHECKING:
    from engine.recycle.running.program import Program

C = TypeVar("C", bound=Sized)
T = TypeVar("T")

Frame: TypeAlias = tuple[int, int, int, int]
"""Current player, queued player and current team outside a stage, and turns taken inside."""


class Asking(Table):
    __slots__ = ("draws", "frames", "shuffler")

    def __init__(self, program: "Program", shuffler: Shuffler) -> None:
        super().__init__(program)
        self.shuffler = shuffler
        self.frames: list[Frame] = []
        self.draws = 0

    def go(self, items: C) -> C:
        """`items`, which are going to be looked at one by one."""
        self.work -= len(items) + 1
        if self.work < 0:
            raise Fault("too much is worked out between two choices")
        return items

    def weighed(self, items: C, units: int) -> C:
        """`items`, with each of which something is going to be done that costs so many units."""
        self.spend(len(items) * units)
        return items

    def each(self, items: Sequence[T]) -> tuple[T, ...]:
        """`items` as they are now, whatever happens to them meanwhile."""
        return tuple(self.go(items))

    def since(self, mark: int) -> Ops:
        """What was done after the first `mark` ops."""
        self.spend(len(self.log) - mark)
        return tuple(self.log[mark:])

    def room(self, options: Sized) -> None:
        """A `Fault` before options fill the memory."""
        if len(options) > limits.OPTIONS:
            raise Fault(f"more than {limits.OPTIONS} options")

    def listed(self, lists: list[list[int]]) -> list[list[int]]:
        """Lists that were worked out, unless they are too many."""
        size = sum(map(len, lists))
        if size > limits.LISTS:
            raise Fault("the lists have too many cards")
        self.spend(size)
        return lists

    def times(self, number: int) -> range:
        if number > limits.LISTS:
            raise Fault(f"{number} times is too often")
        return self.go(range(number))

    def numbers(self, low: int, high: int) -> range:
        """The range from `low` to `high`, both included."""
        if high - low > limits.LISTS:
            raise Fault(f"from {low} to {high} is too far")
        return range(low, high + 1)

    def below(self, n: int) -> int:
        """A number below `n`; a game asks for the next one each time."""
        self.draws += 1
        return self.shuffler.below(f"draw/{self.draws}", n)

    def random(self, low: int, high: int) -> int:
        if not 0 <= high - low < 1 << 32:
            raise Fault(f"there is no random number from {low} to {high}")
        return low + self.below(high - low + 1)

    def extreme(self, cards: Sequence[int], points: Mapping[int, int], sign: int) -> int:
        """The card with most points, or least; one of several is drawn."""
        if not cards:
            raise Fault("there are no cards to take the best of")
        scores = [sign * points[card] for card in self.go(cards)]
        best = max(scores)
        if scores.count(best) == 1:
            return cards[scores.index(best)]
        tied = [card for card, score in zip(cards, scores, strict=True) if score == best]
        return tied[self.below(len(tied))]

    def extreme_score(self, cards: Sequence[int], points: Mapping[int, int], sign: int) -> int:
        if not cards:
            raise Fault("there are no cards to take the best of")
        return sign * max(sign * points[card] for card in self.go(cards))

    def score_of(self, card: int, points: Mapping[int, int]) -> int:
        if card < 0:
            raise Fault("there is no card to score")
        return points[card]

    def owner(self, card: int) -> Seat:
        if card < 0:
            raise Fault("there is no card whose owner could be asked for")
        seat = self.places[self.where[card]].seat
        if seat < 0:
            raise Fault("the card belongs to no player")
        return seat

    def numbered(self, number: int) -> Seat:
        if not 0 <= number < self.program.players:
            raise Fault("there is no player of this number")
        return number

    def team_numbered(self, number: int) -> int:
        if not 0 <= number < len(self.teams):
            raise Fault("there is no team of this number")
        return number

    def next_player(self) -> Seat:
        return self.queue if self.queue >= 0 else (self.cur + 1) % self.program.players

    def shuffle(self, slot: int) -> None:
        pile = self.go(self.piles[slot])
        self.draws += 1
        self.order(slot, self.shuffler.shuffled(f"shuffle/{self.draws}", pile))

    def interleave(self, slot: int, other: int) -> None:
        """The cards of `other` go between those of the first pile, whose bottom card is first."""
        if slot == other:
            raise Fault("a pile cannot be interleaved with itself")
        for number, card in enumerate(self.each(self.piles[other])):
            at = 2 * number + 1
            self.move(card, slot, at if at < len(self.piles[slot]) else TOP)

    def slot(self, key: PileKey, owner: int) -> int:
        """The slot of a pile whose name or index was worked out; it is made if it is new."""
        base = self.program.storage.bases.get(key)
        if base is not None:
            return base + owner
        known = self.slots.get((key, owner))
        if known is not None:
            return known
        if key.number < 0:
            raise Fault("a location has no negative index")
        return self.add_pile(key, owner)

    def indexed(self, holder: Holder, place: Place, name: str, owner: int) -> list[int]:
        """The slots of that name by index, those that hold something."""
        found = [
            (pile.key.number, slot)
            for slot, pile in enumerate(self.go(self.places))
            if pile.key[:3] == (holder, place, name) and pile.owner == owner and self.piles[slot]
        ]
        return [slot for _, slot in sorted(found)]

    def value(self, key: ValueKey, owner: int) -> Any:
        """A value whose name was worked out."""
        base = self.program.value_slots.get(key)
        if base is not None:
            return self.values[base + owner]
        return self.more.get((key, owner), self.program.nothing[key.store])

    # How stages go round.

    def enter(self) -> None:
        self.frames.append((self.cur, self.queue, self.team, 0))
        self.queue = NOTHING_QUEUED

    def enter_team(self) -> None:
        self.frames.append((self.cur, self.queue, self.team, 0))

    def leave(self) -> None:
        self.cur, self.queue, _, _ = self.frames.pop()

    def leave_team(self) -> None:
        _, _, self.team, _ = self.frames.pop()

    def advance(self) -> None:
        """The turn passes to the queued player, or else to the next."""
        if self.queue >= 0:
            self.cur, self.queue = self.queue, NOTHING_QUEUED
        else:
            self.cur = (self.cur + 1) % self.program.players

    def advance_team(self) -> None:
        self.team = (self.team + 1) % len(self.teams)

    def turns(self) -> int:
        """Count a turn of this stage; how many there have been."""
        cur, queue, team, turns = self.frames[-1]
        self.frames[-1] = cur, queue, team, turns + 1
        return turns + 1
