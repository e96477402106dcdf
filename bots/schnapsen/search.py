"""Strength 3: every move judged in worlds that agree with what the seat knows.

Without a talon to draw from every hand is solved. With one, worlds are drawn as long as the budget
allows, played on by the learned policy and only then solved (`by_rules` may solve some at once).
Moves race on common worlds: a move that cannot be best any more is dropped, and the last one is
played. Moves that the chance of winning cannot tell apart are ranked by score
(bots/schnapsen/README.md).
"""

from collections.abc import Sequence
from random import Random
from typing import Annotated

from bots.bot import Budget, Decision, Position
from bots.schnapsen.knowledge import NOTHING, Knowledge, read_position
from bots.schnapsen.plan_race import PlanRace
from bots.schnapsen.plans import Plan, plans_of
from bots.schnapsen.playout_mix import SOLVE_ALL, PlayoutMix
from bots.schnapsen.solver_memory import TALON
from bots.schnapsen.targets import Side
from bots.spec import Range
from engine.choices import Action
from engine.games.schnapsen import ENOUGH

EVERY = 30_240
"""Where all are solved, so many are tried rather than drawn: those at the lead of trick 3."""

PLAYOUT_SHARE = 1.0
"""The share of worlds that is played out as long as cards can be drawn."""
OWN_TEMPERATURE, OTHERS_TEMPERATURE = 0.5, 1.5
"""The policy's temperature for the seat and for the other player."""

_LAST_DRAW = Knowledge(
    trump=0,
    hand=1 << 5 | 1 << 10,
    shown=0,
    unseen=(6, 11, 15),
    missing=2,
    barred=0,
    stage=TALON - 2,
    turned=4,
    led=NOTHING,
    seat=Side(),
    other=Side(),
    closed=None,
)
"""About the smallest thing there is to think about: two cards each, and two to be drawn."""


class Searcher:
    """Plays the move that loses least often (`aim` losing) or has the best expected score.

    Settings: `milliseconds` or `worlds` a move; `every`: where all worlds are solved, up to so many
    are tried one by one; `by_rules`, `own_heat` and `others_heat` are the numbers of a
    `PlayoutMix`. Source: Schnapsen document, "Basic Idea" and "Bayesian Estimates".
    """

    in_place = False
    needs_facts = True

    def __init__(
        self,
        *,
        aim: str = "losing",
        milliseconds: float = 200.0,
        worlds: int | None = None,
        every: Annotated[int, Range(0)] = EVERY,
        by_rules: float = PLAYOUT_SHARE,
        own_heat: float = OWN_TEMPERATURE,
        others_heat: float = OTHERS_TEMPERATURE,
    ) -> None:
        if aim not in ("losing", "score"):
            raise ValueError(f"setting aim: {aim!r} must be losing or score")
        if worlds is not None and worlds < 1:
            raise ValueError(f"setting worlds: {worlds} must be at least 1")
        self._by_score = aim == "score"
        self._every = every
        self._mix = PlayoutMix(by_rules, own_heat, others_heat)
        self._usual = (
            Budget(milliseconds=milliseconds) if worlds is None else Budget(samples=worlds)
        )

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The first move of the best plan; where there is one plan only, without a search."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0])
        known = read_position(position)
        plans = plans_of(known, actions)
        if claim := claimed(known, actions):
            return Decision(claim)
        if len(plans) == 1:
            return Decision(plans[0].action)
        race = PlanRace(
            known,
            plans,
            position.options,
            self._usual if budget == Budget() else budget,
            rng,
            by_score=self._by_score,
            every=self._every,
            mix=self._mix,
        )
        race.run()
        return race.decision(actions)

    def warm_up(self) -> None:
        """Load the kernels, or compile them if nobody has yet."""
        plans = [
            Plan("play", exchange=False, close=close, card=card)
            for close in (False, True)
            for card in (5, 10)
        ]
        for every, by_score, mix in ((0, False, self._mix), (EVERY, True, SOLVE_ALL)):
            PlanRace(
                _LAST_DRAW,
                plans,
                {"min_talon": 2, "freeze": True},
                Budget(samples=1),
                Random(0),
                by_score=by_score,
                every=every,
                mix=mix,
            ).run()


def strength_2(*, aim: str = "losing", worlds: int = 10) -> Searcher:
    """The bot of strength 2: a searcher that uses only a few worlds."""
    return Searcher(aim=aim, worlds=worlds)


def claimed(known: Knowledge, actions: Sequence[Action]) -> Action | None:
    """If players claim: ``claim`` when it is right, ``pass`` when it must be, else None."""
    if "claim" in actions and known.seat.has_trick and known.seat.points >= ENOUGH:
        return "claim"
    return "pass" if "pass" in actions else None
