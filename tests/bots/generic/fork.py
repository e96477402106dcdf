"""A game in which the best move against chance is the worst against a player."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import IllegalAction
from engine.facts import Fact, Seat, Viewer
from engine.game import GameInfo, Option, Outcome, Setup, Step
from engine.shuffle import Shuffler
from engine.views import View

REPLIES = {"bold": ("miss", "hit", "stray"), "safe": ("wait",)}


@dataclass(frozen=True, slots=True)
class Forked:
    """The choice of seat 0, then the answer of seat 1; `shut` leaves seat 0 only one choice."""

    setup: Setup
    moves: tuple[Action, ...] = ()
    shut: bool = False


class Fork:
    """A game in which seat 0 is safe (second of three) or bold (first, unless seat 1 hits)."""

    info = GameInfo(id="fork", version=1, title="Fork", seats=(3,), usual_seats=3)

    def options(self, seats: int) -> tuple[Option, ...]:
        return ()

    def start(self, setup: Setup) -> Step[Forked]:
        return Step(Forked(setup))

    def to_act(self, state: Forked) -> tuple[Seat, ...]:
        return (len(state.moves),) if len(state.moves) < 2 else ()

    def choices(self, state: Forked, seat: Seat) -> Choices:
        if (seat,) != self.to_act(state):
            return NO_CHOICES
        if seat == 0:
            return Choices(("safe",) if state.shut else ("bold", "safe"))
        return Choices(REPLIES[state.moves[0]])

    def apply(self, state: Forked, seat: Seat, action: Action) -> Step[Forked]:
        if not self.choices(state, seat).allows(action):
            raise IllegalAction(action)
        return Step(replace(state, moves=(*state.moves, action)))

    def view(self, state: Forked, viewer: Viewer) -> View:
        return View({}, {"moves": " ".join(state.moves)})

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> Forked:
        """Half of the samples leave seat 0 no choice, as a rule about unseen cards might."""
        setup = Setup(3, {}, shuffler=_UNUSED)
        moves = tuple(str(view.values["moves"]).split())
        return Forked(setup, moves, shut=rng.randrange(2) == 0)

    def outcome(self, state: Forked) -> Outcome | None:
        match state.moves:
            case "bold", "hit":
                return Outcome((0, 2, 1), (3, 1, 2))
            case "bold", _:
                return Outcome((9, 0, 1), (1, 3, 2))
            case "safe", _:
                return Outcome((4, 3, 5), (2, 3, 1))
        return None


_UNUSED = Shuffler(bytes(32))
