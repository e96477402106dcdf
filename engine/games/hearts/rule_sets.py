"""The two rule sets of Hearts, as data."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.game import Options


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set. `shifts` are used in turn, deal by deal: how many seats to the left cards go.

    With `opening` the two of clubs is led first, and no penalty card may be played to that trick
    unless the hand holds nothing else. `moon` and `target` are None where the table decides.
    """

    shifts: tuple[int, ...]
    opening: bool
    moon: str | None
    deals: int | None

    def moon_of(self, options: Options) -> str:
        """Whether the `others` or the `shooter` score if a player takes all points."""
        return self.moon or str(options["moon"])

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        """Whether the match is over: after a number of deals, or once a total is at the target."""
        if self.deals is not None:
            return deals >= self.deals
        return max(totals) >= int(options["target"])


LEFT, ACROSS, RIGHT, HOLD = 1, 2, 3, 0

RULE_SETS: Mapping[str, RuleSet] = {
    "standard": RuleSet((LEFT, RIGHT, ACROSS, HOLD), opening=True, moon=None, deals=None),
    "recycle": RuleSet((HOLD,), opening=False, moon="shooter", deals=1),
}
"""By the words of the option `rules`."""

DIRECTIONS: Mapping[int, str] = {LEFT: "left", ACROSS: "across", RIGHT: "right", HOLD: "hold"}
"""What a shift is called."""
