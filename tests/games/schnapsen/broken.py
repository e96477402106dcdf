"""Schnapsen with one leak or fault each, with which the suite must fail."""

from dataclasses import replace

from engine import Choices, Seat, Step, View, Viewer, Zone
from engine.cards import suit_of
from engine.choices import Action
from engine.facts import EVERYONE, OPEN, SPECTATOR, addressed, only, private
from engine.games.schnapsen import Schnapsen, State, partner_of
from tests.conformance.checks import (
    check_folds,
    check_sample,
    check_sights,
)
from tests.conformance.common_faults import ForgetsFacts, retold
from tests.conformance.faults import Faults
from tests.games.schnapsen.subject import subject


class LoudTalon(Schnapsen):
    """Leak: a drawn card is named to everybody."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        facts = (
            fact._replace(audience=EVERYONE) if fact.verb == "card_drawn" else fact
            for fact in step.facts
            if fact.verb != "back_drawn"
        )
        return Step(step.state, tuple(facts))


class MarkedTalon(Schnapsen):
    """Leak: the order of the moves tells whether the next card of the talon is a trump."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        if state.talon and suit_of(state.talon[0]) == state.trump:
            return Choices(choices.actions[::-1])
        return choices


class Blusher(Schnapsen):
    """Leak: leading a king without announcing reveals whether the player could have."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        led = step.state.trick
        if len(led) != 1 or not action.startswith("play"):
            return step
        could = partner_of(led[0]) in state.hands[seat]
        told = retold(step.facts[-1], args={**step.facts[-1].args, "could": could})
        return Step(step.state, (*step.facts[:-1], told))


class CloseWatcher(Schnapsen):
    """Leak: a player who closes learns whether the other has the jack of trumps."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        if action != "close":
            return step
        has = state.trump * 13 + 9 in state.hands[1 - seat]
        return Step(step.state, (*step.facts, private(seat, "whisper", {"jack": has})))


class Discreet(Schnapsen):
    """Fault: the view forgets which cards of a hand were shown."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        backs = {
            f"hand/{seat}": Zone(backs=len(hand))
            for seat, hand in enumerate(state.hands)
            if viewer not in (seat, OPEN)
        }
        return replace(view, zones={**view.zones, **backs})


class Forgetful(ForgetsFacts, Schnapsen):
    """Fault: samples forget what a hand has shown to lack."""

    forgotten = ("card_played",)


class Shouting(Schnapsen):
    """Leak: spectators are told the first card of the talon."""

    def begin(self, state: State) -> Step[State]:
        step = super().begin(state)
        told = addressed(only(SPECTATOR), "omen", {"card": state.talon[0]})
        return Step(step.state, (*step.facts, told))


FAULTS = Faults(
    subject,
    leaky=(LoudTalon, MarkedTalon, Blusher, CloseWatcher, Shouting),
    faulty=(
        (check_folds, LoudTalon),
        (check_folds, Discreet),
        (check_sights, Discreet),
        (check_sample, Forgetful),
    ),
)
