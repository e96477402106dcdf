"""How a deal of Spades begins: who deals, and who decides about blind nil before they look."""

from engine.facts import Seat
from engine.game import Options
from engine.games.spades.scoring import BEHIND, nil_value
from engine.games.spades.state import SEATS
from engine.shuffle import Shuffler


def dealer_of(shuffler: Shuffler) -> Seat:
    """The dealer: drawn once for the match, then from deal to deal the next to the left."""
    return (shuffler.of_match().below("dealer", SEATS) + shuffler.deal) % SEATS


def may_bid_blind(options: Options, totals: tuple[int, ...], seat: Seat) -> bool:
    """Whether `seat` is asked for a blind nil, when the seats have these `totals`."""
    if nil_value(options) is None or options["blind"] == "never":
        return False
    return options["blind"] == "always" or max(totals) - totals[seat] >= BEHIND
