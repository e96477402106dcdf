"""Values of plans in worlds, under one set of options: by solving the worlds or by playouts."""

from collections.abc import Sequence

from bots.schnapsen.bits import Floats
from bots.schnapsen.knowledge import Knowledge, read_open_state
from bots.schnapsen.plan_values import scores, wins
from bots.schnapsen.plans import Plan, as_rows, plans_of
from bots.schnapsen.playout_mix import SOLVE_ALL, PlayoutMix
from bots.schnapsen.solver_memory import USUAL_SIZE, clear_history, new_memory
from bots.schnapsen.worlds import Worlds, open_world
from engine.choices import Action
from engine.game import Options
from engine.games.schnapsen import State


class Solver:
    """Results of plans in worlds; its memory makes it faster and does not change results.

    `size`: its transposition table has 2^size entries of 16 bytes. With the mix `SOLVE_ALL` results
    are exact; else those of worlds with an open talon depend on the world's luck.
    """

    def __init__(
        self, options: Options, size: int = USUAL_SIZE, mix: PlayoutMix = SOLVE_ALL
    ) -> None:
        self._mix = mix.row()
        least = options["min_talon"]
        self._memory = new_memory(min_talon=int(least), freeze=bool(options["freeze"]), size=size)

    def begin(self) -> None:
        """Begin another deal or decision, in which other cards are likely to be good."""
        clear_history(self._memory)

    def wins(self, known: Knowledge, plans: Sequence[Plan], worlds: Worlds) -> Floats:
        """1 where a plan (a row each) wins in a world (a column each), else 0."""
        return wins(
            as_rows(plans),
            worlds.hands,
            worlds.talons,
            worlds.luck,
            known.situation(),
            known.targets(),
            self._mix,
            self._memory,
        )

    def scores(self, known: Knowledge, plans: Sequence[Plan], worlds: Worlds) -> Floats:
        """The game points a plan (a row each) wins or loses in a world (a column each)."""
        return scores(
            as_rows(plans),
            worlds.hands,
            worlds.talons,
            worlds.luck,
            known.situation(),
            known.targets(),
            self._mix,
            self._memory,
        )

    def value(self, state: State, actions: Sequence[Action]) -> int:
        """The game points of the seat in `targets` if both play their best with all cards open.

        `actions` are the seat's choices; lost points count below zero.
        """
        known = read_open_state(state)
        self.begin()
        return int(self.scores(known, plans_of(known, actions), open_world(state)).max())
