"""The formulas of strength 2: their special cases, and how far they are from exact values."""

from math import comb

import pytest

from bots.black_queen.chances import p_holds, p_void, pulled


def exact_void(of_suit: int, unseen: int, hand: int) -> float:
    """The hypergeometric chance that `hand` of `unseen` cards miss all `of_suit`."""
    return comb(unseen - of_suit, hand) / comb(unseen, hand)


def void(of_suit: int, unseen: int, hand: int) -> float:
    return p_void(shows_suit=False, of_suit=of_suit, unseen=unseen, hand=hand)


def every_case(most: int) -> list[tuple[int, int, int]]:
    """All (cards looked for, unseen cards, hand) with up to `most` unseen cards."""
    return [
        (wanted, unseen, hand)
        for unseen in range(1, most + 1)
        for wanted in range(unseen + 1)
        for hand in range(unseen + 1)
    ]


def test_void_formula() -> None:
    """The chance of a void is (1 - S/N)^n: 5.6 % with 10 of 40 unseen cards and a hand of 10."""
    assert void(10, 40, 10) == pytest.approx(0.75**10)
    assert void(10, 40, 10) == pytest.approx(0.056, abs=0.001)


def test_holds_formula() -> None:
    """The chance of holding one of c cards is 1 - (1 - c/N)^n."""
    assert p_holds(copies=2, unseen=7, hand=1) == pytest.approx(2 / 7)
    assert p_holds(copies=2, unseen=40, hand=10) == pytest.approx(1 - 0.95**10)


def test_who_shows_the_suit_is_not_void() -> None:
    """A face-up card of the suit makes the chance of a void 0, whatever else is known."""
    assert p_void(shows_suit=True, of_suit=5, unseen=20, hand=3) == 0
    assert p_void(shows_suit=True, of_suit=5, unseen=20, hand=0) == 0
    assert p_void(shows_suit=True, of_suit=0, unseen=0, hand=0) == 0


def test_who_holds_nothing_is_void() -> None:
    """An empty hand without a face-up card of the suit is void, even if all unseen cards are it."""
    assert void(5, 20, 0) == 1
    assert void(20, 20, 0) == 1


def test_a_hand_of_nothing_but_the_suit_is_not_void() -> None:
    """A hand is never void of a suit to which all unseen cards belong."""
    assert void(20, 20, 1) == 0
    assert void(1, 1, 1) == 0


def test_nothing_unseen_means_void_and_holds_nothing() -> None:
    """With no unseen cards the chance of a void is 1 and that of holding a card 0."""
    assert void(0, 0, 3) == 1
    assert p_holds(copies=0, unseen=0, hand=3) == 0


def test_nobody_holds_a_card_that_is_not_out() -> None:
    """A card that is seen, or a hand that is empty, makes the chance of holding it 0."""
    assert p_holds(copies=0, unseen=20, hand=5) == 0
    assert p_holds(copies=3, unseen=20, hand=0) == 0


def test_square_root_weighting() -> None:
    """The square root weighs twelve points at 0.3 as 6.57, where their expectation is 3.6."""
    assert pulled(0, -12, 0.3) == pytest.approx(-6.57, abs=0.005)
    assert pulled(-1, -12, 0.25) == pytest.approx(-6.5)
    assert pulled(-1, -12, 0) == -1
    assert pulled(-1, -12, 1) == -12


def test_error_against_drawing_without_replacement() -> None:
    """A void is overrated by at most n (n - 1) / 2N, and by (S/N) n (n - 1) / 2 (N - n + 1)."""
    for of_suit, unseen, hand in every_case(60):
        error = void(of_suit, unseen, hand) - exact_void(of_suit, unseen, hand)
        pairs = hand * (hand - 1) / 2
        bound = min(of_suit / unseen * pairs / (unseen - hand + 1), pairs / unseen)
        assert -1e-12 <= error <= bound + 1e-12, (of_suit, unseen, hand)


def test_holding_errs_the_other_way() -> None:
    """The chance of holding a card is underrated by as much as a void of as many is overrated."""
    for copies, unseen, hand in every_case(60):
        exact = 1 - exact_void(copies, unseen, hand)
        error = exact - p_holds(copies=copies, unseen=unseen, hand=hand)
        mirrored = void(copies, unseen, hand) - exact_void(copies, unseen, hand)
        assert error == pytest.approx(mirrored, abs=1e-12)


@pytest.mark.parametrize(("part", "most"), [(1, 0.368), (2, 0.116), (4, 0.050)])
def test_greatest_error(part: int, most: float) -> None:
    """The error reaches 0.37 at worst, 0.12 for half the unseen cards, 0.05 for a quarter."""
    errors = [
        void(of_suit, unseen, hand) - exact_void(of_suit, unseen, hand)
        for of_suit, unseen, hand in every_case(60)
        if hand * part <= unseen
    ]
    assert 0.95 * most < max(errors) < most


def test_greatest_error_at_the_first_trick() -> None:
    """With 62 unseen cards and hands of 10, as four players start, the error is at most 0.031."""
    errors = [void(of_suit, 62, 10) - exact_void(of_suit, 62, 10) for of_suit in range(53)]
    assert 0.030 < max(errors) < 0.031


def test_error_of_void_and_holding() -> None:
    """The product of both chances errs by −0.25 to +0.09 while half the unseen are elsewhere."""
    errors = []
    for of_suit, unseen, hand in every_case(40):
        for copies in range(1, min(4, unseen - of_suit) + 1):
            if 2 * hand <= unseen:
                with_neither = exact_void(of_suit + copies, unseen, hand)
                exact = exact_void(of_suit, unseen, hand) - with_neither
                product = void(of_suit, unseen, hand) * p_holds(
                    copies=copies, unseen=unseen, hand=hand
                )
                errors.append(product - exact)
    assert min(errors) == pytest.approx(-0.25)
    assert 0.08 < max(errors) < 0.09
