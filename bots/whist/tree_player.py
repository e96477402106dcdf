"""Strength 3 of Whist: information-set tree search with playouts by policy.

All worlds share one tree (`bots.whist.tree`), so a move is chosen by what is known and not for a
single world that may be wrong. From its leaves a player by judgement plays the deals on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import ClassVar

import numpy as np

from bots.bot import Budget, Candidate, Decision, Measure, Position
from bots.search.budget import Batches
from bots.search.racing import Race
from bots.spec import Amount, Share
from bots.whist.choosing import decision_of, move_of, moves_to_try, never_too_low
from bots.whist.knowledge import paranoia_of, read_position
from bots.whist.opponent_model import OpponentModel
from bots.whist.policy import POLICY_WEIGHTS
from bots.whist.policy_player import bid_of
from bots.whist.simulation import POINTS, Rules
from bots.whist.tree import Tree, compete, new_tree, plant, simulate
from bots.whist.walkers import Walkers
from bots.whist.worlds import NO_BELIEFS, Worlds
from engine.choices import Action
from engine.games.whist import NO_BID

_MOST = 1 << 15
"""Nodes a tree may have; it grows by one a simulation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreePlayer:
    """A tree player, whose fields are its settings, named as in the arena.

    `racing`: each world is played with every move that may still win, and moves that fall behind
    are dropped; else upper bounds choose the next world's move. `judged` is the chance that a
    card beyond the tree is played by judgement and not at random (0: bids are not judged either),
    `rustic` the chance that an opponent is a player by the plain rules of strength 1, before
    anything was seen of them; later their bids (`believe_bids`) and cards (`believe_plays`) give
    information about the player and the hand. `exploration` weighs untried moves against good
    ones. bots/whist/README.md describes the others.
    """

    in_place: ClassVar[bool] = False
    needs_facts: ClassVar[bool] = True

    milliseconds: float = 40.0
    simulations: int | None = None
    racing: bool = True
    exploration: Amount = 0.7
    judged: Share = 1.0
    rustic: Share = 0.5
    searched_bids: bool = True
    spoil: Amount = 1.0
    paranoia: Amount = 0.0
    believe_bids: bool = True
    believe_plays: bool = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move that wins the race, or without `racing` the most visited; values in points."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0])
        known = read_position(position)
        if known.bids[known.seat] == NO_BID and not self.searched_bids:
            bid, expected = bid_of(known, POLICY_WEIGHTS)
            candidate = Candidate(f"bid {bid}", expected)
            return Decision(candidate.action, (candidate,), measure="tricks")
        usual = (
            Budget(self.milliseconds)
            if self.simulations is None
            else Budget(samples=self.simulations)
        )
        batches = Batches(budget, usual, first=64)
        worlds = Worlds(known, NO_BELIEFS, rng)
        rules = Rules(
            order=worlds.order,
            dealt=known.dealt,
            hook=known.hook,
            turned=known.turned,
            me=known.seat,
            exploration=self.exploration,
            judged=self.judged,
            spoil=self.spoil,
            paranoia=np.array(paranoia_of(position.view, position.seat, self.paranoia)),
            policy_weights=POLICY_WEIGHTS,
        )
        walkers = Walkers(
            worlds, OpponentModel(self.rustic), bids=self.believe_bids, plays=self.believe_plays
        )
        search = _race if self.racing else _climb
        return never_too_low(search(actions, walkers, rules, batches), known)


def _race(actions: Sequence[Action], walkers: Walkers, rules: Rules, batches: Batches) -> Decision:
    """The move that is best in worlds in which all moves that may still win have been tried."""
    worlds = walkers.worlds
    moves = moves_to_try(actions, worlds)
    # A world takes a node for each move, also where there is room for one more alone.
    tree, nodes = new_tree(_MOST + 1 + len(moves)), np.zeros(len(moves), dtype=np.int64)
    plant(tree, np.array(moves, dtype=np.int64), nodes)
    race = Race(len(moves), thorough=batches.thorough)
    while not race.settled and (batch := min(batches.take(), _MOST + 1 - int(tree.size[0]))):
        running = nodes[race.running]
        worth = np.empty((running.size, max(1, batch // running.size)))
        hands, plain = walkers.draw(worth.shape[1])
        compete(worlds.deal, hands, plain, running, rules, worlds.draws, worlds.work, tree, worth)
        race.add(POINTS * worth)
    return decision_of(actions, moves, race, _measure(rules))


def _climb(actions: Sequence[Action], walkers: Walkers, rules: Rules, batches: Batches) -> Decision:
    """The move tried most often, by upper bounds from the root on."""
    worlds = walkers.worlds
    tree = new_tree(_MOST + 1)
    while batch := min(batches.take(), _MOST + 1 - int(tree.size[0])):
        hands, plain = walkers.draw(batch)
        simulate(worlds.deal, hands, plain, rules, worlds.draws, worlds.work, tree)
    tried = _tried(tree)
    candidates = tuple(
        Candidate(action, *tried.get(move_of(action), (0.0, {"visits": 0.0}))) for action in actions
    )
    most = max(candidates, key=lambda candidate: candidate.why["visits"])
    return Decision(most.action, candidates, by="visits", measure=_measure(rules))


def _measure(rules: Rules) -> Measure:
    return "lead" if rules.spoil else "score"


def plain_tree(
    *, milliseconds: float = 40.0, simulations: int | None = None, exploration: Amount = 0.7
) -> TreePlayer:
    """An opponent for the arena: the tree alone, with no judgement and no beliefs."""
    return TreePlayer(
        milliseconds=milliseconds,
        simulations=simulations,
        exploration=exploration,
        judged=0.0,
        rustic=0.0,
        racing=False,
        believe_bids=False,
        believe_plays=False,
    )


def _tried(tree: Tree) -> dict[int, tuple[float, dict[str, float]]]:
    """For each move tried at the root its value in points, and how often it was tried."""
    found = {}
    child = int(tree.child[0])
    while child:
        visits = float(tree.visits[child])
        mean = float(tree.total[child]) / visits
        spread = sqrt(max(float(tree.squares[child]) / visits - mean * mean, 0.0))
        why = {"visits": visits, "deviation": POINTS * spread / sqrt(visits)}
        found[int(tree.move[child])] = (POINTS * mean, why)
        child = int(tree.sibling[child])
    return found
