"""Games whose rules fail in the middle of a match, each in its own way."""

from dataclasses import replace

from engine import Choices, Fact, Outcome, Setup, Step
from engine.facts import Seat
from tests.server.table.both_at_once import BothAtOnce, State

STOPPED = Fact(
    "game_stopped", {"reason": "there is nothing to choose from", "line": 3, "column": 7}
)


class Stops(BothAtOnce):
    """Says that it cannot go on after the first round, and would score it all the same."""

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


FAULTY = (Stops(), StopsAtOnce(), NeverScores(), Breaks(), WonByDealing())
