"""Spades with one leak or fault each, with which the suite must fail."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from engine.cards import SPADES, card_text, card_texts, parse_cards
from engine.choices import Action, Choices
from engine.errors import IllegalAction
from engine.facts import Fact, Seat, Viewer
from engine.game import Setup, Step
from engine.games.spades import Spades, State
from engine.views import View, Zone
from tests.conformance.checks import (
    check_conserved,
    check_folds,
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
    retold,
)
from tests.conformance.faults import Faults
from tests.games.spades.subject import subject

_QUEEN, _ACE = parse_cards("QS AS")


class OpenPartner(Spades):
    """Leak: a player sees their partner's hand after the bids."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        if viewer < 0 or state.bidding:
            return view
        partner = (viewer + 2) % 4
        shown = {f"hand/{partner}": Zone(card_texts(state.hands[partner]))}
        return replace(view, zones={**view.zones, **shown})


class Peeker(Spades):
    """Leak: a player who may bid nil blind has seen the cards."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        if viewer < 0 or state.looked[viewer]:
            return view
        own = {f"hand/{viewer}": Zone(card_texts(state.hands[viewer]))}
        return replace(view, zones={**view.zones, **own})


class TellingBid(TellingBids, Spades):
    """Leak: a bid is told with the number of spades in the bidder's hand."""

    def trump(self, state: State) -> int:
        return SPADES


class LoudLook(Spades):
    """Leak: a player who looks at their cards shows everybody the first one."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        card = card_text(state.hands[seat][0]) if state.hands[seat] else ""
        facts = (
            retold(fact, args={**fact.args, "card": card})
            if state.bidding and fact.verb == "hand_dealt"
            else fact
            for fact in step.facts
        )
        return Step(step.state, tuple(facts))


class KindOffers(Spades):
    """Leak: nil is offered only if the left neighbour does not hold the ace of spades."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        if "bid 0" in choices.actions and _ACE in state.hands[(seat + 1) % 4]:
            return Choices(choices.actions[1:])
        return choices


class HintingRefusal(Spades):
    """Leak: the refusal of a card says who holds the queen of spades."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        try:
            return super().apply(state, seat, action)
        except IllegalAction as error:
            holders = [at for at, cards in enumerate(state.hands) if _QUEEN in cards]
            raise IllegalAction(f"{error}; mind {holders}") from None


class Unbroken(Spades):
    """Fault: spades may be led at any time, although that is not offered."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return played_under(super().apply, state, seat, action, breaking=False)


class Braggart(MoreTricks, Spades):
    """Fault: every team has a trick more than it took."""


class Mumbler(SilentBids, Spades):
    """Fault: bids are told only in words, not in values."""


class ForgetsVoids(ForgetsFacts, Spades):
    """Fault: samples forget who has not followed suit."""


class ForgetsLooks(Spades):
    """Fault: samples assume that everybody has seen their cards."""

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        return super().sample(view, facts, rng)._replace(looked=(True,) * 4)


class Endless(NoLastTrick, Spades):
    """Fault: a deal does not end."""


class Drawn(Spades):
    """Fault: the dealer is drawn from a random source outside the seed."""

    def __init__(self) -> None:
        self._die = Random(1)

    def start(self, setup: Setup) -> Step[State]:
        state = super().start(setup).state
        dealer = self._die.randrange(4)
        return self.begin(state._replace(dealer=dealer, leader=(dealer + 1) % 4))


FAULTS = Faults(
    subject,
    leaky=(OpenPartner, Peeker, TellingBid, LoudLook, KindOffers, HintingRefusal),
    faulty=(
        (check_play_ends, Endless),
        (check_conserved, Braggart),
        (check_replay, Drawn),
        (check_offered, Unbroken),
        (check_offered, KindOffers),
        (check_folds, Mumbler),
        (check_sights, OpenPartner),
        (check_sights, Peeker),
        (check_sample, ForgetsVoids),
        (check_sample, ForgetsLooks),
    ),
)
