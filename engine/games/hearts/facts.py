"""What is told of a deal of Hearts, and to whom.

Facts of single cards are kept once made: a busy server tells the same few all the time.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import starmap

from engine.cards import Card, card_text, card_texts
from engine.facts import (
    SPECTATOR,
    AddressedFact,
    Change,
    Lay,
    Move,
    Seat,
    Set,
    Value,
    private,
    public,
    to_others,
)
from engine.games.hearts.cards import points
from engine.games.hearts.rule_sets import DIRECTIONS
from engine.games.hearts.state import PASSED, SEATS, State, receiver_of
from engine.games.hearts.view import asked, passing, values_of, view_of
from engine.games.piles import hand, taken


def dealing(state: State) -> Iterator[AddressedFact]:
    """A deal's first facts: the table is laid, each seat gets its hand, somebody leads."""
    zones: dict[str, int] = dict.fromkeys(view_of(state, SPECTATOR).zones, 0)
    zones["deck"] = sum(map(len, state.hands))
    # The leader of the deal before is no longer that one.
    values: dict[str, Value] = {"leader": None, **values_of(state)}
    changes: tuple[Change, ...] = (Lay(zones), *starmap(Set, values.items()))
    if state.passing:
        yield public("passing_begun", {"direction": DIRECTIONS[state.shift]}, changes)
    else:
        yield public("deal_laid", {"leader": state.leader}, changes)
    for seat, cards in enumerate(state.hands):
        args: dict[str, Value] = {"seat": seat, "count": len(cards)}
        target = hand(seat)
        yield private(seat, "hand_dealt", args, (Move("deck", target, card_texts(cards)),))
        yield to_others(seat, "hand_dealt", args, (Move("deck", target, len(cards)),))


def cards_chosen(after: State, seat: Seat) -> Iterator[AddressedFact]:
    """A seat has laid aside what it passes; the others are told no more than that."""
    tokens = card_texts(after.passed[seat])
    turn = Set("turn", after.choosing)
    receiver = receiver_of(seat, after.shift)
    own: dict[str, Value] = {"seat": seat, "cards": " ".join(tokens), "receiver": receiver}
    there = hand(seat), passing(seat)
    yield private(seat, "cards_chosen", own, (Move(*there, tokens), turn))
    yield to_others(seat, "choice_made", {"seat": seat}, (Move(*there, PASSED), turn))


def cards_exchanged(after: State) -> Iterator[AddressedFact]:
    """All have chosen: who gives and who gets is told the cards, the others their number.

    What one gets is sorted into the hand, and so the hand moves once onto itself.
    """
    for seat, cards in enumerate(after.passed):
        receiver = receiver_of(seat, after.shift)
        told: dict[str, Value] = {"seat": seat, "receiver": receiver}
        got: dict[str, Value] = {"seat": receiver, "giver": seat}
        tokens, there = card_texts(cards), (passing(seat), hand(receiver))
        named: dict[str, Value] = {"cards": " ".join(tokens)}
        given = Move(*there, tokens, hidden=True)
        yield private(seat, "cards_given", told | named, (given,))
        sorted_in = Move(there[1], there[1], card_texts(after.hands[receiver]))
        taken_up = (Move(*there, tokens), sorted_in)
        yield private(receiver, "cards_received", got | named, taken_up)
        yield to_others((seat, receiver), "cards_passed", told, (Move(*there, PASSED),))
    changes = (Set("leader", after.leader), Set("turn", asked(after)))
    yield public("play_begun", {"leader": after.leader}, changes)


@lru_cache(maxsize=SEATS * 52 * 2 * (SEATS + 1))
def card_played(seat: Seat, card: Card, turn: Seat | None) -> AddressedFact:
    """A card leaves the hand; `turn` is next unless the trick is full."""
    token = card_text(card)
    changes: tuple[Change, ...] = (Move(hand(seat), "trick", (token,)),)
    if turn is not None:
        changes = (*changes, Set("turn", (turn,)))
    return public("card_played", {"seat": seat, "card": token}, changes)


HEARTS_BROKEN = public("hearts_broken", {}, (Set("broken", True),))
"""The first heart has been played."""


def trick_taken(after: State, seat: Seat, trick: Sequence[Card]) -> AddressedFact:
    """`trick` has joined what `seat` took, who leads next unless the deal is over."""
    changes = (
        Move("trick", taken(seat), card_texts(trick)),
        Set(f"points/{seat}", points(after.taken[seat])),
        Set("leader", seat),
        Set("turn", asked(after)),
    )
    return public("trick_taken", {"seat": seat, "points": points(trick)}, changes)


def moon_shot(seat: Seat) -> AddressedFact:
    """Somebody has taken all points."""
    return public("moon_shot", {"seat": seat})
