"""A seat's knowledge of a deal of Hearts: its cards, the played ones, and the others' places."""

from dataclasses import dataclass

from bots.bot import Position
from engine.cards import SUITS, Card, Suit, deck, parse_card
from engine.facts import Seat
from engine.games.hearts.cards import OF_SUIT
from engine.games.hearts.inference import known_from
from engine.games.hearts.rule_sets import DIRECTIONS, RULE_SETS
from engine.games.hearts.state import SEATS
from engine.unseen import Place
from engine.views import View

_SHIFTS = {name: shift for shift, name in DIRECTIONS.items()}


@dataclass(frozen=True, slots=True)
class Knowledge:
    """`places` are the hands of the three others, from `seat`'s left, for the `unseen` cards.

    `leader` led the `trick`, or is None while cards are passed, `shift` seats to the left.
    `voids` are seats and suits they have shown to lack. `opening` and `shooter` are the rules:
    whether the first trick is restricted, and whether a moon lowers the shooter's score.
    """

    seat: Seat
    hand: tuple[Card, ...]
    trick: tuple[Card, ...]
    taken: tuple[tuple[Card, ...], ...]
    leader: Seat | None
    unseen: tuple[Card, ...]
    places: tuple[Place, ...]
    voids: tuple[tuple[Seat, Suit], ...]
    shift: int
    opening: bool
    shooter: bool


def read(position: Position) -> Knowledge:
    """The knowledge of the seat of `position`; the position must hold the facts of the deal."""
    view, seat = position.view, position.seat
    rules = RULE_SETS[str(position.options.get("rules", "standard"))]
    shift = _SHIFTS[str(view.values.get("pass", "hold"))]
    hand, trick = _cards(view, "hand", seat), _cards(view, "trick")
    taken = tuple(_cards(view, "taken", each) for each in range(SEATS))
    seen = {*hand, *trick, *(card for pile in taken for card in pile)}
    unseen = tuple(card for card in deck() if card not in seen)
    known = known_from(position.facts, rules, shift)
    others = [(seat + step) % SEATS for step in range(1, SEATS)]
    return Knowledge(
        seat=seat,
        hand=hand,
        trick=trick,
        taken=taken,
        leader=view.number("leader") if "leader" in view.values else None,
        unseen=unseen,
        places=tuple(
            Place(
                _held(view, other),
                barred=known.barred[other],
                holds=tuple(
                    sorted({*known.holds[other].intersection(unseen), *_shown(view, other)})
                ),
            )
            for other in others
        ),
        voids=tuple(
            (other, suit)
            for other in others
            for suit in range(len(SUITS))
            if OF_SUIT[suit] <= known.barred[other]
        ),
        shift=shift,
        opening=rules.opening,
        shooter=rules.moon_of({"moon": "others", **position.options}) == "shooter",
    )


def _cards(view: View, kind: str, owner: Seat | None = None) -> tuple[Card, ...]:
    return tuple(map(parse_card, view.cards(kind, owner)))


def _shown(view: View, seat: Seat) -> tuple[Card, ...]:
    """The cards of another seat that lie open, cards laid aside for passing included."""
    return (*_cards(view, "hand", seat), *_cards(view, "passing", seat))


def _held(view: View, seat: Seat) -> int:
    """The number of cards of another seat, cards laid aside for passing included."""
    passing = view.zones.get(f"passing/{seat}", ())
    return len(view.zones[f"hand/{seat}"]) + len(passing)
