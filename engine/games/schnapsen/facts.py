"""What is told of a deal of Schnapsen, and to whom."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import starmap

from engine.cards import Card, card_text, card_texts
from engine.facts import SPECTATOR, Change, Fact, Lay, Move, Seat, Set, Show, Value, all_but, only
from engine.games.piles import hand, taken
from engine.games.schnapsen.cards import values
from engine.games.schnapsen.state import EMPTY, State
from engine.games.schnapsen.view import closed, counted, view_of

_OVER = Set("turn", ())


def dealing(state: State) -> Iterator[Fact]:
    """A deal's first facts: all cards in the talon, a hand to each seat, the trump turned up."""
    blank = view_of(state, SPECTATOR)
    zones = dict.fromkeys(blank.zones, 0)
    zones["talon"] = sum(map(len, blank.zones.values()))
    seats = (state.leader, 1 - state.leader)
    # What was closed in the deal before is open again.
    values: dict[str, Value] = {**dict.fromkeys(map(closed, seats)), **blank.values}
    yield Fact("deal_laid", {"leader": state.leader}, (Lay(zones), *starmap(Set, values.items())))
    for seat in seats:
        cards, target = state.hands[seat], hand(seat)
        args: dict[str, Value] = {"seat": seat, "count": len(cards)}
        yield Fact("hand_dealt", args, (Move("talon", target, card_texts(cards)),), only(seat))
        yield Fact("hand_dealt", args, (Move("talon", target, len(cards)),), all_but(seat))
    if state.turned != EMPTY:
        token = card_text(state.turned)
        yield Fact("card_turned", {"card": token}, (Move("talon", "turned", (token,)),))


@lru_cache(maxsize=256)
def card_played(seat: Seat, card: Card, turn: Seat | None) -> Fact:
    """A card leaves the hand; `turn` is next unless the trick is full."""
    token = card_text(card)
    changes: tuple[Change, ...] = (Move(hand(seat), "trick", (token,)),)
    if turn is not None:
        changes = (*changes, Set("turn", (turn,)))
    return Fact("card_played", {"seat": seat, "card": token}, changes)


def trick_taken(after: State, trick: Sequence[Card]) -> Fact:
    """`trick` has joined what its taker took, who leads next."""
    seat = after.leader
    changes: tuple[Change, ...] = (
        Move("trick", taken(seat), card_texts(trick)),
        *starmap(Set, counted(after, seat).items()),
        Set("leader", seat),
        Set("turn", (seat,)),
    )
    return Fact("trick_taken", {"seat": seat, "points": values(trick)}, changes)


def card_drawn(seat: Seat, card: Card) -> tuple[Fact, Fact]:
    """The next card of the talon: a face for who draws it, a back for all others."""
    target, token = hand(seat), card_text(card)
    named = Fact("card_drawn", {"seat": seat, "card": token}, (Move("talon", target, (token,)),))
    back = Fact("back_drawn", {"seat": seat}, (Move("talon", target, 1),))
    return _told(named, seat), _told_others(back, seat)


@lru_cache(maxsize=64)
def trump_drawn(seat: Seat, card: Card) -> Fact:
    token = card_text(card)
    changes = (Move("turned", hand(seat), (token,)),)
    return Fact("trump_drawn", {"seat": seat, "card": token}, changes)


def exchanged(seat: Seat, jack: Card, turned: Card) -> Fact:
    """The jack of trumps lies in the place of the card that lay face up."""
    up, down = card_text(turned), card_text(jack)
    changes = (Move("turned", hand(seat), (up,)), Move(hand(seat), "turned", (down,)))
    return Fact("exchanged", {"seat": seat, "card": up}, changes)


@lru_cache(maxsize=2)
def talon_closed(seat: Seat) -> Fact:
    return Fact("talon_closed", {"seat": seat}, (Set(closed(seat), True),))


def marriage_announced(
    after: State, seat: Seat, pair: Sequence[Card], new: Sequence[Card], points: int
) -> tuple[Fact, Fact]:
    """`pair` is announced; those of it that are `new` to others are shown.

    In the owner's hand the cards that are shown go to the end, where they stand for the others.
    """
    cards = " ".join(card_texts(pair))
    args: dict[str, Value] = {"seat": seat, "cards": cards, "points": points}
    counts = tuple(starmap(Set, counted(after, seat).items()))
    shown, where = card_texts(new), hand(seat)
    own = Fact("marriage_announced", args, (Move(where, where, shown), *counts))
    others = Fact("marriage_announced", args, (Show(where, shown), *counts))
    return _told(own, seat), _told_others(others, seat)


def claim_made(seat: Seat) -> Fact:
    return Fact("claim_made", {"seat": seat})


def sixty_six(after: State, seat: Seat) -> Fact:
    """`seat` has won the deal by its card points."""
    against = {"against": after.points(1 - seat)}
    return Fact("deal_won", {**_ended(after, seat), **against}, (_OVER,))


def played_out(after: State, seat: Seat) -> Fact:
    """`seat` has won the deal by its last trick."""
    return Fact("last_trick_won", _ended(after, seat), (_OVER,))


def closing_failed(after: State, seat: Seat) -> Fact:
    """`seat` has closed the talon and not reached 66."""
    return Fact("closing_failed", _ended(after, seat), (_OVER,))


def claim_failed(after: State, seat: Seat) -> Fact:
    """`seat` has claimed 66 and does not have them."""
    return Fact("claim_failed", _ended(after, seat), (_OVER,))


def _ended(after: State, seat: Seat) -> dict[str, Value]:
    assert after.result is not None
    return {"seat": seat, "points": after.points(seat), "score": after.result.score}


def _told(fact: Fact, seat: Seat) -> Fact:
    return Fact(fact.verb, fact.args, fact.changes, only(seat))


def _told_others(fact: Fact, seat: Seat) -> Fact:
    return Fact(fact.verb, fact.args, fact.changes, all_but(seat))
