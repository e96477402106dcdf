"""A match: deals of one game, one after the other, with the running total.

A match is a `Game` itself. The state of the deal in play is `MatchState.deal`; when a deal ends,
the same step scores it and starts the next one or ends the match.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Generic, TypeVar

from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import NotYourTurn
from engine.facts import Fact, Seat, Set, Value, Viewer
from engine.game import Dealt, GameInfo, MatchGame, Option, Outcome, Setup, Step, ranked
from engine.views import View

S = TypeVar("S", bound=Dealt)


@dataclass(frozen=True, slots=True)
class MatchState(Generic[S]):
    """`played` holds the scores of the deals that are over, by seat."""

    setup: Setup
    deal: S
    number: int
    totals: tuple[int, ...]
    played: tuple[tuple[int, ...], ...] = ()
    over: bool = False


class Match(Generic[S]):
    def __init__(self, game: MatchGame[S]) -> None:
        self.game = game

    @property
    def info(self) -> GameInfo:
        return self.game.info

    def options(self, seats: int) -> tuple[Option, ...]:
        return self.game.options(seats)

    def start(self, setup: Setup) -> Step[MatchState[S]]:
        return self._deal(setup, 0, (0,) * setup.seats, ())

    def to_act(self, state: MatchState[S]) -> tuple[Seat, ...]:
        return () if state.over else self.game.to_act(state.deal)

    def choices(self, state: MatchState[S], seat: Seat) -> Choices:
        return NO_CHOICES if state.over else self.game.choices(state.deal, seat)

    def apply(self, state: MatchState[S], seat: Seat, action: Action) -> Step[MatchState[S]]:
        if state.over:
            raise NotYourTurn("the match is over")
        step = self.game.apply(state.deal, seat, action)
        outcome = self.game.outcome(step.state)
        if outcome is None:
            return Step(replace(state, deal=step.state), step.facts)
        scored = self._score(replace(state, deal=step.state), outcome)
        return Step(scored.state, step.facts + scored.facts)

    def view(self, state: MatchState[S], viewer: Viewer) -> View:
        view = self.game.view(state.deal, viewer)
        values: dict[str, Value] = dict(view.values)
        values["deal"] = state.number + 1
        values |= {f"total/{seat}": total for seat, total in enumerate(state.totals)}
        return View(view.zones, values)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> MatchState[S]:
        deal = self.game.sample(view, facts, rng)
        totals = [value for key, value in sorted(view.values.items()) if key.startswith("total/")]
        number = int(str(view.values["deal"])) - 1
        return MatchState(deal.setup, deal, number, tuple(int(str(total)) for total in totals))

    def outcome(self, state: MatchState[S]) -> Outcome | None:
        return ranked(state.totals, self.info.aim) if state.over else None

    def _deal(
        self,
        setup: Setup,
        number: int,
        totals: tuple[int, ...],
        played: tuple[tuple[int, ...], ...],
    ) -> Step[MatchState[S]]:
        step = self.game.start(replace(setup, shuffler=setup.shuffler.of_deal(number)))
        begun = Fact("deal_started", {"deal": number + 1}, (Set("deal", number + 1), *_set(totals)))
        return Step(MatchState(setup, step.state, number, totals, played), (begun, *step.facts))

    def _score(self, state: MatchState[S], outcome: Outcome) -> Step[MatchState[S]]:
        totals = tuple(a + b for a, b in zip(state.totals, outcome.scores, strict=True))
        played = (*state.played, outcome.scores)
        args: dict[str, Value] = {"deal": state.number + 1}
        args |= {"scores": outcome.scores, "totals": totals}
        scored = Fact("deal_scored", args, _set(totals))
        if not self.game.match_over(state.setup.options, totals, len(played)):
            step = self._deal(state.setup, state.number + 1, totals, played)
            return Step(step.state, (scored, *step.facts))
        over = replace(state, totals=totals, played=played, over=True)
        ranks = ranked(totals, self.info.aim).ranks
        ended = Fact("match_ended", {"totals": totals, "ranks": ranks})
        return Step(over, (scored, ended))


def _set(totals: tuple[int, ...]) -> tuple[Set, ...]:
    return tuple(Set(f"total/{seat}", total) for seat, total in enumerate(totals))
