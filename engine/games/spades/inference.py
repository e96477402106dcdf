"""What the cards played in a deal of Spades show of hands: suits that a seat cannot hold.

Hands never grow, so what a hand once lacked it lacks for good.
"""

from collections.abc import Sequence

from engine.cards import SPADES, Suit, parse_card, suit_of
from engine.facts import Fact, Seat
from engine.games.spades.state import SEATS

_OTHER_SUITS = frozenset(range(4)) - {SPADES}


def lacking(facts: Sequence[Fact], *, breaking: bool) -> tuple[frozenset[Suit], ...]:
    """For each seat the suits it has shown to lack, from the facts of a deal since its start.

    A seat that does not follow lacks the suit led. With `breaking`, a seat that leads a spade
    before one was played has nothing else.
    """
    lacks: list[frozenset[Suit]] = [frozenset()] * SEATS
    broken = not breaking
    led = SPADES
    for laid, (seat, suit) in enumerate(_plays(facts)):
        if laid % SEATS == 0:
            led = suit
            if suit == SPADES and not broken:
                lacks[seat] |= _OTHER_SUITS
        elif suit != led:
            lacks[seat] |= {led}
        broken = broken or suit == SPADES
    return tuple(lacks)


def _plays(facts: Sequence[Fact]) -> list[tuple[Seat, Suit]]:
    """The seat and suit of each card played, in order."""
    plays = []
    for fact in facts:
        if fact.verb == "card_played":
            seat, token = fact.args["seat"], fact.args["card"]
            assert isinstance(seat, int)
            assert isinstance(token, str)
            plays.append((seat, suit_of(parse_card(token))))
    return plays
