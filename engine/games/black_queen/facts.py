"""The facts of a deal of Black Queen, and who may know each of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.cards import Card, card_text, card_texts
from engine.facts import (
    SPECTATOR,
    AddressedFact,
    Change,
    Move,
    Seat,
    Set,
    Show,
    public,
)
from engine.games.black_queen.cards import points
from engine.games.black_queen.state import EMPTY, State
from engine.games.black_queen.view import column, view_of
from engine.games.trick_games import hand_dealt, table_laid, taken


def dealing(state: State) -> Iterator[AddressedFact]:
    """The first facts of a deal: the table is laid, and each seat gets its hand and columns.

    A hand is named to its owner, and everybody else is told its number of cards.
    """
    laid = table_laid(view_of(state, SPECTATOR))
    yield public("deal_laid", {"leader": state.leader}, laid)
    for seat, cards in enumerate(state.hands):
        yield from hand_dealt(seat, cards)
        below = _to_columns(seat, [None if card == EMPTY else 1 for card in state.down[seat]])
        above = _to_columns(
            seat, [None if card == EMPTY else (card_text(card),) for card in state.up[seat]]
        )
        if changes := (*below, *above):
            count = len(state.up[seat])
            yield public("columns_dealt", {"seat": seat, "count": count}, changes)


def trick_taken(after: State, seat: Seat, trick: Sequence[Card]) -> AddressedFact:
    """`trick` joins the pile of `seat`, which leads next unless the deal is over."""
    changes = (
        Move("trick", taken(seat), card_texts(trick)),
        Set(f"points/{seat}", points(after.taken[seat])),
        Set("leader", seat),
        Set("turn", () if after.over else (seat,)),
    )
    return public("trick_taken", {"seat": seat, "points": points(trick)}, changes).held()


@lru_cache(maxsize=8192)
def card_flipped(seat: Seat, number: int, card: Card) -> AddressedFact:
    """A face-down card of `seat` has lost its cover and is turned up in column `number`."""
    token = card_text(card)
    changes = (Show(column(seat, number), (token,)),)
    return public("card_flipped", {"seat": seat, "card": token}, changes)


def _to_columns(seat: Seat, cards: Sequence[tuple[str] | int | None]) -> list[Change]:
    return [
        Move("deck", column(seat, number), moved)
        for number, moved in enumerate(cards, start=1)
        if moved is not None
    ]
