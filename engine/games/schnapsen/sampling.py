"""Full states of Schnapsen that agree with what one viewer knows."""

from collections.abc import Sequence
from random import Random

from engine.cards import SYMBOLS, Card, parse_card
from engine.facts import Fact
from engine.game import Options, Setup
from engine.games.piles import hand, taken
from engine.games.schnapsen import memory
from engine.games.schnapsen.cards import PACK
from engine.games.schnapsen.deal import SEATS, dealer_of
from engine.games.schnapsen.state import EMPTY, State
from engine.games.schnapsen.view import marriages
from engine.shuffle import Shuffler
from engine.unseen import Place, deal_unseen
from engine.views import View, Zone


def sample_of(view: View, facts: Sequence[Fact], options: Options, rng: Random) -> State:
    """The unseen cards dealt at random, with no hand given what it has shown to lack."""
    trump = SYMBOLS.index(str(view.values["trump"]))
    zones = [view.zones[hand(seat)] for seat in range(SEATS)]
    barred = memory.barred(facts, trump)
    places = [Place(zone.backs, barred=cards) for zone, cards in zip(zones, barred, strict=True)]
    unseen = _unseen(view)
    first, second, talon = deal_unseen(unseen, [*places, Place(view.zones["talon"].backs)], rng)
    won = (_cards(view.zones[taken(0)]), _cards(view.zones[taken(1)]))
    turned = _cards(view.zones["turned"])
    return State(
        setup=Setup(SEATS, options, _shuffler(view, rng)),
        hands=(first + _cards(zones[0]), second + _cards(zones[1])),
        talon=talon,
        turned=turned[0] if turned else EMPTY,
        trump=trump,
        dealer=view.number("dealer"),
        leader=view.number("leader"),
        trick=_cards(view.zones["trick"]),
        taken=won,
        shown=memory.shown(facts, trump),
        marriages=(view.number(marriages(0)), view.number(marriages(1))),
        announced=memory.announced(facts),
        closing=memory.closing(facts, won),
        result=memory.result(facts),
    )


def _cards(zone: Zone) -> tuple[Card, ...]:
    return tuple(map(parse_card, zone.cards))


def _unseen(view: View) -> list[Card]:
    """The cards that lie face down for the owner of `view`."""
    seen = {card for zone in view.zones.values() for card in _cards(zone)}
    return [card for card in PACK if card not in seen]


def _shuffler(view: View, rng: Random) -> Shuffler:
    """Later deals are anybody's guess, but who deals them is not."""
    deal = view.number("deal") - 1 if "deal" in view.values else 0
    while True:
        shuffler = Shuffler(rng.randbytes(32), deal)
        if dealer_of(shuffler) == view.number("dealer"):
            return shuffler
