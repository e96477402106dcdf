"""How worlds with an open talon are judged: with open eyes, or by how players go on who have none.

Open eyes see every card to come, and take a deal for lost that nobody who cannot see would win;
rules miss what a good player finds. Each is wrong in its own way, so some worlds are judged by the
one and the rest by the other.
"""

from dataclasses import dataclass

import numpy as np

from bots.schnapsen.bits import Ints

WHOLE = 1000
"""What shares are told in to the kernels."""
BY_RULES, OWN_SLIPS, OTHERS_SLIPS = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Manner:
    """`by_rules` is the share of worlds that are played on by rules (`bots.schnapsen.playouts`).

    In these the seat plays any card instead of the rule's with chance `own_slips`, the other with
    `others_slips`.
    """

    by_rules: float
    own_slips: float
    others_slips: float

    def __post_init__(self) -> None:
        for name in ("by_rules", "own_slips", "others_slips"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"setting {name}: {getattr(self, name)} must be from 0 to 1")

    @property
    def exact(self) -> bool:
        """Whether a world has one value, and no luck in it."""
        return self.by_rules == 0

    def row(self) -> Ints:
        """The same for the kernels."""
        shares = (self.by_rules, self.own_slips, self.others_slips)
        return np.array([round(WHOLE * share) for share in shares], np.int64)


OPEN_EYES = Manner(0.0, 0.0, 0.0)
"""Every world is solved."""
