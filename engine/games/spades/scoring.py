"""What a deal of Spades scores for a team, and what the scores before it allow."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.facts import Seat
from engine.game import Options
from engine.games.spades.state import NIL, SEATS, TEAMS, State

A_TRICK = 10
"""Points for each trick of a contract, won or lost."""
BAGS = 10
"""Overtricks that cost a team `PENALTY`."""
PENALTY = 100
BEHIND = 100
"""By so many points a team must trail for its players to bid blind nil (option `blind`)."""


@dataclass(frozen=True, slots=True)
class TeamResult:
    """The result of one team in a deal; its score is the sum of its parts.

    `contract` is the sum of its bids other than nil; `made` whether that many tricks count for it.
    `bags` are its overtricks of this deal, `penalties` how often they came to ten, with those
    that the team had before. `nils` has what each nil scored, by seat.
    """

    contract: int
    made: bool
    bags: int
    penalties: int
    nils: dict[Seat, int]

    @property
    def score(self) -> int:
        """The points of the deal."""
        tricks = A_TRICK * self.contract * (1 if self.made else -1)
        return tricks + self.bags - PENALTY * self.penalties + sum(self.nils.values())


def nil_value(options: Options) -> int | None:
    """The points of a nil, doubled if it is blind; None if the table has no nil."""
    return None if options["nil"] == "off" else int(options["nil"])


def result_of(state: State, team: int) -> TeamResult:
    """The result of a deal that is over, for the team of this number."""
    options = state.setup.options
    nils, counted, loose, contract = {}, 0, 0, 0
    for seat in TEAMS[team]:
        tricks = state.tricks(seat)
        if state.bids[seat] == NIL:
            worth = (nil_value(options) or 0) * (2 if state.blind[seat] else 1)
            nils[seat] = -worth if tricks else worth
            loose += tricks
        else:
            counted += tricks
            contract += state.bids[seat]
    if options["nil_tricks"]:
        counted, loose = counted + loose, 0
    made = counted >= contract
    bags = loose + (counted - contract if made else 0)
    penalties = (state.bags[team] + bags) // BAGS if options["bags"] else 0
    return TeamResult(contract, made, bags, penalties, nils)


def scores_of(results: Sequence[TeamResult]) -> list[int]:
    """The scores by seat, equal for partners."""
    return [results[seat % len(results)].score for seat in range(SEATS)]


def bags_of(total: int) -> int:
    """The bags of a team with the given total.

    Everything but a bag scores a multiple of ten, so the last digit counts them, below nothing
    as well.

    >>> bags_of(243), bags_of(-47)
    (3, 3)
    """
    return total % BAGS


def may_bid_blind(options: Options, totals: tuple[int, ...], seat: Seat) -> bool:
    """Whether `seat` may bid nil blind, when the seats have these `totals`."""
    if nil_value(options) is None or options["blind"] == "never":
        return False
    return options["blind"] == "always" or max(totals) - totals[seat] >= BEHIND
