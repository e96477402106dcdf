"""What is told of a deal of Whist, and to whom."""

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
from engine.games.piles import hand, taken
from engine.games.whist.state import State
from engine.games.whist.view import bid, tricks, view_of


def dealing(state: State) -> Iterator[AddressedFact]:
    """A deal's first facts: the pack on the table, a hand to each seat, a card turned up."""
    blank = view_of(state, SPECTATOR)
    zones = dict.fromkeys(blank.zones, 0)
    zones["deck"] = sum(map(len, blank.zones.values()))
    # Bids of the deal before are taken away.
    values: dict[str, Value] = dict.fromkeys(map(bid, range(state.setup.seats)))
    values |= blank.values
    told: dict[str, Value] = {"seat": state.dealer, "cards": state.cards}
    yield public("deal_opened", told, (Lay(zones), *starmap(Set, values.items())))
    for seat, cards in enumerate(state.hands):
        args: dict[str, Value] = {"seat": seat, "count": len(cards)}
        target = hand(seat)
        yield private(seat, "hand_dealt", args, (Move("deck", target, card_texts(cards)),))
        yield to_others(seat, "hand_dealt", args, (Move("deck", target, len(cards)),))
    token = card_text(state.turned)
    yield public("card_turned", {"card": token}, (Move("deck", "turned", (token,)),))


@lru_cache(maxsize=1024)
def bid_made(seat: Seat, number: int, turn: Seat) -> AddressedFact:
    """A bid; `turn` is who bids next, or leads."""
    changes = (Set(bid(seat), number), Set("turn", (turn,)))
    return public("bid_made", {"seat": seat, "bid": number}, changes)


def bidding_ended(after: State) -> AddressedFact:
    """All have bid, together more tricks than there are, or fewer, or as many."""
    told: dict[str, Value] = {"bids": sum(after.bids), "cards": after.cards}
    return public("bidding_ended", {"leader": after.leader, **told})


@lru_cache(maxsize=8192)
def card_played(seat: Seat, card: Card, turn: Seat | None) -> AddressedFact:
    """A card leaves the hand; `turn` is next unless the trick is full."""
    token = card_text(card)
    changes: tuple[Change, ...] = (Move(hand(seat), "trick", (token,)),)
    if turn is not None:
        changes = (*changes, Set("turn", (turn,)))
    return public("card_played", {"seat": seat, "card": token}, changes)


def trick_won(after: State, seat: Seat, trick: Sequence[Card]) -> AddressedFact:
    """`trick` has joined what `seat` took, who leads next unless the deal is over."""
    number = after.tricks(seat)
    changes = (
        Move("trick", taken(seat), card_texts(trick)),
        Set(tricks(seat), number),
        Set("leader", seat),
        Set("turn", () if after.over else (seat,)),
    )
    return public("trick_won", {"seat": seat, "tricks": number, "bid": after.bids[seat]}, changes)
