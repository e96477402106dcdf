"""The facts of a deal of Spades, and who may know each of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.cards import Card, card_texts
from engine.facts import SPECTATOR, AddressedFact, Move, Seat, Set, Value, public
from engine.games.spades.scoring import PENALTY, TeamResult
from engine.games.spades.state import NIL, SEATS, TEAMS, TRICKS, State
from engine.games.spades.view import asked, bid, blind, tricks, view_of
from engine.games.trick_games import hand_dealt, table_laid, taken


def dealing(state: State) -> Iterator[AddressedFact]:
    """The first facts of a deal: the pack on the table, and hands for the seats that may look."""
    # Bids of the deal before are taken away.
    before = [name(seat) for name in (bid, blind) for seat in range(SEATS)]
    told: dict[str, Value] = {"seat": state.dealer, "cards": TRICKS}
    yield public("deal_opened", told, table_laid(view_of(state, SPECTATOR), without=before))
    for seat in range(SEATS):
        if state.looked[seat]:
            yield from hand_dealt(seat, state.hands[seat])


@lru_cache(maxsize=SEATS * (TRICKS + 2) * SEATS)
def bid_made(seat: Seat, number: int, turn: Seat) -> AddressedFact:
    """A bid has been made; `turn` is the seat that bids next, or leads."""
    changes = (Set(bid(seat), number), Set("turn", (turn,)))
    if number == NIL:
        return public("nil_bid", {"seat": seat}, changes)
    return public("bid_made", {"seat": seat, "bid": number}, changes)


def blind_nil_bid(seat: Seat, turn: Seat) -> AddressedFact:
    """A nil has been bid before its player looked at the cards."""
    changes = (Set(bid(seat), NIL), Set(blind(seat), True), Set("turn", (turn,)))
    return public("blind_nil_bid", {"seat": seat}, changes)


def bidding_ended(after: State) -> AddressedFact:
    """All have bid: together more tricks than there are, fewer, or as many."""
    told: dict[str, Value] = {"bids": sum(after.bids), "cards": TRICKS}
    return public("bidding_ended", {"leader": after.leader, **told})


SPADES_BROKEN = public("spades_broken", {}, (Set("broken", True),))
"""The first spade has been played."""


def trick_won(after: State, seat: Seat, trick: Sequence[Card]) -> AddressedFact:
    """`trick` joins the pile of `seat`, which leads next unless the deal is over."""
    number = after.tricks(seat)
    changes = (
        Move("trick", taken(seat), card_texts(trick)),
        Set(tricks(seat), number),
        Set("leader", seat),
        Set("turn", asked(after)),
    )
    return public(
        "trick_won", {"seat": seat, "tricks": number, "bid": after.bids[seat]}, changes
    ).held()


def results_told(results: Sequence[TeamResult]) -> Iterator[AddressedFact]:
    """The result of each team: its nils, its contract, its bags."""
    for (seat, partner), result in zip(TEAMS, results, strict=True):
        for player, points in result.nils.items():
            verb = "nil_made" if points > 0 else "nil_failed"
            yield public(verb, {"seat": player, "points": abs(points)})
        both: dict[str, Value] = {"seat": seat, "partner": partner}
        if result.contract:
            verb = "contract_made" if result.made else "contract_failed"
            told: dict[str, Value] = {"tricks": result.contract, "bags": result.bags}
            yield public(verb, both | told)
        if result.penalties:
            yield public("bags_penalised", both | {"points": PENALTY * result.penalties})
