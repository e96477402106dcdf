"""Starts `blackqueen serve` with a bot that thinks for ever: strength 1 of Black Queen.

Started by `python -m tests.e2e.endless_server FLAGS`, as `tests.e2e.slow_server` is.
"""

import sys
from random import Random

from blackqueen.main import main
from bots import Budget, Decision, Position, roster
from bots.recipe import RANDOM, Recipe
from tests.e2e.slow_server import Thinker

THINKS = "the endless bot thinks"


class Endless(Thinker):
    """A bot that never comes to a decision."""

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        print(THINKS, file=sys.stderr, flush=True)
        while True:
            rng.random()


if __name__ in {"__main__", "__mp_main__"}:
    roster.STRENGTHS = {"black_queen": (RANDOM, Recipe(f"{__spec__.name}:Endless", compiled=True))}

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
