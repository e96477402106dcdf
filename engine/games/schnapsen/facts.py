"""The facts of a deal of Schnapsen, and who may know each of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import starmap

from engine.cards import Card, card_text, card_texts
from engine.facts import (
    SPECTATOR,
    AddressedFact,
    Change,
    Move,
    Seat,
    Set,
    Show,
    Value,
    private,
    public,
    to_others,
)
from engine.games.schnapsen.cards import values
from engine.games.schnapsen.state import EMPTY, State
from engine.games.schnapsen.view import closed, counted, view_of
from engine.games.trick_games import hand, hand_dealt, table_laid, taken

_OVER = Set("turn", ())


def dealing(state: State) -> Iterator[AddressedFact]:
    """The first facts of a deal: all cards in the talon, a hand for each seat, the trump."""
    seats = (state.leader, 1 - state.leader)
    # What was closed in the deal before is open again.
    blank = view_of(state, SPECTATOR)
    laid = table_laid(blank, stock="talon", without=map(closed, seats))
    yield public("deal_laid", {"leader": state.leader}, laid)
    for seat in seats:
        yield from hand_dealt(seat, state.hands[seat], "talon")
    if state.turned != EMPTY:
        token = card_text(state.turned)
        yield public("card_turned", {"card": token}, (Move("talon", "turned", (token,)),))


def trick_taken(after: State, trick: Sequence[Card]) -> AddressedFact:
    """`trick` joins the pile of its taker, who leads next."""
    seat = after.leader
    changes: tuple[Change, ...] = (
        Move("trick", taken(seat), card_texts(trick)),
        *starmap(Set, counted(after, seat).items()),
        Set("leader", seat),
        Set("turn", (seat,)),
    )
    return public("trick_taken", {"seat": seat, "points": values(trick)}, changes).held()


def card_drawn(seat: Seat, card: Card) -> tuple[AddressedFact, AddressedFact]:
    """The next card of the talon, as a face for the player who draws it and a back for others."""
    target, token = hand(seat), card_text(card)
    own: dict[str, Value] = {"seat": seat, "card": token}
    return (
        private(seat, "card_drawn", own, (Move("talon", target, (token,)),)),
        to_others(seat, "back_drawn", {"seat": seat}, (Move("talon", target, 1),)),
    )


@lru_cache(maxsize=64)
def trump_drawn(seat: Seat, card: Card) -> AddressedFact:
    """`seat` draws the last card, the trump that lay face up."""
    token = card_text(card)
    changes = (Move("turned", hand(seat), (token,)),)
    return public("trump_drawn", {"seat": seat, "card": token}, changes)


def exchanged(seat: Seat, jack: Card, turned: Card) -> AddressedFact:
    """The jack of trumps takes the place of the card that lay face up."""
    up, down = card_text(turned), card_text(jack)
    changes = (Move("turned", hand(seat), (up,)), Move(hand(seat), "turned", (down,)))
    return public("exchanged", {"seat": seat, "card": up}, changes)


@lru_cache(maxsize=2)
def talon_closed(seat: Seat) -> AddressedFact:
    """`seat` closes the talon: nobody draws any more."""
    return public("talon_closed", {"seat": seat}, (Set(closed(seat), True),))


def marriage_announced(
    after: State, seat: Seat, pair: Sequence[Card], new: Sequence[Card], points: int
) -> tuple[AddressedFact, AddressedFact]:
    """`pair` is announced; those of it that are `new` to others are shown.

    In the owner's hand the cards that are shown go to the end, where they stand for the others.
    """
    cards = " ".join(card_texts(pair))
    args: dict[str, Value] = {"seat": seat, "cards": cards, "points": points}
    counts = tuple(starmap(Set, counted(after, seat).items()))
    shown, where = card_texts(new), hand(seat)
    return (
        private(seat, "marriage_announced", args, (Move(where, where, shown), *counts)),
        to_others(seat, "marriage_announced", args, (Show(where, shown), *counts)),
    )


def claim_made(seat: Seat) -> AddressedFact:
    """`seat` claims to have 66 card points."""
    return public("claim_made", {"seat": seat})


def sixty_six(after: State, seat: Seat) -> AddressedFact:
    """`seat` has won the deal by its card points."""
    against = {"against": after.points(1 - seat)}
    return public("deal_won", {**_ended(after, seat), **against}, (_OVER,))


def played_out(after: State, seat: Seat) -> AddressedFact:
    """`seat` has won the deal by its last trick."""
    return public("last_trick_won", _ended(after, seat), (_OVER,))


def closing_failed(after: State, seat: Seat) -> AddressedFact:
    """`seat` has closed the talon and has not reached 66."""
    return public("closing_failed", _ended(after, seat), (_OVER,))


def claim_failed(after: State, seat: Seat) -> AddressedFact:
    """`seat` has claimed 66 without having them."""
    return public("claim_failed", _ended(after, seat), (_OVER,))


def _ended(after: State, seat: Seat) -> dict[str, Value]:
    assert after.result is not None
    return {"seat": seat, "points": after.points(seat), "score": after.result.score}
