"""The careful player: its chances, its rules of thumb, and that it knows only its seat's view."""

from math import comb
from random import Random

import numpy as np
import pytest

from bots import Budget
from bots.black_queen.careful import WEIGHTS, careful_move, chance_of_none
from bots.black_queen.knowledge import known_to
from bots.black_queen.open_deal import count, lowest
from bots.black_queen.search import CarefulPlayer
from bots.black_queen.worlds import Worlds
from tests.counts import count as times
from tests.games.black_queen.bots.played import random_moment
from tests.games.black_queen.bots.positions import Player, laid_out, position


def test_the_chance_of_a_void_is_exact() -> None:
    """The chance of a void is C(N − S, n) / C(N, n), for hands drawn without replacement."""
    for unseen in range(1, 41):
        for marked in range(unseen + 1):
            for hand in range(unseen + 1):
                exact = comb(unseen - marked, hand) / comb(unseen, hand)
                assert chance_of_none(marked, unseen, hand) == pytest.approx(exact, abs=1e-12)


def test_forty_cards_ten_marked_ten_in_hand() -> None:
    """The chance that strength 2 takes for 5.6 % is exactly 3.5 %."""
    assert chance_of_none(10, 40, 10) == pytest.approx(0.0354, abs=0.0001)


def test_cards_of_a_suit_are_counted() -> None:
    """The kernels count set bits and find the lowest one in any word."""
    rng = Random(1)
    for _ in range(500):
        word = rng.getrandbits(52) & rng.getrandbits(52)
        assert count(np.uint64(word)) == word.bit_count()
        if word:
            assert lowest(np.uint64(word)) == (word & -word).bit_length() - 1


@pytest.mark.parametrize("seed", range(times(60)))
def test_it_plays_legally_and_by_what_its_seat_knows(seed: int) -> None:
    """The careful player's move is legal, and equal in all worlds that look alike to its seat."""
    deal = random_moment(Random(seed))
    asked = deal.position()
    decision = CarefulPlayer().choose(asked, Budget(), Random(0))
    assert asked.choices.allows(decision.action)
    worlds = Worlds(known_to(asked.seat, asked.view, asked.facts), Random(seed))
    moves = {careful_move(worlds.deal(), WEIGHTS) for _ in range(5)}
    assert len(moves) == 1


@pytest.mark.parametrize(("players", "trick", "played"), [
    ([Player("5D AH"), Player("6D 8H"), Player("3H 9H KH")], "TH 4H", "play 9H"),
    ([Player("5D AC"), Player("6D JC"), Player("3C KC")], "TC 4C", "play KC"),
    ([Player("2D 7D"), Player("AS QS AH", up="9D")], "TC", "play QS"),
    ([Player("5D 6S"), Player("6D 7S"), Player("QS JS 2S")], "KS 4S", "play QS"),
    ([Player("5D AC"), Player("6D 2C"), Player("3C KC", up="2H")], "TC QS", "play 3C"),
])  # fmt: skip
def test_it_ducks_dumps_and_gets_rid_of_high_cards(
    players: list[Player], trick: str, played: str
) -> None:
    """Last to play, it ducks high, takes a worthless trick high, and throws queens at once."""
    asked = position(laid_out(players, trick=trick, rest_to=0))
    assert CarefulPlayer().choose(asked, Budget(), Random(0)).action == played
