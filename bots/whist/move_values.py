"""The values of cards and bids over worlds: the inner loops of a decision by max^n."""

import numpy as np

from bots.search.compiled import kernel
from bots.whist.likelihoods import NO_BID, certain_of, choose_bid, expected_tricks
from bots.whist.maxn import Search, maxn, value_for
from bots.whist.open_deal import Deal, Floats, Ints, copy_deal, count, play


@kernel
def values_of_cards(
    deal: Deal, hands: Ints, cards: Ints, depth: int, search: Search, work: Deal, values: Floats
) -> int:
    """Fill `values[world, card]` with each card's value; returns the nodes searched."""
    nodes = 0
    for row in range(hands.shape[0]):
        for at in range(cards.size):
            copy_deal(deal, work)
            work.hands[:] = hands[row]
            play(work, cards[at])
            nodes += maxn(work, depth, search)
            values[row, at] = value_for(search.values[0], search.me, search)
    return nodes


@kernel
def values_of_bids(
    deal: Deal,
    hands: Ints,
    bids: Ints,
    order: Ints,
    hook: bool,
    turned: int,
    depth: int,
    search: Search,
    work: Deal,
    values: Floats,
) -> int:
    """Fill `values[world, bid]` with the worth of each of `bids`; returns the nodes searched.

    Players who have not bid yet bid by the policy.
    """
    nodes = 0
    expected = np.zeros(deal.seats)
    for row in range(hands.shape[0]):
        for seat in range(deal.seats):
            if deal.bids[seat] == NO_BID and seat != search.me:
                expected[seat] = expected_tricks(
                    deal, seat, hands[row, seat], turned, search.policy_weights
                )
        for at in range(bids.size):
            copy_deal(deal, work)
            work.hands[:] = hands[row]
            work.bids[search.me] = bids[at]
            bid_on(work, expected, order, hook, turned, search)
            nodes += maxn(work, depth, search)
            values[row, at] = value_for(search.values[0], search.me, search)
    return nodes


@kernel
def bid_on(
    deal: Deal, expected: Floats, order: Ints, hook: bool, turned: int, search: Search
) -> None:
    """Let every player who has not bid do so, in order."""
    dealt = count(deal.hands[order[0]])
    their_sum = 0
    for before in range(order.size):
        seat = order[before]
        if deal.bids[seat] == NO_BID:
            barred = dealt - their_sum if hook and before == order.size - 1 else -1
            deal.bids[seat] = choose_bid(
                expected[seat],
                dealt,
                deal.seats,
                before,
                their_sum,
                barred,
                deal.nil_score,
                certain_of(deal, deal.hands[seat], turned),
                search.policy_weights,
            )
        their_sum += deal.bids[seat]
