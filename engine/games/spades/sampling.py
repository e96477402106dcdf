"""Full states of Spades that agree with what one viewer knows."""

from collections.abc import Sequence
from random import Random

from engine.cards import deck
from engine.facts import Fact
from engine.game import Options, Setup
from engine.games.spades.inference import lacking
from engine.games.spades.state import NO_BID, SEATS, TEAMS, TRICKS, State
from engine.games.spades.view import bags, bid, blind
from engine.games.trick_games import (
    cards_in,
    completed_hands,
    hand,
    shuffler_that_deals,
    taken_piles,
    unseen_cards,
)
from engine.unseen import Place, deal_unseen
from engine.views import View


def sample_of(view: View, facts: Sequence[Fact], options: Options, rng: Random) -> State:
    """Deal the unseen cards at random, with no card of a suit that a hand has shown to lack."""
    zones = [view.zones[hand(seat)] for seat in range(SEATS)]
    # While anybody's cards still lie in the deck, a hand without cards is one of those.
    looked = tuple(not view.zones["deck"] or len(zone) > 0 for zone in zones)
    lacks = lacking(facts, breaking=bool(options["breaking"]))
    places = [
        Place(zone.backs if seen else TRICKS, suits)
        for zone, seen, suits in zip(zones, looked, lacks, strict=True)
    ]
    dealt = deal_unseen(unseen_cards(view, deck()), places, rng)
    return State(
        setup=Setup(SEATS, options, shuffler_that_deals(view, SEATS, rng)),
        dealer=view.number("dealer"),
        bags=tuple(view.number(bags(seats[0]), 0) for seats in TEAMS),
        hands=completed_hands(zones, dealt),
        looked=looked,
        bids=tuple(view.number(bid(seat), NO_BID) for seat in range(SEATS)),
        blind=tuple(blind(seat) in view.values for seat in range(SEATS)),
        leader=view.number("leader"),
        trick=cards_in(view.zones["trick"]),
        taken=taken_piles(view, SEATS),
        broken=bool(view.values["broken"]),
    )
