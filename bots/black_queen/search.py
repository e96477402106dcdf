"""Strength 3: every card tried in worlds that may be the real one, each played to its end.

The unseen cards are dealt at random where they may lie, every move is played in each such world,
and a quick careful player (`careful`) plays all seats from there on. The moves race on common
worlds (docs/bots/black_queen.md).
"""

from random import Random

from bots.black_queen.knowledge import Knowledge, known_to
from bots.black_queen.lay_out import source_of
from bots.black_queen.worlds import Worlds
from bots.bot import Budget, Candidate, Decision, Position
from bots.ranges import Amount
from bots.search.budget import Purse
from bots.search.racing import Race

_TWO_TRICKS = Knowledge(
    seat=0,
    hand=(0, 1),
    hands=(2, 2),
    columns=((), ()),
    lacks=(frozenset(), frozenset()),
    cost=(0, 0),
    kept=(0, 0),
    leader=0,
    trick=(),
    unseen=(2, 3),
)
"""About the smallest thing there is to think about."""


class Searcher:
    """Plays the move with the best mean − `risk` × standard deviation over the worlds.

    A value is this seat's score for the deal less the mean of the others'. Without `beliefs` only
    what is certain shapes the worlds, not what an opponent who plays with sense cannot hold.
    """

    in_place = False
    needs_facts = True

    def __init__(
        self,
        *,
        risk: Amount = 0.0,
        milliseconds: float = 50.0,
        worlds: int | None = None,
        beliefs: bool = True,
    ) -> None:
        self._risk = risk
        self._beliefs = beliefs
        self._usual = (
            Budget(milliseconds=milliseconds) if worlds is None else Budget(samples=worlds)
        )

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The winner of the race; a forced move is played without one."""
        actions = position.choices.actions
        purse = Purse(budget, self._usual, most=64)
        if len(actions) == 1:
            return Decision(actions[0])
        known = known_to(position.seat, position.view, position.facts)
        worlds = Worlds(known, rng, beliefs=self._beliefs)
        copies = [worlds.layout.own[source_of(action)] for action in actions]
        different = list(dict.fromkeys(copies))
        race = Race(len(different), risk=self._risk)
        while not race.settled and (samples := purse.take()):
            race.add(worlds.values([different[at] for at in race.running], samples))
        standing = dict(zip(different, race.standings(), strict=True))
        candidates = tuple(
            Candidate(action, standing[copy].worth, standing[copy].why())
            for action, copy in zip(actions, copies, strict=True)
        )
        return Decision(actions[copies.index(different[race.best])], candidates)

    def warm_up(self) -> None:
        """Load the kernels, or compile them if nobody has yet."""
        Worlds(_TWO_TRICKS, Random(0)).values([0, 4], 1)
