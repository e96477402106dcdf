"""The policy of judged cards: its chances, its bids, and that it is equal when compiled."""

from itertools import pairwise
from random import Random

import pytest

from bots import Budget
from bots.search.compiled import kernel_of
from bots.whist.bits import ALL, above, count, highest_rank, lowest, members
from bots.whist.knowledge import cards_set, read_position
from bots.whist.plain import nearest_bid, worth_of
from bots.whist.playout import choose_card, plain_move, policy_move
from bots.whist.policy import POLICY_WEIGHTS, choose_bid, estimate, hopes, none_of, wanted_chance
from bots.whist.policy_player import bid_of, card_of
from bots.whist.rules_player import RulesPlayer
from engine.cards import card_text, parse_card, parse_cards
from engine.games.whist import NO_BID
from tests.counts import count as times
from tests.games.whist.bots.positions import open_deal, position, random_walk


def test_sets_of_cards() -> None:
    """The functions on bit sets agree with Python's sets."""
    rng = Random(3)
    for _ in range(times(200)):
        chosen = sorted(rng.sample(range(52), rng.randint(1, 52)))
        cards = cards_set(chosen)
        assert list(members(cards)) == chosen
        assert count(cards) == len(chosen)
        assert lowest(cards) == chosen[0]
        card = rng.randrange(52)
        assert above(cards, card) == sum(c > card and c // 13 == card // 13 for c in chosen)
        assert highest_rank(cards & 8191) == max((c for c in chosen if c < 13), default=-1)
    assert count(ALL) == 52


def test_compiled_and_plain_judgement_choose_the_same() -> None:
    """The compiled policy's card and estimate equal the plain one's on random positions."""
    rng = Random(8)
    twin = kernel_of(estimate)
    compared = 0
    while compared < times(400):
        for state, facts in random_walk(rng):
            if state.over:
                continue
            known = read_position(position(state, facts))
            if state.bidding:
                expected = estimate(
                    known.hand, known.unseen, known.trump, known.seats - 1, POLICY_WEIGHTS
                )
                assert twin(
                    known.hand, known.unseen, known.trump, known.seats - 1, POLICY_WEIGHTS
                ) == pytest.approx(expected)
            else:
                compared += 1
                assert policy_move(open_deal(state), POLICY_WEIGHTS) == card_of(
                    known, POLICY_WEIGHTS
                )


def test_compiled_and_plain_rules_choose_the_same() -> None:
    """The compiled rules of simulations play and bid exactly as strength 1 does."""
    rng = Random(9)
    bid, worth = kernel_of(nearest_bid), kernel_of(worth_of)
    player = RulesPlayer()
    compared = 0
    while compared < times(400):
        for state, facts in random_walk(rng):
            if state.over:
                continue
            asked = position(state, facts)
            known = read_position(asked)
            action = player.choose(asked, Budget(), rng).action
            if state.bidding:
                barred = known.barred if known.seat == known.dealer else -1
                hoped = worth(known.hand, known.trump)
                own = bid(hoped, known.dealt, barred, known.nil_score, known.certain)
                assert action == f"bid {own}"
            else:
                compared += 1
                assert action == f"play {card_text(plain_move(open_deal(state)))}"


def test_the_plain_rules_value_high_cards_and_trumps() -> None:
    """The plain rules value an ace, a guarded king and trumps, low trumps at less than half."""
    hand = cards_set(parse_cards("AS 2S AH KD 3D QC"))
    assert worth_of(hand, 2) == pytest.approx(1.0 + 0.45 + 0.85 + 0.5 + 0.1)
    assert nearest_bid(2.5, 6, -1, 10, 0) == 2
    assert nearest_bid(2.5, 6, 2, 10, 0) == 3


def test_a_function_is_compiled_once() -> None:
    """Asking twice for the compiled twin of a function gives one object."""
    assert kernel_of(none_of) is kernel_of(none_of)


def test_higher_cards_out_make_a_card_worse() -> None:
    """The chance of a wanted trick never rises as the card's rank falls, in any suit."""
    hand = cards_set(parse_cards("AC KC QC JC TC 5C"))
    for trump in (0, 2):
        for suit in (0, 1):
            chances = [
                wanted_chance(card, hand, ALL & ~hand, trump, 4, 0.2, POLICY_WEIGHTS)
                for card in range(13 * suit, 13 * suit + 13)
            ]
            assert all(low <= high for low, high in pairwise(chances))
            assert all(0.0 <= chance <= 1.0 for chance in chances)


def test_the_chance_of_nothing_is_never_negative() -> None:
    """Added chances are cut at 1, so the chance of no trick is never negative."""
    assert none_of(0.5, 3) == 0.125
    assert none_of(1.2, 3) == 0.0
    assert none_of(0.7, 0) == 1.0


def test_hopes_end_with_the_bid() -> None:
    """The estimate of a bid is 0 out of reach, and highest within reach."""
    assert hopes(-1, 3, 0.0, 1.0, 0.2, POLICY_WEIGHTS) == 0.0
    assert hopes(4, 3, 0.0, 1.0, 0.2, POLICY_WEIGHTS) == 0.0
    within = hopes(1, 3, 0.5, 1.5, 0.2, POLICY_WEIGHTS)
    assert (
        within
        > hopes(2, 3, 0.5, 1.5, 0.2, POLICY_WEIGHTS)
        > hopes(3, 3, 0.5, 1.5, 0.2, POLICY_WEIGHTS)
    )


def test_a_barred_bid_gives_way_to_its_neighbour() -> None:
    """A barred bid is replaced by the nearest allowed one, the lower of two."""
    assert choose_bid(1.2, 5, 5, 0, 0, -1, 10, 0, POLICY_WEIGHTS) == 1
    assert choose_bid(1.2, 5, 5, 0, 0, 1, 10, 0, POLICY_WEIGHTS) == 2
    assert choose_bid(1.0, 5, 5, 0, 0, 1, 10, 0, POLICY_WEIGHTS) == 0


def test_others_bidding_high_makes_for_a_lower_bid() -> None:
    """High bids by others make a lower bid."""
    modest = choose_bid(2.0, 10, 5, 4, 8, -1, 10, 0, POLICY_WEIGHTS)
    assert choose_bid(2.0, 10, 5, 4, 20, -1, 10, 0, POLICY_WEIGHTS) < modest


def test_none_is_bid_for_what_it_scores() -> None:
    """A bid of none that scores 0 needs a sure hand, and one that scores much a weak hand."""
    assert [nearest_bid(0.2, 5, -1, nil_score, 0) for nil_score in (0, 10, 20)] == [1, 0, 0]
    assert [nearest_bid(0.8, 5, -1, nil_score, 0) for nil_score in (0, 10, 20)] == [1, 1, 0]
    assert nearest_bid(0.0, 5, -1, 0, 0) == 0
    assert nearest_bid(1.8, 5, -1, 20, 0) == 2


@pytest.mark.parametrize(
    ("hand", "best", "need", "played"),
    [
        ("2C AC", "TC", 1, "AC"),
        ("2C AC", "TC", 0, "2C"),
        ("2C JC AC", "TC", 1, "AC"),
        ("2C 9C AC", "TC", 0, "9C"),
    ],
)
def test_the_last_of_a_trick_takes_it_or_not_as_needed(
    hand: str, best: str, need: int, played: str
) -> None:
    """The last player takes or ducks for certain, with the card that is worst to keep."""
    held = cards_set(parse_cards(hand))
    unseen = ALL & ~held & ~cards_set(parse_cards("TC 3C 4C"))
    card = choose_card(held, unseen, 0, parse_card(best), 2, need, 3, 0, 0, POLICY_WEIGHTS)
    assert card == parse_card(played)


def test_judged_bids_are_legal() -> None:
    """A judged bid is never the one barred to the dealer."""
    rng = Random(21)
    for _ in range(times(20)):
        for state, facts in random_walk(rng):
            if state.bidding:
                known = read_position(position(state, facts))
                assert (
                    f"bid {bid_of(known, POLICY_WEIGHTS)[0]}"
                    in position(state, facts).choices.actions
                )
                assert known.bids[known.seat] == NO_BID
