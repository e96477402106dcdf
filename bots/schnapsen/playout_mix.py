"""How worlds with an open talon are valued: some by playouts, the others by solving them.

A solver sees every card to come, so it counts a deal as lost that only a seeing opponent would win.
A playout uses a learned policy, which misses what a good player finds. Each errs in its own way, so
a share of the worlds is valued by playouts and the rest by the solver.
"""

from dataclasses import dataclass

import numpy as np

from bots.schnapsen.bits import Ints

WHOLE = 1000
"""Kernels get shares and temperatures as whole numbers of this unit."""
MAX_TEMPERATURE = 1000
"""At this temperature any card is played."""
PLAYOUT_SHARE, OWN_TEMPERATURE, OTHERS_TEMPERATURE = 0, 1, 2
"""Places in `PlayoutMix.row`."""


@dataclass(frozen=True, slots=True)
class PlayoutMix:
    """The share of worlds that is played out, and how the two players err there.

    `playout_share`, from 0 to 1, of the worlds are played out by the policy; the others are
    solved. The policy's temperature is `own_temperature` for the seat and `others_temperature` for
    its opponent, each from 0, without errors, to `MAX_TEMPERATURE` (`bots.schnapsen.policy`).
    `ValueError` by the name of the bot's setting if one is out of bounds.
    """

    playout_share: float
    own_temperature: float
    others_temperature: float

    def __post_init__(self) -> None:
        settings = (
            ("by_rules", self.playout_share, 1),
            ("own_heat", self.own_temperature, MAX_TEMPERATURE),
            ("others_heat", self.others_temperature, MAX_TEMPERATURE),
        )
        for name, value, most in settings:
            if not 0 <= value <= most:
                raise ValueError(f"setting {name}: {value} must be from 0 to {most}")

    @property
    def exact(self) -> bool:
        """Whether every world is solved, so that it has one value."""
        return self.playout_share == 0

    def row(self) -> Ints:
        """The mix as an array for the kernels."""
        shares = (self.playout_share, self.own_temperature, self.others_temperature)
        return np.array([round(WHOLE * share) for share in shares], np.int64)


SOLVE_ALL = PlayoutMix(0.0, 0.0, 0.0)
"""Every world is solved."""
