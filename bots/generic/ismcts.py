"""A tree search over what a seat knows, for any game: ISMCTS with one observer.

Every simulation deals the hidden cards afresh and walks one tree whose nodes are the moves made
so far; at each node only the moves that this deal allows are on offer. A move that is rarely
possible is not thought bad for that: it is compared by how often it could have been chosen.
(Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012.)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

from bots.bot import Budget, Candidate, Decision, Position
from bots.generic.moves import listed
from bots.generic.worlds import Determinizer, determinizer_of, estimate, single_deal_game
from bots.search.budget import Batches
from bots.spec import Amount
from engine.catalogue import AnyGame
from engine.choices import Action, Choices
from engine.facts import Seat
from engine.game import Outcome


@dataclass(slots=True)
class Node:
    """The results of a move by `seat`; `possible` counts how often the move was available.

    `score` and `squares` are the sums of the scores and of their squares, for moves at the root.
    """

    seat: Seat
    visits: int = 0
    possible: int = 0
    total: float = 0.0
    score: float = 0.0
    squares: float = 0.0
    children: dict[tuple[Seat, Action], "Node"] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """The mean reward per visit, from 0 to 1; 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0

    def why(self) -> dict[str, float]:
        """The numbers for `Candidate.why`: the visits, and the mean score with its error."""
        if not self.visits:
            return {"visits": 0}
        score = self.score / self.visits
        numbers = {"visits": self.visits, "score": score}
        if self.visits > 1:
            spread = max(self.squares / self.visits - score * score, 0.0)
            numbers["score_deviation"] = sqrt(spread / (self.visits - 1))
        return numbers


class TreeSearcher:
    """A tree searcher with `simulations` a move, `exploration` as in UCB, `most` moves of a pick.

    Every player in the tree plays for their own rank.
    """

    in_place = False
    needs_facts = True

    def __init__(
        self, game: AnyGame, simulations: int = 400, exploration: Amount = 0.7, most: int = 24
    ) -> None:
        if simulations < 1 or most < 1:
            raise ValueError("simulations and most are numbers from 1")
        self._deal = single_deal_game(game)
        self._usual = Budget(samples=simulations)
        self._exploration = exploration
        self._most = most

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The most visited move; its value is the mean of its rewards, from 0 to 1."""
        *_, last = self.improving(position, budget, rng)
        return last()

    def improving(
        self, position: Position, budget: Budget, rng: Random
    ) -> Iterator[Callable[[], Decision]]:
        """The decision after each batch of simulations."""
        actions = listed(position.choices, rng, self._most)
        if len(actions) == 1:
            yield lambda: Decision(actions[0])
            return
        root = Node(position.seat)
        root.children = {(root.seat, action): Node(root.seat) for action in actions}
        determinize = determinizer_of(self._deal, position.view, position.facts)
        batches = Batches(budget, self._usual, first=8, most=64)
        while batch := batches.take():
            for _ in range(batch):
                self._simulate(root, determinize, rng)
            yield lambda: _most_visited(root)

    def _simulate(self, root: Node, determinize: Determinizer, rng: Random) -> None:
        """Descend the tree, add a node, play on at random, and update the nodes with the result."""
        world = determinize(rng)
        path, node, grown = [root], root, False
        while not grown and (asked := world.to_act()):
            # At the root it is the searcher's turn, though others may be asked at the same time.
            seat = root.seat if node is root else asked[0]
            offered = self._offered(node, seat, world.choices(seat), node is root, rng)
            if not offered:
                break
            action, grown = self._select(node, seat, offered, rng)
            world.play(seat, action)
            node = node.children[seat, action]
            path.append(node)
        _learn(path, world.finish(rng))

    def _offered(
        self, node: Node, seat: Seat, choices: Choices, at_root: bool, rng: Random
    ) -> tuple[Action, ...]:
        """The moves to choose from here: of a large pick the few it was given first.

        At the root the position has said what is legal; a determinization can only leave some out.
        """
        known = tuple(
            action for who, action in node.children if who == seat and choices.allows(action)
        )
        if at_root or (choices.picks and known):
            return known
        return listed(choices, rng, self._most)

    def _select(
        self, node: Node, seat: Seat, offered: tuple[Action, ...], rng: Random
    ) -> tuple[Action, bool]:
        """A move, and whether it was tried here for the first time."""
        children = {
            action: node.children.setdefault((seat, action), Node(seat)) for action in offered
        }
        for child in children.values():
            child.possible += 1
        fresh = [action for action, child in children.items() if not child.visits]
        if fresh:
            return fresh[rng.randrange(len(fresh))], True
        return max(offered, key=lambda action: self._promise(children[action])), False

    def _promise(self, child: Node) -> float:
        return child.mean + self._exploration * sqrt(log(child.possible) / child.visits)


def _most_visited(root: Node) -> Decision:
    candidates = tuple(
        Candidate(action, node.mean, node.why()) for (_, action), node in root.children.items()
    )
    best = max(candidates, key=lambda each: (each.why["visits"], each.value))
    return Decision(best.action, candidates, by="visits", measure="rank")


def _learn(path: list[Node], outcome: Outcome) -> None:
    seats = len(outcome.ranks)
    for node in path:
        node.visits += 1
        node.total += estimate(outcome.ranks[node.seat], seats)
    for node in path[1:2]:
        score = outcome.scores[node.seat]
        node.score += score
        node.squares += score * score
