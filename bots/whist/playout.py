"""Playouts of whole deals by policy, by plain rules or at random, as kernels."""

from bots.search.compiled import kernel, kernel_of
from bots.search.draws import Draws, below
from bots.whist import bits, plain, policy
from bots.whist.open_deal import (
    END,
    SEEN,
    START,
    Deal,
    best_card,
    copy_deal,
    count,
    led,
    legal,
    lowest,
    over,
    play,
    turn,
)
from bots.whist.policy import PolicyWeights

choose_card = kernel_of(policy.choose_card)
plain_card = kernel_of(plain.plain_card)
ALL = bits.ALL


@kernel
def policy_move(deal: Deal, weights: PolicyWeights) -> int:
    """The policy's card for the player to move, from that player's knowledge."""
    seat = turn(deal)
    following = deal.seats - 1 - (deal.at[END] - deal.at[START])
    eager = 0
    for step in range(1, following + 1):
        other = (seat + step) % deal.seats
        if deal.taken[other] < deal.bids[other]:
            eager += 1
    hand = deal.hands[seat]
    return choose_card(
        hand,
        ALL & ~hand & ~deal.at[SEEN],
        led(deal),
        best_card(deal),
        deal.trump,
        deal.bids[seat] - deal.taken[seat],
        deal.seats - 1,
        eager,
        following - eager,
        weights,
    )


@kernel
def plain_move(deal: Deal) -> int:
    """Strength 1's card for the player to move, from that player's knowledge."""
    seat = turn(deal)
    hand = deal.hands[seat]
    return plain_card(
        hand,
        ALL & ~hand & ~deal.at[SEEN],
        led(deal),
        best_card(deal),
        deal.trump,
        deal.bids[seat] - deal.taken[seat],
        deal.seats - 1 - (deal.at[END] - deal.at[START]),
    )


@kernel
def play_by_policy(deal: Deal, weights: PolicyWeights) -> None:
    """Play to the end with the policy in every seat."""
    while not over(deal):
        play(deal, policy_move(deal, weights))


@kernel
def random_move(deal: Deal, draws: Draws) -> int:
    """A random legal card, each equally likely."""
    return any_of(legal(deal), draws)


@kernel
def any_of(moves: int, draws: Draws) -> int:
    """A random one of at least one card or other move, each equally likely."""
    for _ in range(below(draws, count(moves))):
        moves &= moves - 1
    return lowest(moves)


@kernel
def play_at_random(deal: Deal, draws: Draws) -> None:
    """Play to the end with random legal cards."""
    while not over(deal):
        play(deal, random_move(deal, draws))


@kernel
def play_often(
    deal: Deal, work: Deal, times: int, judged: bool, weights: PolicyWeights, draws: Draws
) -> None:
    """Play `deal` to its end a number of times, for benchmarks."""
    for _ in range(times):
        copy_deal(deal, work)
        if judged:
            play_by_policy(work, weights)
        else:
            play_at_random(work, draws)
