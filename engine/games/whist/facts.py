"""The facts of a deal of Whist, and who may know each of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.cards import Card, card_text, card_texts
from engine.facts import SPECTATOR, AddressedFact, Move, Seat, Set, Value, public
from engine.games.trick_games import hand_dealt, table_laid, taken
from engine.games.whist.state import State
from engine.games.whist.view import bid, tricks, view_of


def dealing(state: State) -> Iterator[AddressedFact]:
    """The first facts of a deal: the pack on the table, a hand for each seat, a card turned up."""
    bids = map(bid, range(state.setup.seats))
    laid = table_laid(view_of(state, SPECTATOR), without=bids)
    yield public("deal_opened", {"seat": state.dealer, "cards": state.cards}, laid)
    for seat, cards in enumerate(state.hands):
        yield from hand_dealt(seat, cards)
    token = card_text(state.turned)
    yield public("card_turned", {"card": token}, (Move("deck", "turned", (token,)),))


@lru_cache(maxsize=1024)
def bid_made(seat: Seat, number: int, turn: Seat) -> AddressedFact:
    """A bid has been made; `turn` is the seat that bids next, or leads."""
    changes = (Set(bid(seat), number), Set("turn", (turn,)))
    return public("bid_made", {"seat": seat, "bid": number}, changes)


def bidding_ended(after: State) -> AddressedFact:
    """All have bid: together more tricks than there are, fewer, or as many."""
    counts: dict[str, Value] = {"bids": sum(after.bids), "cards": after.cards}
    return public("bidding_ended", {"leader": after.leader, **counts})


def trick_won(after: State, seat: Seat, trick: Sequence[Card]) -> AddressedFact:
    """`trick` joins the pile of `seat`, which leads next unless the deal is over."""
    number = after.tricks(seat)
    changes = (
        Move("trick", taken(seat), card_texts(trick)),
        Set(tricks(seat), number),
        Set("leader", seat),
        Set("turn", () if after.over else (seat,)),
    )
    return public(
        "trick_won", {"seat": seat, "tricks": number, "bid": after.bids[seat]}, changes
    ).held()
