"""What compiled expressions ask of a running game, beyond reading its piles and values."""

from collections.abc import Mapping, Sequence

from engine.facts import Seat
from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.running.points import Awards, PointTable, updated
from engine.recycle.running.storage import Holder, Place
from engine.recycle.running.undoable_state import CARDS_A_UNIT, UndoableState
from engine.recycle.running.work import WorkMeter
from engine.shuffle import Shuffler


class Evaluator:
    """Evaluates expressions over `state`, spending `work`.

    Chance comes from `shuffler`; `draws` counts what was drawn, so that each draw is another one.
    """

    __slots__ = ("draws", "shuffler", "state", "work")

    def __init__(self, state: UndoableState, work: WorkMeter, shuffler: Shuffler) -> None:
        self.state = state
        self.work = work
        self.shuffler = shuffler
        self.draws = 0

    # Chance

    def below(self, n: int) -> int:
        """A random number from 0 to ``n - 1``, each as likely."""
        self.draws += 1
        return self.shuffler.below(f"draw/{self.draws}", n)

    def random(self, low: int, high: int) -> int:
        """``(random low .. high)``: both ends included; a `Fault` without 1 to 2^32 numbers."""
        if not 0 <= high - low < 1 << 32:
            raise Fault(f"there is no random number from {low} to {high}")
        return low + self.below(high - low + 1)

    def shuffled(self, slot: int) -> tuple[int, ...]:
        """The cards of a pile in random order; the pile itself stays as it is."""
        pile = self.work.charge(self.state.piles[slot])
        self.draws += 1
        return self.shuffler.shuffled(f"shuffle/{self.draws}", pile)

    # Points

    def extreme(self, cards: Sequence[int], points: Mapping[int, int], sign: int) -> int:
        """The card with most points (`sign` 1) or fewest (-1); a `Fault` if there are no cards.

        One of several is drawn, each as likely. Source: RECYCLE, "Decisions".
        """
        if not cards:
            raise Fault("there are no cards to take the best of")
        scores = list(map(points.__getitem__, self.work.charge(cards)))
        best = max(scores) if sign > 0 else min(scores)
        if scores.count(best) == 1:
            return cards[scores.index(best)]
        tied = [card for card, score in zip(cards, scores, strict=True) if score == best]
        return self.one_of(tied)

    def one_of(self, cards: Sequence[int]) -> int:
        """One of `cards`, each as likely."""
        return cards[self.below(len(cards))]

    def extreme_score(self, cards: Sequence[int], points: Mapping[int, int], sign: int) -> int:
        """The points of the card that `extreme` would give, without a random draw."""
        if not cards:
            raise Fault("there are no cards to take the best of")
        scores = map(points.__getitem__, self.work.charge(cards))
        return max(scores) if sign > 0 else min(scores)

    def score_of(self, card: int, points: Mapping[int, int]) -> int:
        """The points of a card; a `Fault` if it is -1, which stands for no card."""
        if card < 0:
            raise Fault("there is no card to score")
        return points[card]

    def awards(self, awards: Awards) -> PointTable:
        """The point map with the given awards; a `Fault` above `limits.AWARDS` of them."""
        if len(awards) > limits.AWARDS:
            raise Fault(f"more than {limits.AWARDS} awards in a point map")
        # What each card is worth is worked out once for all games of the process, but at its limit
        # a game must stop where its replay does: each pays, whoever was first.
        self.work.spend(len(awards) * len(self.state.where) // CARDS_A_UNIT)
        return self.state.components.points(awards)

    def more_awards(self, table: PointTable, awards: Awards) -> PointTable:
        """The point map `table` with `awards` added, as ``update`` does (RECYCLE, "Decisions")."""
        self.work.spend(len(table.awards))
        return self.awards(updated(table.awards, awards))

    # Players, teams, piles

    def owner(self, card: int) -> Seat:
        """The player in one of whose piles the card lies; a `Fault` if it lies on the table."""
        if card < 0:
            raise Fault("there is no card whose owner could be asked for")
        seat = self.state.places[self.state.where[card]].seat
        if seat < 0:
            raise Fault("the card belongs to no player")
        return seat

    def player(self, number: int) -> Seat:
        """The seat of this number, from 0; a `Fault` if there is none."""
        if not 0 <= number < self.state.components.players:
            raise Fault("there is no player of this number")
        return number

    def team(self, number: int) -> int:
        """The team of this number, from 0; a `Fault` if there is none."""
        if not 0 <= number < len(self.state.teams):
            raise Fault("there is no team of this number")
        return number

    def indexed(self, holder: Holder, place: Place, name: str, owner: int) -> list[int]:
        """The slots of the piles of that name by their index, without empty piles."""
        state = self.state
        found = [
            (pile.key.number, slot)
            for slot, pile in enumerate(self.work.charge(state.places))
            if pile.key[:3] == (holder, place, name) and pile.owner == owner and state.piles[slot]
        ]
        return [slot for _, slot in sorted(found)]

    def indexed_in(self, row: int) -> list[int]:
        """The slots of the piles in a row by their index, without empty piles.

        The work is that of looking through all piles: games are stopped where they always were.
        """
        state = self.state
        self.work.charge(state.places)
        piles, slots = state.piles, state.rows[row]
        return [slots[number] for number in sorted(slots) if piles[slots[number]]]
