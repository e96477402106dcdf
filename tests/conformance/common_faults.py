"""Deliberate faults that several games share: mixins, which come before the game in the bases."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from engine.cards import suit_of
from engine.choices import Action
from engine.facts import AddressedFact, Fact, Seat, Viewer
from engine.game import Step
from engine.views import View

# In each of them the next class in order is a game whose states the mixin does not know: `Any`.


def retold(fact: AddressedFact, **changes: Any) -> AddressedFact:
    """A fact for the seats of `fact`, with other fields."""
    return fact._replace(fact=replace(fact.fact, **changes))


def played_under(
    apply: Callable[[Any, Seat, Action], Step[Any]],
    state: Any,
    seat: Seat,
    action: Action,
    **options: bool,
) -> Step[Any]:
    """The step of `apply` under other options."""
    lax = replace(state.setup, options={**state.setup.options, **options})
    step = apply(state._replace(setup=lax), seat, action)
    return Step(step.state._replace(setup=state.setup), step.facts)


class ForgetsFacts:
    """Fault: samples forget the facts with the verbs in `forgotten`, or all if there are none."""

    forgotten: ClassVar[Collection[str]] = ()

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> Any:
        game: Any = super()
        kept = [fact for fact in facts if self.forgotten and fact.verb not in self.forgotten]
        return game.sample(view, kept, rng)


class MoreTricks:
    """Fault: every player has one trick more than they took, in facts and views alike."""

    def view(self, state: Any, viewer: Viewer) -> View:
        game: Any = super()
        view: View = game.view(state, viewer)
        more = {f"tricks/{seat}": state.tricks(seat) + 1 for seat in range(state.setup.seats)}
        return replace(view, values={**view.values, **more})


class SilentBids:
    """Fault: bids are told in words, but not in the changes that clients fold."""

    def apply(self, state: Any, seat: Seat, action: Action) -> Step[Any]:
        game: Any = super()
        step: Step[Any] = game.apply(state, seat, action)
        facts = tuple(
            retold(fact, changes=fact.changes[1:]) if fact.verb == "bid_made" else fact
            for fact in step.facts
        )
        return Step(step.state, facts)


class TellingBids:
    """Leak: a bid is told together with the number of trumps in the bidder's hand."""

    def apply(self, state: Any, seat: Seat, action: Action) -> Step[Any]:
        game: Any = super()
        step: Step[Any] = game.apply(state, seat, action)
        told, *rest = step.facts
        if told.verb not in ("bid_made", "nil_bid"):
            return step
        trumps = sum(suit_of(card) == self.trump(state) for card in state.hands[seat])
        return Step(step.state, (retold(told, args={**told.args, "trumps": trumps}), *rest))

    def trump(self, state: Any) -> int:
        """The suit of trumps."""
        raise NotImplementedError


class NoLastTrick:
    """Fault: nobody can lead to the last trick of a deal."""

    def to_act(self, state: Any) -> tuple[Seat, ...]:
        game: Any = super()
        last = not state.bidding and len(state.hands[state.leader]) == 1 and not state.trick
        return () if last else game.to_act(state)
