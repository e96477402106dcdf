"""Hearts with one leak or fault each, with which the suite must fail."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from engine.cards import card_texts
from engine.choices import Action, Choices
from engine.errors import IllegalAction
from engine.facts import EVERYONE, Fact, Seat, Viewer
from engine.game import Setup, Step
from engine.games.hearts import BLACK_QUEEN, PASSED, Hearts, State
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
from tests.conformance.common_faults import ForgetsFacts, retold
from tests.conformance.faults import Faults
from tests.games.hearts.subject import subject


class OpenPasses(Hearts):
    """Leak: passed cards lie face up, consistently in facts and views."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        facts = (
            fact._replace(audience=EVERYONE)
            for fact in step.facts
            if fact.verb not in ("choice_made", "cards_passed")
        )
        return Step(step.state, tuple(facts))

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        if not (state.shift and state.passing):
            return view
        aside = {f"passing/{seat}": Zone(card_texts(c)) for seat, c in enumerate(state.passed)}
        return replace(view, zones={**view.zones, **aside})


class Whisper(Hearts):
    """Leak: the fact that a player has chosen counts the hearts among the three cards."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        hearts = action.count("H") if action.startswith("pass") else 0
        facts = (
            retold(fact, args={**fact.args, "hearts": hearts})
            if fact.verb == "choice_made"
            else fact
            for fact in step.facts
        )
        return Step(step.state, tuple(facts))


class LoudExchange(Hearts):
    """Leak: a player who neither gives nor receives learns which cards were passed."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        given = [card_texts(cards) for cards in step.state.passed]
        facts = (
            retold(fact, args={**fact.args, "cards": " ".join(given[int(str(fact.args["seat"]))])})
            if fact.verb == "cards_passed"
            else fact
            for fact in step.facts
        )
        return Step(step.state, tuple(facts))


class Impatient(Hearts):
    """Leak: a player yet to choose has fewer choices once their giver has passed the queen."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        if choices.picks and BLACK_QUEEN in state.passed[(seat - state.shift) % 4]:
            (pick,) = choices.picks
            return Choices(picks=(replace(pick, cards=pick.cards[:PASSED]),))
        return choices


class ChattyRefusal(Hearts):
    """Leak: the refusal of a pass says who has passed the queen of spades."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        try:
            return super().apply(state, seat, action)
        except IllegalAction as error:
            holders = [at for at, cards in enumerate(state.passed) if BLACK_QUEEN in cards]
            raise IllegalAction(f"{error}; mind {holders}") from None


class ShownHand(Hearts):
    """Leak: the giver sees the whole hand of the receiver."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        if viewer < 0 or not state.shift or state.passing:
            return view
        at = (viewer + state.shift) % 4
        shown = {f"hand/{at}": Zone(card_texts(state.hands[at]))}
        return replace(view, zones={**view.zones, **shown})


class Sluggard(Hearts):
    """Fault: the last player to choose can never act."""

    def to_act(self, state: State) -> tuple[Seat, ...]:
        asked = super().to_act(state)
        return () if state.passing and len(asked) == 1 else asked


class Pickpocket(Hearts):
    """Fault: a card of a taken trick gets lost."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        taken = tuple(pile[:-1] if len(pile) == 4 else pile for pile in step.state.taken)
        return Step(step.state._replace(taken=taken), step.facts)


class Gambler(Hearts):
    """Fault: the direction of passing is drawn from a random source outside the seed."""

    def __init__(self) -> None:
        self._die = Random(1)

    def start(self, setup: Setup) -> Step[State]:
        state = super().start(setup).state
        return self.begin(state._replace(shift=self._die.choice((1, 2, 3)), leader=-1))


class Soft(Hearts):
    """Fault: cards may be passed in any order, although only hand order is offered."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        verb, *cards = action.split(" ")
        hand = card_texts(state.hands[seat])
        if verb == "pass" and set(cards) <= set(hand):
            action = " ".join((verb, *sorted(set(cards), key=hand.index)))
        return super().apply(state, seat, action)


class Unsorted(Hearts):
    """Fault: received cards are not sorted in, although the view shows them so."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        facts = (
            retold(fact, changes=fact.changes[:1]) if fact.verb == "cards_received" else fact
            for fact in step.facts
        )
        return Step(step.state, tuple(facts))


class ForgetsGifts(ForgetsFacts, Hearts):
    """Fault: samples forget what the viewer has passed."""

    forgotten = ("cards_given",)


class ForgetsPlay(ForgetsFacts, Hearts):
    """Fault: samples forget who did not follow, and what the first trick has shown."""

    forgotten = ("card_played",)


class ForgetsLead(Hearts):
    """Fault: samples ignore who holds the two of clubs."""

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        kept = [f for f in facts if f.verb not in ("play_begun", "deal_laid")]
        return super().sample(view, kept, rng)


FAULTS = Faults(
    subject,
    leaky=(OpenPasses, Whisper, LoudExchange, Impatient, ChattyRefusal, ShownHand),
    faulty=(
        (check_play_ends, Sluggard),
        (check_conserved, Pickpocket),
        (check_replay, Gambler),
        (check_offered, Soft),
        (check_folds, Unsorted),
        (check_sights, OpenPasses),
        (check_sights, ShownHand),
        (check_sample, ForgetsGifts),
        (check_sample, ForgetsPlay),
        (check_sample, ForgetsLead),
    ),
    # So many that something is seen of the few moves in which cards are passed.
    matches=60,
)
