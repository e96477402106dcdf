"""Strength 3 of Whist: a tree search over worlds, played on by judgement.

All worlds share one tree (`bots.whist.tree`), so a move is chosen for what is known and not for
a world that may not be. From its leaves the deals are played on by a player who judges cards.
"""

from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import ClassVar

import numpy as np

from bots.bot import Budget, Candidate, Decision, Position
from bots.search.budget import Purse
from bots.whist.judge import bid_of
from bots.whist.knowledge import read_position
from bots.whist.paranoia import paranoia_of
from bots.whist.policy import TASTE
from bots.whist.tree import BID, POINTS, Rules, Tree, new_tree, simulate
from bots.whist.worlds import Beliefs, Worlds
from engine.cards import parse_card
from engine.choices import Action
from engine.games.whist import NO_BID

_MOST = 1 << 15
"""Nodes a tree may have; it grows by one a simulation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreePlayer:
    """Its settings, and nothing else; each is a name the arena takes.

    `judged` is the chance that a card beyond the tree is played by judgement and not at random
    (0: bids are not judged either), `rustic` the chance that an opponent bids and plays there by
    the plain rules of strength 1 instead. `exploration` weighs the untried against the good. The
    others are told of in docs/bots/whist.md.
    """

    in_place: ClassVar[bool] = False
    needs_facts: ClassVar[bool] = True

    milliseconds: float = 40.0
    simulations: int | None = None
    exploration: float = 0.7
    judged: float = 1.0
    rustic: float = 0.5
    searched_bids: bool = True
    spoil: float = 1.0
    paranoia: float = 0.0
    believe_bids: bool = True
    believe_plays: bool = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The move tried most often."""
        actions = position.choices.actions
        if len(actions) == 1:
            return Decision(actions[0], (Candidate(actions[0], 0.0),))
        known = read_position(position)
        if known.bids[known.seat] == NO_BID and not self.searched_bids:
            bid, expected = bid_of(known, TASTE)
            return Decision(f"bid {bid}", (Candidate(f"bid {bid}", expected),))
        worlds = Worlds(
            known, Beliefs(self.believe_bids, self.believe_plays, rustic=self.rustic), rng
        )
        tree = new_tree(_MOST + 1)
        paranoia = paranoia_of(position.view, position.seat, self.paranoia)
        rules = Rules(
            order=worlds.order,
            dealt=known.dealt,
            hook=known.hook,
            turned=known.turned,
            me=known.seat,
            exploration=self.exploration,
            judged=self.judged,
            rustic=self.rustic,
            spoil=self.spoil,
            paranoia=np.array(paranoia),
            taste=TASTE,
        )
        usual = (
            Budget(self.milliseconds)
            if self.simulations is None
            else Budget(samples=self.simulations)
        )
        purse = Purse(budget, usual, first=64)
        while batch := min(purse.take(), _MOST + 1 - int(tree.size[0])):
            simulate(worlds.deal, worlds.hands(batch), rules, worlds.draws, worlds.work, tree)
        tried = _tried(tree)
        candidates = tuple(
            Candidate(action, *tried.get(move_of(action), (0.0, {"visits": 0.0})))
            for action in actions
        )
        most = max(candidates, key=lambda candidate: candidate.why["visits"])
        return Decision(most.action, candidates)


def plain_tree(
    *, milliseconds: float = 40.0, simulations: int | None = None, exploration: float = 0.7
) -> TreePlayer:
    """An opponent for the arena: the tree alone, with no judgement and no beliefs."""
    return TreePlayer(
        milliseconds=milliseconds,
        simulations=simulations,
        exploration=exploration,
        judged=0.0,
        rustic=0.0,
        believe_bids=False,
        believe_plays=False,
    )


def _tried(tree: Tree) -> dict[int, tuple[float, dict[str, float]]]:
    """For each move tried at the root what it is worth in points, and how often it was tried."""
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


def move_of(action: Action) -> int:
    """The number an action has in the tree."""
    verb, what = action.split(" ")
    return BID + int(what) if verb == "bid" else parse_card(what)
