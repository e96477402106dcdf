"""The facts of a deal of Hearts, and who may know each of them."""

from collections.abc import Iterator, Sequence

from engine.cards import Card, card_texts
from engine.facts import (
    SPECTATOR,
    AddressedFact,
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
from engine.games.hearts.state import PASSED, State, receiver_of
from engine.games.hearts.view import asked, passing, view_of
from engine.games.trick_games import hand, hand_dealt, table_laid, taken


def dealing(state: State) -> Iterator[AddressedFact]:
    """The first facts of a deal: the table is laid, each seat gets its hand, and one leads."""
    # Nobody leads yet where cards are passed, whoever led in the deal before.
    changes = table_laid(view_of(state, SPECTATOR), without=("leader",))
    if state.passing:
        yield public("passing_begun", {"direction": DIRECTIONS[state.shift]}, changes)
    else:
        yield public("deal_laid", {"leader": state.leader}, changes)
    for seat, cards in enumerate(state.hands):
        yield from hand_dealt(seat, cards)


def cards_chosen(after: State, seat: Seat) -> Iterator[AddressedFact]:
    """A seat has chosen the cards it passes; the others are told nothing more."""
    tokens = card_texts(after.passed[seat])
    turn = Set("turn", after.choosing)
    receiver = receiver_of(seat, after.shift)
    own: dict[str, Value] = {"seat": seat, "cards": " ".join(tokens), "receiver": receiver}
    there = hand(seat), passing(seat)
    yield private(seat, "cards_chosen", own, (Move(*there, tokens), turn))
    yield to_others(seat, "choice_made", {"seat": seat}, (Move(*there, PASSED), turn))


def cards_exchanged(after: State) -> Iterator[AddressedFact]:
    """All have chosen: giver and receiver are told the cards, the others their number.

    Received cards are sorted in, so the hand is moved once onto itself.
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


HEARTS_BROKEN = public("hearts_broken", {}, (Set("broken", True),))
"""The first heart has been played."""


def trick_taken(after: State, seat: Seat, trick: Sequence[Card]) -> AddressedFact:
    """`trick` joins the pile of `seat`, which leads next unless the deal is over."""
    changes = (
        Move("trick", taken(seat), card_texts(trick)),
        Set(f"points/{seat}", points(after.taken[seat])),
        Set("leader", seat),
        Set("turn", asked(after)),
    )
    return public("trick_taken", {"seat": seat, "points": points(trick)}, changes).held()


def moon_shot(seat: Seat) -> AddressedFact:
    """A player has taken all points."""
    return public("moon_shot", {"seat": seat})
