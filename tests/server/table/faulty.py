"""Games whose rules fail in the middle of a match, each in its own way."""

from dataclasses import replace

from engine import Choices, Outcome, Setup, Step
from engine.errors import IllegalAction
from engine.facts import Seat, public
from tests.server.table.both_at_once import BothAtOnce, State

STOPPED = public(
    "game_stopped", {"reason": "there is nothing to choose from", "line": 3, "column": 7}
)


class Stops(BothAtOnce):
    """Says that it cannot go on after the first round, and would score it anyway."""

    info = replace(BothAtOnce.info, id="stops")

    def apply(self, state: State, seat: Seat, action: str) -> Step[State]:
        step = super().apply(state, seat, action)
        return Step(step.state, (*step.facts, STOPPED)) if step.state.rounds else step


class StopsAtOnce(BothAtOnce):
    """Says so when it has dealt."""

    info = replace(BothAtOnce.info, id="stops_at_once")

    def start(self, setup: Setup) -> Step[State]:
        step = super().start(setup)
        return Step(step.state, (*step.facts, STOPPED))


class RefusesAll(BothAtOnce):
    """Offers moves that it then calls illegal."""

    info = replace(BothAtOnce.info, id="refuses_all")

    def apply(self, state: State, seat: Seat, action: str) -> Step[State]:
        raise IllegalAction(f"{action!r} is not allowed")


class CannotAsk(BothAtOnce):
    """Cannot say who is asked once a card has been laid."""

    info = replace(BothAtOnce.info, id="cannot_ask")

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if any(state.laid):
            raise RecursionError("QS asks 2C asks QS")
        return super().to_act(state)


class CannotDealQuickly(BothAtOnce):
    """Fails at dealing with one of its options."""

    info = replace(BothAtOnce.info, id="cannot_deal_quickly")

    def start(self, setup: Setup) -> Step[State]:
        if setup.options["speed"] == "quick":
            raise MemoryError
        return super().start(setup)


class NeverScores(BothAtOnce):
    """Asks nobody when it is over, and has no outcome."""

    info = replace(BothAtOnce.info, id="never_scores")

    def outcome(self, state: State) -> Outcome | None:
        return None


class Breaks(BothAtOnce):
    """Offers a move that it cannot make."""

    info = replace(BothAtOnce.info, id="breaks")

    def apply(self, state: State, seat: Seat, action: str) -> Step[State]:
        raise ZeroDivisionError("no such card as QS")


class WonByDealing(BothAtOnce):
    """Is over as soon as it has dealt, as a described game may be."""

    info = replace(BothAtOnce.info, id="won_by_dealing")

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return ()

    def choices(self, state: State, seat: Seat) -> Choices:
        return Choices()

    def outcome(self, state: State) -> Outcome | None:
        return Outcome((1, 0), (1, 2))


FAULTY = (
    Stops(),
    StopsAtOnce(),
    NeverScores(),
    Breaks(),
    RefusesAll(),
    CannotAsk(),
    CannotDealQuickly(),
    WonByDealing(),
)
