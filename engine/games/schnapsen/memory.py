"""What the facts of a deal of Schnapsen tell beyond the view they lead to.

All of it is known to everybody, so any viewer's facts will do.
"""

from collections.abc import Iterable, Sequence

from engine.cards import Card, Piles, Suit, parse_card, parse_cards, suit_of, with_pile, without
from engine.facts import Fact, Seat
from engine.games.schnapsen.cards import PACK, jack_of, value_of, values
from engine.games.schnapsen.state import EMPTY, Closing, Result


def shown(facts: Iterable[Fact], trump: Suit) -> Piles:
    """The cards of each hand that everybody knows, in the order in which they became known."""
    piles: Piles = ((), ())
    for fact in facts:
        match fact.verb:
            case "card_played":
                piles = _hidden(piles, _seat(fact), _card(fact))
            case "marriage_announced":
                piles = _seen(piles, _seat(fact), _pair(fact))
            case "exchanged":
                piles = _hidden(piles, _seat(fact), jack_of(trump))
                piles = _seen(piles, _seat(fact), (_card(fact),))
            case "trump_drawn":
                piles = _seen(piles, _seat(fact), (_card(fact),))
            case _:
                pass
    return piles


def barred(facts: Iterable[Fact], trump: Suit) -> tuple[frozenset[Card], frozenset[Card]]:
    """The cards that each hand cannot hold, because it would have had to play one of them.

    That tells something only once the talon is closed or exhausted; from then on hands never grow.
    """
    lacking: tuple[set[Card], set[Card]] = (set(), set())
    led: Card = EMPTY
    strict = False
    for fact in facts:
        match fact.verb:
            case "talon_closed" | "trump_drawn":
                strict = True
            case "card_played" if led == EMPTY:
                led = _card(fact)
            case "card_played":
                if strict:
                    lacking[_seat(fact)].update(_better_answers(led, _card(fact), trump))
                led = EMPTY
            case _:
                pass
    return frozenset(lacking[0]), frozenset(lacking[1])


def closing(facts: Iterable[Fact], taken: Piles) -> Closing | None:
    """Who closed, and what the opponent had then; `taken` is what both have by now."""
    tricks, marriages = [0, 0], [0, 0]
    for fact in facts:
        match fact.verb:
            case "trick_taken":
                tricks[_seat(fact)] += 1
            case "marriage_announced":
                marriages[_seat(fact)] += _number(fact, "points")
            case "talon_closed":
                other = 1 - _seat(fact)
                cards = taken[other][: 2 * tricks[other]]
                points = values(cards) + marriages[other] if cards else 0
                return Closing(1 - other, points, tricks[other])
            case _:
                pass
    return None


def announced(facts: Sequence[Fact]) -> Card:
    """The card that must be led after a marriage; EMPTY if none."""
    for fact in reversed(facts):
        if fact.verb == "marriage_announced":
            return _pair(fact)[0]
        if fact.verb == "card_played":
            break
    return EMPTY


def result(facts: Iterable[Fact]) -> Result | None:
    """How the deal ended; None while it goes on."""
    for fact in facts:
        if fact.verb in ("deal_won", "last_trick_won"):
            return Result(_seat(fact), _number(fact, "score"))
        if fact.verb in ("closing_failed", "claim_failed"):
            return Result(1 - _seat(fact), _number(fact, "score"))
    return None


def _better_answers(led: Card, answer: Card, trump: Suit) -> Iterable[Card]:
    """The cards that would have had to be played in place of `answer`."""
    if suit_of(answer) == suit_of(led):
        if value_of(answer) > value_of(led):
            return ()
        return [c for c in PACK if suit_of(c) == suit_of(led) and value_of(c) > value_of(led)]
    missing = (suit_of(led),) if suit_of(answer) == trump else (suit_of(led), trump)
    return [card for card in PACK if suit_of(card) in missing]


def _hidden(piles: Piles, seat: Seat, card: Card) -> Piles:
    pile = piles[seat]
    return with_pile(piles, seat, without(pile, card)) if card in pile else piles


def _seen(piles: Piles, seat: Seat, cards: Iterable[Card]) -> Piles:
    pile = piles[seat]
    return with_pile(piles, seat, pile + tuple(card for card in cards if card not in pile))


def _seat(fact: Fact) -> Seat:
    return _number(fact, "seat")


def _number(fact: Fact, name: str) -> int:
    value = fact.args[name]
    assert isinstance(value, int)
    return value


def _card(fact: Fact) -> Card:
    return parse_card(str(fact.args["card"]))


def _pair(fact: Fact) -> tuple[Card, ...]:
    return parse_cards(str(fact.args["cards"]))
