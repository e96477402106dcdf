"""Full states of Whist that agree with what one viewer knows."""

from collections.abc import Sequence
from random import Random

from engine.cards import deck, parse_card
from engine.facts import Fact
from engine.game import Options, Setup
from engine.games.trick_games import (
    cards_in,
    completed_hands,
    hand,
    shuffler_that_deals,
    taken_piles,
    unseen_cards,
)
from engine.games.whist.state import NO_BID, State
from engine.games.whist.view import bid
from engine.tricks import shown_voids
from engine.unseen import Place, deal_unseen
from engine.views import View


def sample_of(view: View, facts: Sequence[Fact], options: Options, rng: Random) -> State:
    """Deal the unseen cards at random, with no card of a suit that a hand has shown to lack."""
    seats = seats_of(view)
    hands = [view.zones[hand(seat)] for seat in range(seats)]
    places = [
        Place(zone.backs, frozenset(void))
        for zone, void in zip(hands, shown_voids(facts, seats), strict=True)
    ]
    unseen = unseen_cards(view, deck())
    *hidden, stock = deal_unseen(unseen, [*places, Place(view.zones["deck"].backs)], rng)
    return State(
        setup=Setup(seats, options, shuffler_that_deals(view, seats, rng)),
        cards=view.number("cards"),
        dealer=view.number("dealer"),
        turned=parse_card(*view.cards("turned")),
        stock=stock,
        hands=completed_hands(hands, hidden),
        bids=tuple(view.number(bid(seat), NO_BID) for seat in range(seats)),
        leader=view.number("leader"),
        trick=cards_in(view.zones["trick"]),
        taken=taken_piles(view, seats),
    )


def seats_of(view: View) -> int:
    """The number of players at a table of Whist that looks like `view`."""
    return sum(name.startswith("hand/") for name in view.zones)
