"""How Schnapsen is dealt: three cards to each, the trump turned up, two more to each."""

from engine.cards import suit_of
from engine.facts import Seat
from engine.game import Setup
from engine.games.schnapsen.cards import PACK, in_order
from engine.games.schnapsen.state import State
from engine.shuffle import Shuffler

SEATS = 2


def dealer_of(shuffler: Shuffler) -> Seat:
    """Who deals: somebody drawn once for the match, then the two in turn."""
    return (shuffler.of_match().below("dealer", SEATS) + shuffler.deal) % SEATS


def dealt(setup: Setup) -> State:
    """A deal before its first card; the player who did not deal gets cards first, and leads."""
    pack = setup.shuffler.shuffled("deal", PACK)
    dealer = dealer_of(setup.shuffler)
    forehand = tuple(in_order(pack[:3] + pack[7:9]))
    second = tuple(in_order(pack[3:6] + pack[9:11]))
    return State(
        setup=setup,
        hands=(second, forehand) if dealer == 0 else (forehand, second),
        talon=pack[11:],
        turned=pack[6],
        trump=suit_of(pack[6]),
        dealer=dealer,
        leader=1 - dealer,
        trick=(),
        taken=((), ()),
    )
