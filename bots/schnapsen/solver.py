"""Judging plans in worlds, for one table's options: by solving them, unless told otherwise."""

from collections.abc import Sequence

from bots.schnapsen.bits import Floats
from bots.schnapsen.manner import OPEN_EYES, Manner
from bots.schnapsen.memory import USUAL_SIZE, forget_order, new_memory
from bots.schnapsen.plans import Plan, as_rows, plans_of
from bots.schnapsen.sight import Table, open_table_of
from bots.schnapsen.weigh import scores, wins
from bots.schnapsen.worlds import Worlds, open_world
from engine.choices import Action
from engine.game import Options
from engine.games.schnapsen import State


class Solver:
    """Results of plans in worlds; what it finds out makes it faster, never different.

    `size`: its table has 2^size entries of 16 bytes. With a `manner` of open eyes results are
    exact; else they depend on the luck of worlds with an open talon.
    """

    def __init__(
        self, options: Options, size: int = USUAL_SIZE, manner: Manner = OPEN_EYES
    ) -> None:
        self._manner = manner.row()
        least = options["min_talon"]
        self._memory = new_memory(min_talon=int(least), freeze=bool(options["freeze"]), size=size)

    def begin(self) -> None:
        """Another deal, or another decision: other cards are likely to be good."""
        forget_order(self._memory)

    def wins(self, table: Table, plans: Sequence[Plan], worlds: Worlds) -> Floats:
        """1 where a plan (a row each) wins in a world (a column each), else 0."""
        return wins(
            as_rows(plans),
            worlds.hands,
            worlds.talons,
            worlds.luck,
            table.situation(),
            table.asked(),
            self._manner,
            self._memory,
        )

    def scores(self, table: Table, plans: Sequence[Plan], worlds: Worlds) -> Floats:
        """The game points a plan (a row each) wins or loses in a world (a column each)."""
        return scores(
            as_rows(plans),
            worlds.hands,
            worlds.talons,
            worlds.luck,
            table.situation(),
            table.asked(),
            self._manner,
            self._memory,
        )

    def value(self, state: State, actions: Sequence[Action]) -> int:
        """The game points of whoever is asked if both play their best with all cards open.

        `actions` are his choices; what is lost counts below zero.
        """
        table = open_table_of(state)
        self.begin()
        return int(self.scores(table, plans_of(table, actions), open_world(state)).max())
