"""Black Queen with one fault each that breaks a promise of the suite other than secrecy."""

from dataclasses import replace
from random import Random

from engine.choices import Action
from engine.facts import Seat
from engine.game import Setup, Step
from engine.games.black_queen import BlackQueen, State
from engine.games.trick_games import PLAY
from tests.conformance.checks import (
    check_conserved,
    check_folds,
    check_offered,
    check_play_ends,
    check_replay,
    check_sample,
    check_sights,
    check_spectator,
)
from tests.conformance.common_faults import ForgetsFacts
from tests.conformance.faults import Faults
from tests.conformance.narrowing import check_parts
from tests.games.black_queen.leaky import (
    LEAKY,
    HelpfulChoices,
    LoudDealer,
    OpenHand,
    OpenStands,
    Peeker,
)
from tests.games.black_queen.subject import subject


class Staller(BlackQueen):
    """Fault: nobody may act any more once somebody has taken three tricks."""

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if max(map(len, state.taken)) >= 3 * state.setup.seats:
            return ()
        return super().to_act(state)


class Pickpocket(BlackQueen):
    """Fault: a card of each taken trick gets lost, consistently in facts and views."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        taken = tuple(pile[:-1] if len(pile) > 6 else pile for pile in step.state.taken)
        return Step(step.state._replace(taken=taken), step.facts)


class Gambler(BlackQueen):
    """Fault: the first leader is drawn from a random source outside the seed."""

    def __init__(self) -> None:
        self._die = Random(1)

    def start(self, setup: Setup) -> Step[State]:
        state = super().start(setup).state
        return self.begin(state._replace(leader=self._die.randrange(setup.seats)))


class Forgetful(ForgetsFacts, BlackQueen):
    """Fault: samples forget who has not followed suit."""


class AllFromHand(BlackQueen):
    """Fault: the form of an action says that a card on a column leaves the hand."""

    info = replace(BlackQueen.info, moves=(PLAY,))


FAULTS = Faults(
    subject,
    leaky=LEAKY,
    faulty=(
        (check_play_ends, Staller),
        (check_conserved, Pickpocket),
        (check_replay, Gambler),
        (check_offered, HelpfulChoices),
        (check_folds, OpenHand),
        (check_folds, LoudDealer),
        (check_sights, OpenHand),
        (check_sights, Peeker),
        (check_spectator, OpenStands),
        (check_sample, Forgetful),
        (check_parts, AllFromHand),
    ),
)
