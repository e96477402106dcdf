"""Full states of Whist that agree with what one viewer knows."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from engine.cards import Card, deck, parse_card
from engine.facts import Fact, Seat
from engine.game import Options, Setup
from engine.games.piles import hand, taken
from engine.games.whist.cards import dealer_of
from engine.games.whist.state import NO_BID, State
from engine.games.whist.view import bid
from engine.shuffle import Shuffler
from engine.tricks import shown_voids
from engine.unseen import Place, deal_unseen
from engine.views import View, Zone


def sample_of(view: View, facts: Sequence[Fact], options: Options, rng: Random) -> State:
    """The unseen cards dealt at random, with no hand given a suit it has shown to lack."""
    seats = seats_of(view)
    hands = [view.zones[hand(seat)] for seat in range(seats)]
    places = [
        Place(zone.backs, frozenset(void))
        for zone, void in zip(hands, shown_voids(facts, seats), strict=True)
    ]
    *hidden, stock = deal_unseen(_unseen(view), [*places, Place(view.zones["deck"].backs)], rng)
    dealer = view.number("dealer")
    return State(
        setup=Setup(seats, options, _shuffler(view, dealer, seats, rng)),
        cards=view.number("cards"),
        dealer=dealer,
        turned=parse_card(*view.cards("turned")),
        stock=stock,
        hands=tuple(
            tuple(sorted(_cards(zone) + dealt)) for zone, dealt in zip(hands, hidden, strict=True)
        ),
        bids=tuple(
            view.number(bid(seat)) if bid(seat) in view.values else NO_BID for seat in range(seats)
        ),
        leader=view.number("leader"),
        trick=_cards(view.zones["trick"]),
        taken=tuple(_cards(view.zones[taken(seat)]) for seat in range(seats)),
    )


def seats_of(view: View) -> int:
    """How many play at a table of Whist that looks like `view`."""
    return sum(name.startswith("hand/") for name in view.zones)


def _cards(zone: Zone) -> tuple[Card, ...]:
    return tuple(map(parse_card, zone.cards))


def _unseen(view: View) -> list[Card]:
    """The cards of the pack that lie face down for the owner of `view`."""
    unseen = Counter(deck())
    unseen.subtract(card for zone in view.zones.values() for card in _cards(zone))
    return list(unseen.elements())


def _shuffler(view: View, dealer: Seat, seats: int, rng: Random) -> Shuffler:
    """Later deals are anybody's guess, but who deals them is not: this draws the same dealer."""
    deal = view.number("deal") - 1 if "deal" in view.values else 0
    while True:
        shuffler = Shuffler(rng.randbytes(32), deal)
        if dealer_of(shuffler, seats) == dealer:
            return shuffler
