"""Starts `blackqueen serve` with a slow bot, strength 1 of Black Queen, also in its bot processes.

Started by `python -m tests.e2e.slow_server FLAGS`; the processes of its pool run this module again
as `__mp_main__`, so they know the bot as well. Importing it changes nothing.
"""

import sys
from random import Random
from time import process_time

from blackqueen.main import main
from bots import Budget, Decision, Position, roster
from bots.random_bot import RandomBot
from bots.recipe import RANDOM, Recipe

THINKING_SECONDS = 0.003


class Thinker:
    """A bot that plays at random after using the processor for a while."""

    in_place = False
    needs_facts = True

    def warm_up(self) -> None:
        """Do nothing, as there is nothing to load."""

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        until = process_time() + THINKING_SECONDS
        while process_time() < until:
            pass
        return RandomBot().choose(position, budget, rng)


if __name__ in {"__main__", "__mp_main__"}:
    roster.STRENGTHS = {"black_queen": (RANDOM, Recipe(f"{__spec__.name}:Thinker", compiled=True))}

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
