"""What is told of a deal of Black Queen, and to whom.

Facts of single cards are kept once made: a busy server tells the same few thousand all the time.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.cards import Card, card_text, card_texts
from engine.facts import (
    SPECTATOR,
    AddressedFact,
    Change,
    Lay,
    Move,
    Seat,
    Set,
    Show,
    Value,
    private,
    public,
    to_others,
)
from engine.games.black_queen.cards import points
from engine.games.black_queen.state import EMPTY, State
from engine.games.black_queen.view import column, view_of
from engine.games.piles import hand, taken


def dealing(state: State) -> Iterator[AddressedFact]:
    """A deal's first facts: the table is laid, then each seat gets its hand and its columns.

    A hand goes to its owner by name and to all others as so many backs.
    """
    blank = view_of(state, SPECTATOR)
    zones = dict.fromkeys(blank.zones, 0)
    zones["deck"] = sum(map(len, blank.zones.values()))
    values = (Set(key, value) for key, value in blank.values.items())
    yield public("deal_laid", {"leader": state.leader}, (Lay(zones), *values))
    for seat, cards in enumerate(state.hands):
        args: dict[str, Value] = {"seat": seat, "count": len(cards)}
        target = hand(seat)
        yield private(seat, "hand_dealt", args, (Move("deck", target, card_texts(cards)),))
        yield to_others(seat, "hand_dealt", args, (Move("deck", target, len(cards)),))
        below = _to_columns(seat, [None if card == EMPTY else 1 for card in state.down[seat]])
        above = _to_columns(
            seat, [None if card == EMPTY else (card_text(card),) for card in state.up[seat]]
        )
        if changes := (*below, *above):
            count = len(state.up[seat])
            yield public("columns_dealt", {"seat": seat, "count": count}, changes)


@lru_cache(maxsize=8192)
def card_played(seat: Seat, card: Card, number: int, turn: Seat | None) -> AddressedFact:
    """A card leaves the hand (`number` 0) or a column; `turn` is next unless the trick is full."""
    token = card_text(card)
    source = column(seat, number) if number else hand(seat)
    changes: tuple[Change, ...] = (Move(source, "trick", (token,)),)
    if turn is not None:
        changes = (*changes, Set("turn", (turn,)))
    return public("card_played", {"seat": seat, "card": token}, changes)


def trick_taken(after: State, seat: Seat, trick: Sequence[Card]) -> AddressedFact:
    """`trick` has joined what `seat` took, who leads next unless the deal is over."""
    changes = (
        Move("trick", taken(seat), card_texts(trick)),
        Set(f"points/{seat}", points(after.taken[seat])),
        Set("leader", seat),
        Set("turn", () if after.over else (seat,)),
    )
    return public("trick_taken", {"seat": seat, "points": points(trick)}, changes)


@lru_cache(maxsize=8192)
def card_flipped(seat: Seat, number: int, card: Card) -> AddressedFact:
    token = card_text(card)
    changes = (Show(column(seat, number), (token,)),)
    return public("card_flipped", {"seat": seat, "card": token}, changes)


def _to_columns(seat: Seat, cards: Sequence[tuple[str] | int | None]) -> list[Change]:
    return [
        Move("deck", column(seat, number), moved)
        for number, moved in enumerate(cards, start=1)
        if moved is not None
    ]
