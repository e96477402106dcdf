"""Strength 0 of every game: any legal move, each as likely as the others."""

from random import Random

from bots.bot import Budget, Decision, Position
from engine.choices import random_action

__all__ = ["RandomBot", "random_action"]


class RandomBot:
    in_place = True
    needs_facts = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        return Decision(random_action(position.choices, rng))
