"""Strength 3: every card is tried in possible worlds, each played to its end.

The unseen cards are dealt at random where they may lie, every move is played in each such world,
and a quick careful player (`careful`) plays all seats from there on. The moves race on common
worlds, and strength 2's values count like a few further worlds: with few worlds they tell more than
the worlds do (bots/black_queen/README.md).
"""

from collections.abc import Mapping, Sequence
from random import Random

from bots.black_queen.careful import WEIGHTS, careful_move
from bots.black_queen.knowledge import Knowledge, known_to
from bots.black_queen.lay_out import lay_out, source_of
from bots.black_queen.player import strength_2
from bots.black_queen.worlds import Worlds
from bots.bot import Budget, Candidate, Decision, Position
from bots.search.budget import Batches
from bots.search.racing import Race, Standing
from bots.spec import Amount

LEAST = 48
"""Worlds played whatever the clock says: a busy machine must not take the strength."""
TRUST = 16
"""Strength 2's value of a move counts like so many worlds: (6.8 / 1.7)².

6.8 points is how far the worlds of one move scatter about its lead over the others; 1.7 how far
that lead is from `SCALE` times the one that strength 2 sees (562 moments of 40 deals, 4 seats).
"""
SCALE = 0.65
"""Points of a deal for each point of strength 2's worst case."""

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

    Strength 2's values are added, with less weight the more worlds there are. A value is this
    seat's score for the deal less the mean of the others'. Without `beliefs` the worlds respect
    only what is certain, not what an opponent who plays sensibly cannot hold.
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
        batches = Batches(budget, self._usual, most=64, least=LEAST)
        if len(actions) == 1:
            return Decision(actions[0])
        known = known_to(position.seat, position.view, position.facts)
        worlds = Worlds(known, rng, beliefs=self._beliefs)
        copies = [worlds.layout.own[source_of(action)] for action in actions]
        different = list(dict.fromkeys(copies))
        race = Race(len(different), risk=self._risk, thorough=batches.thorough)
        while not race.settled and (samples := batches.take()):
            race.add(worlds.values([different[at] for at in race.running], samples))
        thought = dict(zip(reversed(copies), reversed(_plainly(position)), strict=True))
        # Where the hands lie open, the worlds tell all.
        trust = 0 if any(known.shown) else TRUST
        judged = _judged(race.standings(), [thought[copy] for copy in different], trust)
        best = max(race.running, key=lambda at: judged[at][0])
        told = dict(zip(different, judged, strict=True))
        candidates = tuple(
            Candidate(action, *told[copy]) for action, copy in zip(actions, copies, strict=True)
        )
        return Decision(actions[copies.index(different[best])], candidates, measure="lead")

    def warm_up(self) -> None:
        """Load the kernels, or compile them if nobody has yet."""
        Worlds(_TWO_TRICKS, Random(0)).values([0, 4], 1)


class CarefulPlayer:
    """Plays the card of `careful_move`: strength 3 without its search, for comparison."""

    in_place = False
    needs_facts = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The careful player's card: a function of the position alone."""
        layout = lay_out(known_to(position.seat, position.view, position.facts))
        chosen = careful_move(layout.deal, WEIGHTS)
        actions = position.choices.actions
        return Decision(next(each for each in actions if layout.own[source_of(each)] == chosen))


def _plainly(position: Position) -> list[float]:
    """Strength 2's value of each choice, in points of a deal."""
    candidates = strength_2().choose(position, Budget(), Random(0)).candidates
    return [SCALE * candidate.value for candidate in candidates]


def _judged(
    standings: Sequence[Standing], thought: Sequence[float], trust: int
) -> list[tuple[float, Mapping[str, float]]]:
    """The value of each candidate with its reasons, the worlds' mean and a prior.

    Strength 2 knows how far one move is ahead of another, not the deal's expected score; so its
    mean is shifted to that of the worlds.
    """
    level = sum(each.worth for each in standings) / len(standings) - sum(thought) / len(thought)
    judged: list[tuple[float, Mapping[str, float]]] = []
    for standing, opinion in zip(standings, thought, strict=True):
        prior = (level + opinion - standing.worth) * trust / (trust + standing.worlds)
        judged.append((standing.worth + prior, {**standing.why(), "prior": prior}))
    return judged
