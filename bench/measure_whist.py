"""Whist: what a move of each searching player costs, and how fast its kernels are."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from statistics import median
from time import process_time

from bench.figures import Figure, at_most
from bench.measure_bots import milliseconds_a_move
from bots import strengths
from bots.search.draws import draws_from
from bots.whist.knowledge import cards_set
from bots.whist.maxn import BY_CLASSES, maxn, new_search
from bots.whist.open_deal import Deal, new_deal
from bots.whist.playout import play_often
from bots.whist.policy import POLICY_WEIGHTS

MILLISECONDS = 50
"""The most milliseconds a move may take."""
SEATS, CARDS = 5, 10
DEALS = 2000
SEARCHES = 20
ROUNDS = 5


def measure() -> Iterator[Figure]:
    """Milliseconds a move by strength, and the rates of the kernels."""
    for strength in strengths("whist")[1:]:
        spent = milliseconds_a_move("whist", strength)
        yield Figure(f"whist.move.{strength}", spent, "ms/move", at_most(MILLISECONDS))
    deals = [random_deal(seed) for seed in range(SEARCHES)]
    work = new_deal(SEATS, 0, 10, 0, 0)
    draws = draws_from(Random(1))
    search = new_search(deals[0], BY_CLASSES, me=0)

    def deals_by(judged: bool, number: int) -> int:
        play_often(deals[0], work, number, judged, POLICY_WEIGHTS, draws)
        return number

    def nodes(number: int) -> int:
        return sum(int(maxn(deals[at % SEARCHES], 4, search)) for at in range(number))

    yield Figure("whist.random", rate(partial(deals_by, False), DEALS), "deals/s")
    yield Figure("whist.judged", rate(partial(deals_by, True), DEALS), "deals/s")
    yield Figure("whist.maxn", rate(nodes, SEARCHES), "nodes/s")


def random_deal(seed: int) -> Deal:
    """Ten cards to each of five players, who have each bid two."""
    cards = Random(seed).sample(range(52), SEATS * CARDS + 1)
    deal = new_deal(SEATS, cards[-1] // 13, 10, 0, 1 << cards[-1])
    for seat in range(SEATS):
        deal.hands[seat] = cards_set(cards[seat * CARDS : (seat + 1) * CARDS])
    deal.bids[:] = 2
    return deal


def rate(work: Callable[[int], int], number: int) -> float:
    """How much of `work` is done per second of processor time: the median of some rounds."""
    # Compiled before the clock starts.
    work(1)
    rates = []
    for _ in range(ROUNDS):
        begun = process_time()
        done = work(number)
        rates.append(done / (process_time() - begun))
    return median(rates)
