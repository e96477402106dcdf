"""The rules of Hearts in the kernels against the engine."""

from random import Random

import pytest

from bots.hearts.bits import any_of, highest, lowest, points_of
from bots.hearts.bits import count as size_of
from bots.hearts.lay_out import set_of
from bots.hearts.open_deal import (
    BEST,
    HAND,
    LAID,
    LED,
    PLAYED,
    RULES,
    STAKE,
    STANDARD,
    TAKEN,
    TAKER,
    TURN,
    VOIDS,
    Deal,
    lay,
    lead_over_others,
    legal_cards,
    new_deal,
    score,
    void_bit,
)
from bots.search.draws import draws_from
from engine.cards import parse_cards
from engine.games.hearts import State
from engine.games.hearts.cards import parse_action, points
from tests.counts import count
from tests.games.hearts.bots.positions import (
    GAME,
    any_deal,
    cards_in,
    laid_out,
    open_deal_of,
    random_walk,
)


def whole(deal: Deal) -> list[int]:
    """What a kernel deal shows; a finished trick is ignored."""
    places = [*range(HAND, HAND + 4), PLAYED, LED, STAKE, LAID, TURN, RULES]
    if deal[LAID]:
        places += [BEST, TAKER]
    return [int(deal[place]) for place in (*places, *range(TAKEN, TAKEN + 4))]


def legal(state: State) -> tuple[int, ...]:
    """The engine's legal cards for the seat to move."""
    actions = GAME.choices(state, state.turn).actions
    return tuple(sorted(parse_action(action)[0] for action in actions))


def test_a_table_plays_as_the_engine_does() -> None:
    """Kernel and engine have equal legal cards and equal states in every position of random deals.

    A deal has 52 positions; 200 deals are the 10,000 that a full run tries.
    """
    for seed in range(count(20)):
        rng = Random(seed)
        deal: Deal | None = None
        for state, _ in random_walk(rng, any_deal(rng)):
            if state.passing:
                continue
            if deal is None:
                deal = open_deal_of(state)
            else:
                # The walk does not say which card was played: it is the one that is gone.
                (card,) = cards_in(int(open_deal_of(state)[PLAYED] & ~deal[PLAYED]))
                lay(deal, card)
                assert whole(deal) == whole(open_deal_of(state))
            outcome = GAME.outcome(state)
            if outcome is None:
                assert cards_in(legal_cards(deal)) == legal(state)
            else:
                assert tuple(score(deal, seat) for seat in range(4)) == outcome.scores


MOONS = (("others", (0, 26, 26, 26)), ("shooter", (-26, 0, 0, 0)))


@pytest.mark.parametrize(("moon", "scores"), MOONS)
def test_a_moon_is_scored_as_the_table_wants_it(moon: str, scores: tuple[int, ...]) -> None:
    """Taking all points gives the others 26 each, or that seat −26, as the option says."""
    deal = new_deal(STANDARD | (2 if moon == "shooter" else 0), 0)
    deal[TAKEN] = 26
    assert tuple(score(deal, seat) for seat in range(4)) == scores
    assert lead_over_others(deal, 0) == 26
    assert lead_over_others(deal, 1) == pytest.approx(sum(scores) / 3 - scores[1] * 4 / 3)


def test_who_does_not_follow_has_shown_a_void() -> None:
    """Playing off suit marks a void for that seat and suit, and for no other."""
    state = laid_out(("2D 3D", "4D 5D", "2C 3C", "6D 7D"))
    deal = open_deal_of(state)
    for card in parse_cards("2D 4D 2C 6D"):
        lay(deal, card)
    assert deal[VOIDS] == void_bit(2, 1)


def test_bits_say_what_sets_of_cards_say() -> None:
    """The functions on bit sets agree with Python's sets; a random card is one of the set."""
    rng = Random(5)
    draws = draws_from(rng)
    for _ in range(count(200)):
        cards = tuple(sorted(rng.sample(range(52), rng.randint(1, 13))))
        bits = set_of(cards)
        assert size_of(bits) == len(cards)
        assert (lowest(bits), highest(bits)) == (cards[0], cards[-1])
        assert points_of(bits) == points(cards)
        assert any_of(bits, draws) in cards


def test_any_card_of_a_set_is_as_likely_as_the_others() -> None:
    """Each of five cards comes up in a fifth of many draws, within five deviations."""
    draws, tries = draws_from(Random(1)), count(5000)
    bits = set_of((0, 7, 12, 30, 51))
    drawn = [any_of(bits, draws) for _ in range(tries)]
    for card in (0, 7, 12, 30, 51):
        assert abs(drawn.count(card) - tries / 5) < 5 * (tries * 0.16) ** 0.5
