"""How worlds with an open talon are judged: with open eyes, or by how players go on who have none.

Open eyes see every card to come, and take a deal for lost that nobody who cannot see would win;
learnt rules miss what a good player finds. Each is wrong in its own way, so some worlds can be
judged by the one and the rest by the other.
"""

from dataclasses import dataclass

import numpy as np

from bots.schnapsen.bits import Ints

WHOLE = 1000
"""What shares and heats are told in to the kernels."""
MOST_HEAT = 1000
"""With so much any card is played."""
BY_RULES, OWN_HEAT, OTHERS_HEAT = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Manner:
    """`by_rules` is the share of worlds played on by the policy (`bots.schnapsen.playouts`).

    In these the seat goes by the policy with `own_heat`, the other with `others_heat`: with 0
    nobody errs, with much heat any card is played (`bots.schnapsen.policy`).
    """

    by_rules: float
    own_heat: float
    others_heat: float

    def __post_init__(self) -> None:
        if not 0 <= self.by_rules <= 1:
            raise ValueError(f"setting by_rules: {self.by_rules} must be from 0 to 1")
        for name in ("own_heat", "others_heat"):
            if not 0 <= getattr(self, name) <= MOST_HEAT:
                raise ValueError(
                    f"setting {name}: {getattr(self, name)} must be from 0 to {MOST_HEAT}"
                )

    @property
    def exact(self) -> bool:
        """Whether a world has one value, and no luck in it."""
        return self.by_rules == 0

    def row(self) -> Ints:
        """The same for the kernels."""
        shares = (self.by_rules, self.own_heat, self.others_heat)
        return np.array([round(WHOLE * share) for share in shares], np.int64)


OPEN_EYES = Manner(0.0, 0.0, 0.0)
"""Every world is solved."""
