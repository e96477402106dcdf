"""What a seat knows of a deal of Hearts: its cards, the cards played, where the others may lie."""

from collections.abc import Iterable
from dataclasses import dataclass

from bots.bot import Position
from engine.cards import Card, deck, parse_card, parse_cards
from engine.facts import Seat
from engine.games.hearts.inference import known_from
from engine.games.hearts.rule_sets import DIRECTIONS, RULE_SETS
from engine.unseen import Place

SEATS = 4


@dataclass(frozen=True, slots=True)
class Knowledge:
    """`places` are the hands of the three others, from `seat`'s left, for the `unseen` cards.

    `plays` are all cards played so far, in order; `leader` led the first of them and is None while
    cards are passed, `shift` seats to the left. `opening` and `shooter` are the rules: whether the
    first trick is restricted, and whether a moon lowers the shooter's score.
    """

    seat: Seat
    hand: tuple[Card, ...]
    unseen: tuple[Card, ...]
    places: tuple[Place, ...]
    plays: tuple[tuple[Seat, Card], ...]
    leader: Seat | None
    shift: int
    opening: bool
    shooter: bool
    given: tuple[Card, ...]
    received: tuple[Card, ...]


def read(position: Position) -> Knowledge:
    """What `position` tells its seat; its facts are needed."""
    view, seat = position.view, position.seat
    rules = RULE_SETS[str(position.options.get("rules", "standard"))]
    shift = _shift(str(view.values.get("pass", "hold")))
    passing = "leader" not in view.values
    known = known_from(position.facts, rules, shift)
    others = [(seat + step) % SEATS for step in range(1, SEATS)]
    hand = parse_cards(" ".join(view.cards("hand", seat)))
    plays = tuple(_plays(position))
    seen = {*hand, *(card for _, card in plays)}
    unseen = tuple(card for card in deck() if card not in seen)
    sizes = {other: len(view.zones[f"hand/{other}"]) for other in others}
    if passing:
        # Cards laid aside are still cards of those who chose them.
        sizes = {other: size + len(view.zones[f"passing/{other}"]) for other, size in sizes.items()}
    return Knowledge(
        seat=seat,
        hand=hand,
        unseen=unseen,
        places=tuple(
            Place(
                sizes[other],
                barred=known.barred[other],
                holds=tuple(sorted(known.holds[other] & set(unseen))),
            )
            for other in others
        ),
        plays=plays,
        leader=None if passing else (plays[0][0] if plays else view.number("leader")),
        shift=shift,
        opening=rules.opening,
        shooter=rules.moon_of({"moon": "others", **position.options}) == "shooter",
        given=known.passes[seat],
        received=known.passes[(seat - shift) % SEATS] if shift else (),
    )


def _plays(position: Position) -> Iterable[tuple[Seat, Card]]:
    for fact in position.facts:
        if fact.verb == "card_played":
            seat, card = fact.args["seat"], fact.args["card"]
            assert isinstance(seat, int)
            assert isinstance(card, str)
            yield seat, parse_card(card)


def _shift(direction: str) -> int:
    return next(shift for shift, name in DIRECTIONS.items() if name == direction)
