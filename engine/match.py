"""A match: deals of one game, one after the other, with the running total.

A match is a `Game` itself. The state of the deal in play is `MatchState.deal`; when a deal ends,
the same step scores it and starts the next one or ends the match. To the view of a deal a match
adds its number, the totals and the options, so that a view alone tells what is being played.

Of a game that wants it (`GameInfo.sheet`) a match also keeps a score sheet in the view: under
``sheet/bid/3``, say, everybody's bid in deal 3, and under ``sheet/score/3`` what that deal scored.
Where the view of a deal has teams (`engine.teams`), the match adds the total of each team. These
totals are set when a deal begins and when it is scored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Generic, NamedTuple, TypeVar

from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import NotYourTurn
from engine.facts import OPEN, SPECTATOR, Fact, Seat, Set, Value, Viewer, public
from engine.game import (
    Dealt,
    GameInfo,
    MatchGame,
    Option,
    Options,
    Outcome,
    Setup,
    Step,
    complete_options,
    ranked,
)
from engine.teams import TEAM_TOTAL, team_totals
from engine.views import View

_OPTION = "option/"
_SHEET = "sheet/"
S = TypeVar("S", bound=Dealt)


class MatchState(NamedTuple, Generic[S]):
    """`played` holds the scores of the deals that are over, by seat; a sample knows none.

    `sheet` holds what a view shows of these deals, and the totals of teams.

    A named tuple, because one is made for each move of every game. No field has a default, so that
    none can be forgotten where all are named.
    """

    setup: Setup
    deal: S
    number: int
    totals: tuple[int, ...]
    played: tuple[tuple[int, ...], ...]
    over: bool
    sheet: Mapping[str, Value]

    def with_deal(self, deal: S) -> "MatchState[S]":
        """A copy with another state of the deal."""
        # At every move: `_replace` takes twice as long. All but the second field are copied.
        return MatchState._make((self[0], deal, *self[2:]))


class Match(Generic[S]):
    """A game of matches: deals of `game` until its `match_over` says so.

    Its methods are those of `Game`, which documents them.
    """

    def __init__(self, game: MatchGame[S]) -> None:
        self.game = game

    @property
    def info(self) -> GameInfo:
        """The info of the game whose deals are played."""
        return self.game.info

    def options(self, seats: int) -> tuple[Option, ...]:
        """The options of the game whose deals are played."""
        return self.game.options(seats)

    def start(self, setup: Setup) -> Step[MatchState[S]]:
        """Start the deal of the shuffler's number: the first one, or a later one on entering there.

        Options that `setup` leaves out have their defaults.
        """
        options = complete_options(self, setup.seats, setup.options)
        setup, number = replace(setup, options=options), setup.shuffler.deal
        return self._deal(setup, number, (0,) * setup.seats, (), {})

    def cycle(self, options: Options, seats: int) -> int:
        """The number of deals after which the conditions of a deal recur (`GameInfo.cycle`)."""
        if self.info.cycle is not None:
            return self.info.cycle
        nothing = (0,) * seats
        return next(n for n in count(1) if self.game.match_over(options, nothing, n))

    def to_act(self, state: MatchState[S]) -> tuple[Seat, ...]:
        """The seats asked in the deal in play; none once the match is over."""
        return () if state.over else self.game.to_act(state.deal)

    def choices(self, state: MatchState[S], seat: Seat) -> Choices:
        """The choices of `seat` in the deal in play; none once the match is over."""
        return NO_CHOICES if state.over else self.game.choices(state.deal, seat)

    def apply(self, state: MatchState[S], seat: Seat, action: Action) -> Step[MatchState[S]]:
        """The step of the deal in play; when that ends, also its score and what follows it."""
        if state.over:
            raise NotYourTurn("the match is over")
        step = self.game.apply(state.deal, seat, action)
        after = state.with_deal(step.state)
        outcome = self.game.outcome(step.state)
        if outcome is None:
            return Step(after, step.facts)
        scored = self._score(after, outcome)
        return Step(scored.state, step.facts + scored.facts)

    def view(self, state: MatchState[S], viewer: Viewer) -> View:
        """The view of the deal in play, with its number, the totals, the options and the sheet."""
        view = self.game.view(state.deal, viewer)
        values = dict(view.values)
        values |= _deal_values(state.number, state.setup, state.totals, state.sheet)
        return View(view.zones, values)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> MatchState[S]:
        """A match that agrees with the view and can be played on; later deals are drawn anew."""
        deal = self.game.sample(view, facts, rng)
        setup = replace(deal.setup, options=options_of(view))
        totals = tuple(view.number(_total(seat)) for seat in range(setup.seats))
        over = self.game.outcome(deal) is not None
        kept = (_SHEET, TEAM_TOTAL)
        sheet = {key: value for key, value in view.values.items() if key.startswith(kept)}
        number = view.number("deal") - 1
        return MatchState(setup, deal, number, totals, played=(), over=over, sheet=sheet)

    def outcome(self, state: MatchState[S]) -> Outcome | None:
        """The totals with their ranks once the match is over, else None."""
        return ranked(state.totals, self.info.aim) if state.over else None

    def _deal(
        self,
        setup: Setup,
        number: int,
        totals: tuple[int, ...],
        played: tuple[tuple[int, ...], ...],
        sheet: Mapping[str, Value],
        before: Mapping[str, Value] | None = None,
    ) -> Step[MatchState[S]]:
        """The first step of a deal; `before` are the values that the last deal leaves behind."""
        shuffler = setup.shuffler.of_deal(number)
        step = self.game.start(replace(setup, shuffler=shuffler, totals=totals))
        dealt = self.game.view(step.state, OPEN).values
        gone = set(before or ()) - dealt.keys()
        sheet, parted = _with_teams(sheet, dealt, totals)
        values = _deal_values(number, setup, totals, sheet)
        cleared = tuple(Set(key, None) for key in sorted(gone | parted))
        begun = public("deal_started", {"deal": number + 1}, (*cleared, *_set(values)))
        if before is not None:
            begun = begun.held()
        state = MatchState(setup, step.state, number, totals, played, over=False, sheet=sheet)
        return Step(state, (begun, *step.facts))

    def _score(self, state: MatchState[S], outcome: Outcome) -> Step[MatchState[S]]:
        totals = tuple(a + b for a, b in zip(state.totals, outcome.scores, strict=True))
        played = (*state.played, outcome.scores)
        args: dict[str, Value] = {"deal": state.number + 1}
        args |= {"scores": outcome.scores, "totals": totals}
        row = self._row(state, outcome)
        before = self.game.view(state.deal, OPEN).values
        sheet, parted = _with_teams({**state.sheet, **row}, before, totals)
        changed = _totals(totals) | row | team_totals(before, totals)
        changed |= dict.fromkeys(sorted(parted))
        scored = public("deal_scored", args, _set(changed))
        if not self.game.match_over(state.setup.options, totals, state.number + 1):
            step = self._deal(state.setup, state.number + 1, totals, played, sheet, before)
            return Step(step.state, (scored, *step.facts))
        over = state._replace(totals=totals, played=played, over=True, sheet=sheet)
        ranks = ranked(totals, self.info.aim).ranks
        ended = public("match_ended", {"totals": totals, "ranks": ranks})
        return Step(over, (scored, ended))

    def _row(self, state: MatchState[S], outcome: Outcome) -> dict[str, Value]:
        """The score sheet's row for a deal that is over, each value by seat."""
        if not self.info.sheet:
            return {}
        view = self.game.view(state.deal, SPECTATOR)
        seats = range(state.setup.seats)
        row = {
            name: tuple(view.number(f"{name}/{seat}") for seat in seats) for name in self.info.sheet
        }
        row["score"] = outcome.scores
        return {f"{_SHEET}{name}/{state.number + 1}": kept for name, kept in row.items()}


def _deal_values(
    number: int, setup: Setup, totals: tuple[int, ...], sheet: Mapping[str, Value]
) -> dict[str, Value]:
    options = {_OPTION + name: value for name, value in setup.options.items()}
    return {"deal": number + 1, **options, **_totals(totals), **sheet}


def _with_teams(
    sheet: Mapping[str, Value], values: Mapping[str, Value], totals: tuple[int, ...]
) -> tuple[dict[str, Value], set[str]]:
    """`sheet` with the totals of the teams in `values`, and the keys that it loses."""
    kept = {key: value for key, value in sheet.items() if not key.startswith(TEAM_TOTAL)}
    after = kept | team_totals(values, totals)
    return after, sheet.keys() - after.keys()


def options_of(view: View) -> Options:
    """The options of the match that `view` shows; none for a single deal."""
    return {
        key.removeprefix(_OPTION): value
        for key, value in view.values.items()
        if key.startswith(_OPTION) and isinstance(value, int | str)
    }


def _totals(totals: tuple[int, ...]) -> dict[str, Value]:
    return {_total(seat): total for seat, total in enumerate(totals)}


def _total(seat: Seat) -> str:
    return f"total/{seat}"


def _set(values: dict[str, Value]) -> tuple[Set, ...]:
    return tuple(Set(key, value) for key, value in values.items())
