"""What a viewer knows for certain about cards they do not see, from the facts of the deal.

Hands only shrink once cards are played, so what a hand once lacked it lacks for good.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import HEARTS, Card, deck, parse_card, parse_cards, suit_of
from engine.facts import Fact, Seat, Value
from engine.games.hearts.cards import HEART_CARDS, OF_SUIT, PENALTY_CARDS, TWO_OF_CLUBS
from engine.games.hearts.rule_sets import RuleSet
from engine.games.hearts.state import SEATS, giver_to

_NO_HEARTS = frozenset(deck()) - HEART_CARDS
_NO_PENALTIES = frozenset(deck()) - PENALTY_CARDS


@dataclass(frozen=True, slots=True)
class Known:
    """By seat: cards it cannot hold, cards it surely holds, and all it has played.

    `passes` are the cards passed by a seat, as far as the viewer was told them.
    """

    barred: tuple[frozenset[Card], ...]
    holds: tuple[frozenset[Card], ...]
    played: tuple[frozenset[Card], ...]
    passes: tuple[tuple[Card, ...], ...]


def known_from(facts: Sequence[Fact], rules: RuleSet, shift: int) -> Known:
    """What a viewer knows for certain from their `facts` of a deal.

    A player who does not follow lacks the suit. One who leads a heart before any was played has
    only hearts, and one who plays a penalty card to the first trick has only such cards. The first
    leader holds the two of clubs. Passed cards stay where the viewer passed them until played.
    """
    barred: list[set[Card]] = [set() for _ in range(SEATS)]
    holds: list[set[Card]] = [set() for _ in range(SEATS)]
    played: list[set[Card]] = [set() for _ in range(SEATS)]
    passes: list[tuple[Card, ...]] = [()] * SEATS
    led: Card | None = None
    broken, opening = False, rules.opening
    for fact in facts:
        match fact.verb:
            case "cards_given":
                passes[_seat(fact, "seat")] = _cards(fact)
                holds[_seat(fact, "receiver")] |= set(_cards(fact))
            case "cards_received":
                passes[giver_to(_seat(fact, "seat"), shift)] = _cards(fact)
            case "deal_laid" | "play_begun" if rules.opening:
                holds[_seat(fact, "leader")].add(TWO_OF_CLUBS)
            case "card_played":
                seat, card = _seat(fact, "seat"), parse_card(_text(fact.args["card"]))
                played[seat].add(card)
                holds[seat].discard(card)
                if led is None:
                    led = card
                    if suit_of(card) == HEARTS and not broken:
                        barred[seat] |= _NO_HEARTS
                elif suit_of(card) != suit_of(led):
                    barred[seat] |= OF_SUIT[suit_of(led)]
                    if opening and card in PENALTY_CARDS:
                        barred[seat] |= _NO_PENALTIES
                broken = broken or card in HEART_CARDS
            case "trick_taken":
                led, opening = None, False
    return Known(
        tuple(map(frozenset, barred)),
        tuple(map(frozenset, holds)),
        tuple(map(frozenset, played)),
        tuple(passes),
    )


def _seat(fact: Fact, name: str) -> Seat:
    seat = fact.args[name]
    assert isinstance(seat, int)
    return seat


def _cards(fact: Fact) -> tuple[Card, ...]:
    return parse_cards(_text(fact.args["cards"]))


def _text(value: Value) -> str:
    assert isinstance(value, str)
    return value
