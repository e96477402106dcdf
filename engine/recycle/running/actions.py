"""The actions of a description (RECYCLE, "The language": actions), done to the state of a game.

What is impossible, or too much, is a `Fault`: the game then stops. Cards and piles are numbers
here, see `undoable_state`; the card -1 stands for no card, the place -1 (`TOP`) for a pile's top.
"""

from collections.abc import Sequence

from engine.facts import Seat
from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.running.operations import (
    CARDS,
    CYCLE,
    MARK,
    MOVE,
    ORDER,
    PASS,
    TEAMS,
    UNMARK,
    VALUE,
    WHY,
    Ops,
    Stored,
)
from engine.recycle.running.storage import Teams, ValueKey
from engine.recycle.running.undoable_state import CARDS_A_UNIT, UndoableState
from engine.recycle.running.work import WorkMeter

TOP = -1
"""As the place of a card that is put into a pile: on top of it."""


class Actions:
    """Changes `state` by logged operations, spending `work` where an action may take long."""

    __slots__ = ("state", "work")

    def __init__(self, state: UndoableState, work: WorkMeter) -> None:
        self.state = state
        self.work = work

    def done_since(self, mark: int) -> Ops:
        """The operations after the first `mark`; each costs a unit of work."""
        log = self.state.log
        self.work.spend(len(log) - mark)
        return tuple(log[mark:])

    # Cards

    def deal(self, source: int, target: int) -> None:
        """Move the top card of a pile to the top of another, as most moves do."""
        state = self.state
        pile = state.piles[source]
        if not pile:
            raise Fault("there is no card to move")
        card = pile.pop()
        there = state.piles[target]
        state.log.append((MOVE, card, source, len(pile), target, len(there)))
        there.append(card)
        state.where[card] = target

    def put(self, card: int, target: int) -> None:
        """Move a card from the pile in which it lies to the top of another."""
        if card < 0:
            raise Fault("there is no card to move")
        state = self.state
        source = state.where[card]
        pile = state.piles[source]
        place = pile.index(card)
        # What moves many cards goes through a list, and is stopped there.
        self.work.left -= place // CARDS_A_UNIT
        del pile[place]
        there = state.piles[target]
        state.log.append((MOVE, card, source, place, target, len(there)))
        there.append(card)
        state.where[card] = target

    def move(self, card: int, target: int, at: int) -> None:
        """Move a card to a place in a pile; places count as they are once the card is gone."""
        if card < 0:
            raise Fault("there is no card to move")
        state = self.state
        source = state.where[card]
        place = state.piles[source].index(card)
        self.work.spend(place // CARDS_A_UNIT)
        room = len(state.piles[target]) - (source == target)
        if not TOP <= at <= room or state.places[target].marks:
            raise Fault("there is no such place to move a card to")
        state.do((MOVE, card, source, place, target, room if at == TOP else at))

    def take(self, cards: list[int], place: int, target: int, at: int) -> None:
        """Move the card at `place` of a computed list, and remove it from the list."""
        if not -1 <= place < len(cards) or not cards:
            raise Fault("there is no card to move")
        self.move(cards.pop(place), target, at)

    def swap_cards(self, one: int, two: int) -> None:
        """Exchange the places of two cards."""
        if one < 0 or two < 0:
            raise Fault("there are no two cards to swap")
        where, piles = self.state.where, self.state.piles
        here, there = where[one], where[two]
        place, other = piles[here].index(one), piles[there].index(two)
        if here == there and other < place:
            one, two, place, other = two, one, other, place
        self.move(two, here, place)
        self.move(one, there, other)

    def swap_piles(self, one: int, two: int) -> None:
        """Exchange the cards of two piles, keeping their orders."""
        piles = self.state.piles
        self.work.spend(len(piles[one]) + len(piles[two]))
        first, second = tuple(piles[one]), tuple(piles[two])
        for card in first:
            self.move(card, two, TOP)
        for card in second:
            self.move(card, one, TOP)

    def order(self, slot: int, after: Sequence[int]) -> None:
        """Put the cards of a pile in another order, as a shuffle does."""
        self.state.do((ORDER, slot, tuple(self.state.piles[slot]), tuple(after)))

    def interleave(self, slot: int, other: int) -> None:
        """Move the cards of `other` between those of the first pile, whose bottom card is first.

        The rest of the longer pile ends on top. Source: RECYCLE, "Decisions", ``shuffle faro``.
        """
        if slot == other:
            raise Fault("a pile cannot be interleaved with itself")
        piles = self.state.piles
        for number, card in enumerate(self.work.copied(piles[other])):
            at = 2 * number + 1
            self.move(card, slot, at if at < len(piles[slot]) else TOP)

    def remember(self, card: int, target: int, at: int) -> None:
        """Put a mark of a card into a mem; the card stays where it is."""
        state = self.state
        room = len(state.piles[target])
        if card < 0:
            raise Fault("there is no card to remember")
        if not TOP <= at <= room or not state.places[target].marks:
            raise Fault("a card is remembered in a mem")
        self.work.spend(len(state.places) // CARDS_A_UNIT)
        # Mostly there are not even so many cards and marks together, which is quick to see.
        if sum(map(len, state.piles)) >= limits.MARKS and _marks(state) >= limits.MARKS:
            raise Fault(f"more than {limits.MARKS} cards are remembered")
        state.do((MARK, card, target, room if at == TOP else at))

    def forget(self, slot: int, place: int) -> None:
        """Take out the mark at a place of a mem; -1 is the top."""
        marks = self.state.piles[slot]
        if not self.state.places[slot].marks:
            raise Fault("what is forgotten lies in a mem")
        if not -1 <= place < len(marks) or not marks:
            raise Fault("there is no mark to forget")
        self.state.do((UNMARK, marks[place], slot, place % len(marks)))

    def forget_card(self, card: int) -> None:
        """Remove the first mark of the card, in whatever mem it lies."""
        state = self.state
        self.work.spend(len(state.places))
        for slot, pile in enumerate(state.places):
            if pile.marks and card in state.piles[slot]:
                self.forget(slot, state.piles[slot].index(card))
                return
        raise Fault("there is no mark for this card")

    def create_deck(self, kinds: Sequence[int], slot: int) -> None:
        """Make a card of each kind, on top of a pile; a `Fault` above `limits.CARDS` cards.

        Equal cards differ by a multiple of the number of kinds.
        """
        state = self.state
        if state.places[slot].marks:
            raise Fault("a mem holds no cards")
        lying, apart = state.where, len(state.components.decks.kinds)
        self.work.spend(len(kinds) + len(lying) // CARDS_A_UNIT)
        if sum(place >= 0 for place in lying) + len(kinds) > limits.CARDS:
            raise Fault(f"more than {limits.CARDS} cards")
        made: dict[int, None] = {}
        for kind in kinds:
            card = kind
            # A deck may name a value twice: then two of its cards are equal.
            while (card < len(lying) and lying[card] >= 0) or card in made:
                card += apart
            made[card] = None
        state.do((CARDS, tuple(made), slot))

    # Values

    def set(self, at: int, value: Stored) -> None:
        """Set the value of a slot; a `Fault` beyond `limits.NUMBER`."""
        if isinstance(value, int) and not -limits.NUMBER <= value <= limits.NUMBER:
            raise Fault("the number is too large")
        state = self.state
        state.log.append((VALUE, at, state.values[at], value))
        state.values[at] = value

    def set_named(self, key: ValueKey, owner: int, value: Stored) -> None:
        """Set a value by its computed name; a `Fault` beyond `limits.NUMBER`."""
        base = self.state.components.storage.values.get(key)
        if base is not None:
            self.set(base + owner, value)
            return
        before = self.state.more.get((key, owner))
        if isinstance(value, int) and not -limits.NUMBER <= value <= limits.NUMBER:
            raise Fault("the number is too large")
        self.state.do((VALUE, (key, owner), before, value))

    # Turns

    def cycle_next(self, seat: Seat) -> None:
        """Do ``(cycle next SEAT)``: the seat has the next turn of this stage."""
        turns = self.state.turns
        before = turns.current, turns.queued
        self.state.do((CYCLE, before, (turns.current, seat)))

    def cycle_current(self, seat: Seat) -> None:
        """Do ``(cycle current SEAT)``: the seat has the turn at once."""
        turns = self.state.turns
        before = turns.current, turns.queued
        self.state.do((CYCLE, before, (seat, turns.queued)))

    def turn_pass(self) -> None:
        """Do ``(turn pass)``: nothing happens, which counts as something done."""
        self.state.log.append((PASS,))

    def because(self, why: str) -> None:
        """Note what the next change of a number is for, in the description's words."""
        self.state.log.append((WHY, why))

    def create_teams(self, teams: Teams) -> None:
        """Replace the teams during the game."""
        self.state.do((TEAMS, self.state.teams, teams))


def _marks(state: UndoableState) -> int:
    """The number of marks of cards."""
    piles = zip(state.piles, state.places, strict=True)
    return sum(len(pile) for pile, place in piles if place.marks)
