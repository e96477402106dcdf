"""Black Queen with one leak each.

They exist so that the suite, and any test of what a server sends, can be seen to fail.
"""

from dataclasses import replace

from engine.cards import card_text, card_texts
from engine.choices import Action, Choices, Pick
from engine.errors import IllegalAction
from engine.facts import (
    EVERYONE,
    OPEN,
    SPECTATOR,
    Seat,
    Show,
    Viewer,
    only,
    private,
    public,
)
from engine.game import Step
from engine.games.black_queen import BLACK_QUEEN, EMPTY, BlackQueen, State
from engine.phrases import Phrase
from engine.views import View, Zone
from tests.conformance.common_faults import retold


class OpenHand(BlackQueen):
    """Leak: the view shows each seat its left neighbour's hand."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        if viewer < 0:
            return view
        left = (viewer + 1) % state.setup.seats
        shown = {f"hand/{left}": Zone(card_texts(state.hands[left]))}
        return replace(view, zones={**view.zones, **shown})


class LoudDealer(BlackQueen):
    """Leak: the fact that names the cards of a hand is addressed to everybody."""

    def begin(self, state: State) -> Step[State]:
        step = super().begin(state)
        return Step(step.state, tuple(fact._replace(audience=EVERYONE) for fact in step.facts))


class Peeker(BlackQueen):
    """Leak: each owner sees the card under their first column, consistently in facts and view."""

    def begin(self, state: State) -> Step[State]:
        step = super().begin(state)
        peeks = (
            private(seat, "peeked", {}, (Show(f"column/{seat}/1", (card_text(row[0]),)),))
            for seat, row in enumerate(state.down)
            if row
        )
        return Step(step.state, (*step.facts, *peeks))

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        name = f"column/{viewer}/1"
        if viewer < 0 or name not in view.zones or state.down[viewer][0] == EMPTY:
            return view
        under = card_text(state.down[viewer][0])
        return replace(view, zones={**view.zones, name: Zone((*view.zones[name].cards, under))})


class TellingChoices(BlackQueen):
    """Leak: the order of the moves tells whether the left neighbour holds a queen of spades."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        if BLACK_QUEEN in state.hands[(seat + 1) % state.setup.seats]:
            return Choices(choices.actions[::-1])
        return choices


class HelpfulChoices(BlackQueen):
    """Leak: only one move is offered if the left neighbour holds a queen of spades."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        if BLACK_QUEEN in state.hands[(seat + 1) % state.setup.seats]:
            return Choices(choices.actions[:1])
        return choices


class SortedColumns(BlackQueen):
    """Leak: the zones of a view are ordered by the face-down cards."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        columns = [
            (under, f"column/{seat}/{place}")
            for seat, row in enumerate(state.down)
            for place, under in enumerate(row, start=1)
        ]
        order = [name for _, name in sorted(columns)]
        rest = [name for name in view.zones if name not in order]
        return replace(view, zones={name: view.zones[name] for name in (*rest, *order)})


class ChattyError(BlackQueen):
    """Leak: the error for a refused move says who holds a queen of spades."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        try:
            return super().apply(state, seat, action)
        except IllegalAction as error:
            holders = [seat for seat, hand in enumerate(state.hands) if BLACK_QUEEN in hand]
            raise IllegalAction(f"{error}; mind the queens of {holders}") from None


class ChattyPhrase(BlackQueen):
    """Leak: the phrase of a refusal, but not its text, says who holds a queen of spades."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        try:
            return super().apply(state, seat, action)
        except IllegalAction as error:
            holder = next((s for s, hand in enumerate(state.hands) if BLACK_QUEEN in hand), None)
            raise IllegalAction(str(error), Phrase("not_in_hand", {"holder": holder})) from None


class CountingFact(BlackQueen):
    """Leak: the fact of a played card counts the hearts that its player has left."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        hearts = sum(card_text(card)[1] == "H" for card in step.state.hands[seat])
        told, *rest = step.facts
        return Step(step.state, (retold(told, args={**told.args, "hearts": hearts}), *rest))


class Prophet(BlackQueen):
    """Leak: the deal's facts name the first card of the next deal."""

    def begin(self, state: State) -> Step[State]:
        step = super().begin(state)
        shuffler = state.setup.shuffler
        next_deal = shuffler.of_deal(shuffler.deal + 1).shuffled("deal", range(52))
        return Step(step.state, (*step.facts, public("omen", {"card": card_text(next_deal[0])})))


class OpenStands(BlackQueen):
    """Leak: spectators see the hand of seat 0."""

    def begin(self, state: State) -> Step[State]:
        step = super().begin(state)
        spectators = only(SPECTATOR)
        facts = [
            # Of the two facts about this hand, spectators get the one that was for its owner.
            fact._replace(audience=fact.audience ^ spectators)
            if fact.verb == "hand_dealt" and fact.args["seat"] == 0
            else fact
            for fact in step.facts
        ]
        return Step(step.state, tuple(facts))

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        if viewer != SPECTATOR:
            return view
        return replace(view, zones={**view.zones, "hand/0": Zone(card_texts(state.hands[0]))})


class Borrower(BlackQueen):
    """Leak: the player to move may also pick from the left neighbour's hand."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        hand = super().view(state, OPEN).cards("hand", (seat + 1) % state.setup.seats)
        return Choices(choices.actions, (Pick("swap", hand, 1, 1),) if choices and hand else ())


LEAKY: tuple[type[BlackQueen], ...] = (
    OpenHand,
    LoudDealer,
    Peeker,
    TellingChoices,
    HelpfulChoices,
    SortedColumns,
    ChattyError,
    ChattyPhrase,
    CountingFact,
    Prophet,
    OpenStands,
)
