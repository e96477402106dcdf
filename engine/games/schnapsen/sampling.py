"""Full states of Schnapsen that agree with what one viewer knows."""

from collections.abc import Sequence
from random import Random

from engine.cards import SYMBOLS
from engine.facts import Fact
from engine.game import Options, Setup
from engine.games.schnapsen import memory
from engine.games.schnapsen.cards import PACK
from engine.games.schnapsen.state import EMPTY, SEATS, State
from engine.games.schnapsen.view import marriages
from engine.games.trick_games import cards_in, hand, shuffler_that_deals, taken, unseen_cards
from engine.unseen import Place, deal_unseen
from engine.views import View


def sample_of(view: View, facts: Sequence[Fact], options: Options, rng: Random) -> State:
    """Deal the unseen cards at random, with no card that a hand has shown to lack."""
    trump = SYMBOLS.index(str(view.values["trump"]))
    zones = [view.zones[hand(seat)] for seat in range(SEATS)]
    barred = memory.barred(facts, trump)
    places = [Place(zone.backs, barred=cards) for zone, cards in zip(zones, barred, strict=True)]
    unseen = unseen_cards(view, PACK)
    first, second, talon = deal_unseen(unseen, [*places, Place(view.zones["talon"].backs)], rng)
    won = (cards_in(view.zones[taken(0)]), cards_in(view.zones[taken(1)]))
    turned = cards_in(view.zones["turned"])
    return State(
        setup=Setup(SEATS, options, shuffler_that_deals(view, SEATS, rng)),
        hands=(first + cards_in(zones[0]), second + cards_in(zones[1])),
        talon=talon,
        turned=turned[0] if turned else EMPTY,
        trump=trump,
        dealer=view.number("dealer"),
        leader=view.number("leader"),
        trick=cards_in(view.zones["trick"]),
        taken=won,
        shown=memory.shown(facts, trump),
        marriages=(view.number(marriages(0)), view.number(marriages(1))),
        announced=memory.announced(facts),
        closing=memory.closing(facts, won),
        result=memory.result(facts),
    )
