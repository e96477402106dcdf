"""Whist with one leak or fault each, with which the suite must fail."""

from dataclasses import replace
from random import Random

from engine.cards import card_text, card_texts, suit_of
from engine.choices import Action, Choices
from engine.facts import Seat, Viewer, public
from engine.game import Setup, Step
from engine.games.whist import State, Whist
from engine.games.whist.view import LAYOUT
from engine.views import View, Zone
from tests.conformance.checks import (
    check_conserved,
    check_folds,
    check_layout,
    check_offered,
    check_play_ends,
    check_replay,
    check_sample,
    check_sights,
)
from tests.conformance.common_faults import (
    ForgetsFacts,
    MoreTricks,
    NoLastTrick,
    SilentBids,
    TellingBids,
    played_under,
)
from tests.conformance.faults import Faults
from tests.games.whist.subject import subject


class SeenStock(Whist):
    """Leak: the dealer sees the cards that are left over."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        if viewer != state.dealer:
            return view
        return replace(view, zones={**view.zones, "deck": Zone(card_texts(state.stock))})


class Omen(Whist):
    """Leak: a fact names the card below the one turned up."""

    def begin(self, state: State) -> Step[State]:
        step = super().begin(state)
        if not state.stock:
            return step
        return Step(step.state, (*step.facts, public("omen", {"card": card_text(state.stock[0])})))


class LooseTongue(TellingBids, Whist):
    """Leak: the fact of a bid includes the trumps in the bidder's hand."""

    def trump(self, state: State) -> int:
        return state.trump


class WiseBids(Whist):
    """Leak: a player before one with trumps is not offered the highest bid."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        left = state.hands[(seat + 1) % state.setup.seats]
        if state.bidding and any(suit_of(card) == state.trump for card in left):
            # Where the hook leaves one bid alone, even this game offers it.
            return Choices(choices.actions[:-1] or choices.actions)
        return choices


class SoftHook(Whist):
    """Fault: the dealer may make the bids add up, although that is not offered."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return played_under(super().apply, state, seat, action, hook=False)


class Braggart(MoreTricks, Whist):
    """Fault: every player has a trick more than they took."""


class Mumbler(SilentBids, Whist):
    """Fault: bids are told only in words, not in values."""


class Unplaced(Whist):
    """Fault: no zone shows where the turned-up card lies."""

    info = replace(Whist.info, layout=replace(LAYOUT, zones=LAYOUT.zones[2:]))


class Forgetful(ForgetsFacts, Whist):
    """Fault: samples forget who has not followed suit."""


class Endless(NoLastTrick, Whist):
    """Fault: a deal does not end."""


class Drawn(Whist):
    """Fault: the dealer is drawn from a random source outside the seed."""

    def __init__(self) -> None:
        self._die = Random(1)

    def start(self, setup: Setup) -> Step[State]:
        state = super().start(setup).state
        dealer = self._die.randrange(setup.seats)
        return self.begin(state._replace(dealer=dealer, leader=(dealer + 1) % setup.seats))


FAULTS = Faults(
    subject,
    leaky=(SeenStock, Omen, LooseTongue, WiseBids),
    faulty=(
        (check_play_ends, Endless),
        (check_conserved, Braggart),
        (check_replay, Drawn),
        (check_offered, SoftHook),
        (check_offered, WiseBids),
        (check_folds, Mumbler),
        (check_layout, Unplaced),
        (check_sights, SeenStock),
        (check_sample, Forgetful),
    ),
)
