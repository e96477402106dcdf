"""Full states of Black Queen that agree with what one viewer knows."""

from collections.abc import Sequence
from itertools import islice
from random import Random

from engine.cards import Card
from engine.facts import Fact
from engine.game import Setup
from engine.games.black_queen.cards import pack
from engine.games.black_queen.state import EMPTY, State
from engine.games.black_queen.view import column
from engine.games.trick_games import cards_in, completed_hands, hand, taken_piles, unseen_cards
from engine.shuffle import Shuffler
from engine.tricks import shown_voids
from engine.unseen import Place, deal_unseen
from engine.views import View


def sample_of(view: View, facts: Sequence[Fact], rng: Random) -> State:
    """Deal the unseen cards at random, with no card of a suit that a hand has shown to lack."""
    seats = range(sum(name.startswith("taken/") for name in view.zones))
    columns = sum(name.startswith("column/0/") for name in view.zones)
    hands = [view.zones[hand(seat)] for seat in seats]
    rows = [[view.zones[column(seat, k + 1)] for k in range(columns)] for seat in seats]
    voids = shown_voids(facts, len(seats))
    places = [
        Place(zone.backs, frozenset(void)) for zone, void in zip(hands, voids, strict=True)
    ] + [Place(zone.backs) for row in rows for zone in row]
    dealt = iter(deal_unseen(unseen_cards(view, pack(len(seats))), places, rng))
    in_hand = completed_hands(hands, islice(dealt, len(seats)))
    down = [tuple(_only(next(dealt)) for _ in row) for row in rows]
    return State(
        setup=Setup(len(seats), {"columns": columns}, Shuffler(rng.randbytes(32))),
        hands=in_hand,
        up=tuple(tuple(_only(cards_in(zone)) for zone in row) for row in rows),
        down=tuple(down),
        leader=view.number("leader"),
        trick=cards_in(view.zones["trick"]),
        taken=taken_piles(view, len(seats)),
    )


def _only(cards: tuple[Card, ...]) -> Card:
    return cards[0] if cards else EMPTY
