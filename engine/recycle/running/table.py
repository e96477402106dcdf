"""All that a description can do to the cards and values of a game in play."""

from collections.abc import Sequence

from engine.facts import Seat
from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.running.logged import Logged
from engine.recycle.running.operations import (
    CARDS,
    CYCLE,
    MARK,
    MOVE,
    PASS,
    TEAMS,
    UNMARK,
    VALUE,
    Stored,
)
from engine.recycle.running.points import Awards, PointTable, updated
from engine.recycle.running.storage import Teams, ValueKey

TOP = -1
_FAR = 16
"""So many cards are looked at in the time of one unit of work."""


class Table(Logged):
    __slots__ = ()

    # Cards.

    def deal(self, source: int, target: int) -> None:
        """From the top of a pile to the top of another, which is what most moves are."""
        pile = self.piles[source]
        if not pile:
            raise Fault("there is no card to move")
        card = pile.pop()
        there = self.piles[target]
        self.log.append((MOVE, card, source, len(pile), target, len(there)))
        there.append(card)
        self.where[card] = target

    def put(self, card: int, target: int) -> None:
        """From wherever it lies to the top of a pile."""
        if card < 0:
            raise Fault("there is no card to move")
        source = self.where[card]
        pile = self.piles[source]
        place = pile.index(card)
        # Whoever moves many cards goes through a list, and is stopped there.
        self.work -= place // _FAR
        del pile[place]
        there = self.piles[target]
        self.log.append((MOVE, card, source, place, target, len(there)))
        there.append(card)
        self.where[card] = target

    def move(self, card: int, target: int, at: int) -> None:
        """To a place in a pile, counted as it is when the card has been taken up."""
        if card < 0:
            raise Fault("there is no card to move")
        source = self.where[card]
        place = self.piles[source].index(card)
        self.spend(place // _FAR)
        room = len(self.piles[target]) - (source == target)
        if not TOP <= at <= room or self.places[target].marks:
            raise Fault("there is no such place to move a card to")
        self._do((MOVE, card, source, place, target, room if at == TOP else at))

    def take(self, cards: list[int], place: int, target: int, at: int) -> None:
        """Move the card at `place` of a list that was worked out, which then has it no more."""
        if not -1 <= place < len(cards) or not cards:
            raise Fault("there is no card to move")
        self.move(cards.pop(place), target, at)

    def swap_cards(self, one: int, two: int) -> None:
        if one < 0 or two < 0:
            raise Fault("there are no two cards to swap")
        here, there = self.where[one], self.where[two]
        place, other = self.piles[here].index(one), self.piles[there].index(two)
        if here == there and other < place:
            one, two, place, other = two, one, other, place
        self.move(two, here, place)
        self.move(one, there, other)

    def swap_piles(self, one: int, two: int) -> None:
        self.spend(len(self.piles[one]) + len(self.piles[two]))
        first, second = tuple(self.piles[one]), tuple(self.piles[two])
        for card in first:
            self.move(card, two, TOP)
        for card in second:
            self.move(card, one, TOP)

    def remember(self, card: int, target: int, at: int) -> None:
        room = len(self.piles[target])
        if card < 0:
            raise Fault("there is no card to remember")
        if not TOP <= at <= room or not self.places[target].marks:
            raise Fault("a card is remembered in a mem")
        self.spend(len(self.places) // _FAR)
        marks = (len(pile) for pile, of in zip(self.piles, self.places, strict=True) if of.marks)
        if sum(marks) >= limits.MARKS:
            raise Fault(f"more than {limits.MARKS} cards are remembered")
        self._do((MARK, card, target, room if at == TOP else at))

    def forget(self, slot: int, place: int) -> None:
        """Take out the mark at a place of a mem; -1 is the top."""
        marks = self.piles[slot]
        if not self.places[slot].marks:
            raise Fault("what is forgotten lies in a mem")
        if not -1 <= place < len(marks) or not marks:
            raise Fault("there is no mark to forget")
        self._do((UNMARK, marks[place], slot, place % len(marks)))

    def forget_card(self, card: int) -> None:
        """Take out the first mark for the card."""
        self.spend(len(self.places))
        for slot, pile in enumerate(self.places):
            if pile.marks and card in self.piles[slot]:
                self.forget(slot, self.piles[slot].index(card))
                return
        raise Fault("there is no mark for this card")

    def create_deck(self, kinds: Sequence[int], slot: int) -> None:
        """A card of each kind, on top of a pile. Equal cards are `Program.kinds` apart."""
        if self.places[slot].marks:
            raise Fault("a mem holds no cards")
        lying, apart = self.where, len(self.program.decks.kinds)
        self.spend(len(kinds) + len(lying) // _FAR)
        if sum(place >= 0 for place in lying) + len(kinds) > limits.CARDS:
            raise Fault(f"more than {limits.CARDS} cards")
        made: dict[int, None] = {}
        for kind in kinds:
            card = kind
            # A deck may name a value twice: then two of its cards are equal.
            while (card < len(lying) and lying[card] >= 0) or card in made:
                card += apart
            made[card] = None
        self._do((CARDS, tuple(made), slot))

    def counts(self) -> tuple[int, ...]:
        """How many cards there are of each kind."""
        counts = [0] * len(self.program.decks.kinds)
        for card, slot in enumerate(self.where):
            counts[self.program.decks.kind(card)] += slot >= 0
        return tuple(counts)

    # Values.

    def set(self, at: int, value: Stored) -> None:
        if isinstance(value, int) and not -limits.NUMBER <= value <= limits.NUMBER:
            raise Fault("the number is too large")
        self.log.append((VALUE, at, self.values[at], value))
        self.values[at] = value

    def set_named(self, key: ValueKey, owner: int, value: Stored) -> None:
        """Set a value whose name was worked out."""
        base = self.program.value_slots.get(key)
        if base is not None:
            self.set(base + owner, value)
            return
        before = self.more.get((key, owner))
        if isinstance(value, int) and not -limits.NUMBER <= value <= limits.NUMBER:
            raise Fault("the number is too large")
        self._do((VALUE, (key, owner), before, value))

    def awards(self, awards: Awards) -> PointTable:
        table = self.program.points(awards)
        if len(awards) > limits.AWARDS:
            raise Fault(f"more than {limits.AWARDS} awards in a point map")
        if not table:
            # Nobody has used it yet: its first use works out what each card is worth.
            self.spend(len(awards) * len(self.where) // _FAR)
        return table

    def more_awards(self, table: PointTable, awards: Awards) -> PointTable:
        self.spend(len(table.awards))
        return self.awards(updated(table.awards, awards))

    # Turns.

    def cycle_next(self, seat: Seat) -> None:
        self._do((CYCLE, (self.cur, self.queue), (self.cur, seat)))

    def cycle_current(self, seat: Seat) -> None:
        self._do((CYCLE, (self.cur, self.queue), (seat, self.queue)))

    def turn_pass(self) -> None:
        self.log.append((PASS,))

    def create_teams(self, teams: Teams) -> None:
        self._do((TEAMS, self.teams, teams))
