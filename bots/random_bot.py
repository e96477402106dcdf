"""Strength 0 of every game: any legal move, each equally likely."""

from random import Random

from bots.bot import Budget, Decision, Position
from engine.choices import random_action

__all__ = ["RandomBot", "random_action"]


class RandomBot:
    """Plays any legal move (Black Queen document, "Strength 0")."""

    in_place = True
    needs_facts = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """A random one of the choices, as `engine.choices.random_action` draws it."""
        return Decision(random_action(position.choices, rng))
