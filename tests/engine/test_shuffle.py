"""The shuffle: the vectors of its document, a second implementation, uniformity, rejection."""

import hashlib
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Shuffler, seed_from_int
from engine.cards import card_texts, deck
from engine.errors import BadSetup
from engine.games.black_queen import pack
from engine.shuffle import _bounded
from tests.counts import count

DOC = Path(__file__).parents[2] / "docs" / "shuffle.md"

# The critical values of chi-square at p = 0.001, by degrees of freedom.
CRITICAL = {3: 16.27, 23: 49.73, 51: 87.97}

EVEN_ODDS = 2**31 + 1
"""Of this bound nearly half of all words must be thrown away."""


class ByHand:
    """The shuffle as docs/shuffle.md describes it; `thrown_away` counts the rejections."""

    def __init__(self, seed: bytes, deal: int, label: str) -> None:
        self.head = b"blackqueen.shuffle.1\x00" + seed + deal.to_bytes(4, "big", signed=True)
        self.head += label.encode("utf-8") + b"\x00"
        self.stream = self.words()
        self.thrown_away = 0

    def block(self, number: int) -> bytes:
        return hashlib.sha256(self.head + number.to_bytes(8, "big")).digest()

    def words(self) -> Iterator[int]:
        for number in itertools.count():
            block = self.block(number)
            for at in range(0, 32, 4):
                yield int.from_bytes(block[at : at + 4], "big")

    def below(self, n: int) -> int:
        whole = 2**32 // n * n
        for word in self.stream:
            if word < whole:
                return word % n
            self.thrown_away += 1
        raise AssertionError("the stream has no end")

    def shuffled(self, items: list[str]) -> list[str]:
        for last in reversed(range(1, len(items))):
            at = self.below(last + 1)
            items[at], items[last] = items[last], items[at]
        return items


def examples(kind: str) -> list[dict[str, str]]:
    """The fenced blocks of the document that begin with `kind`, as keys and values."""
    blocks = re.findall(rf"```text\n{kind}\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks, f"docs/shuffle.md has no vectors of {kind}"
    return [dict(re.findall(r"^(\w+) *= *(.*?)$", block, re.MULTILINE)) for block in blocks]


def by_hand(example: dict[str, str]) -> ByHand:
    seed = bytes.fromhex(example["seed"])
    return ByHand(seed, int(example["deal"]), example["label"])


def shuffler(example: dict[str, str]) -> Shuffler:
    return Shuffler(bytes.fromhex(example["seed"]), int(example["deal"]))


@pytest.mark.parametrize("example", examples("block"))
def test_blocks_and_words_of_the_document(example: dict[str, str]) -> None:
    """The first blocks and their words match the document."""
    draw = by_hand(example)
    assert draw.block(0).hex() == example["block0"]
    assert draw.block(1).hex() == example["block1"]
    words = [int(word) for word in example["words"].split()]
    assert list(itertools.islice(draw.stream, len(words))) == words
    # The largest bound throws nothing away, so that it reads the words as they are.
    engine = [shuffler(example).below(example["label"], 2**32, k) for k in range(len(words))]
    assert engine == words


@pytest.mark.parametrize("example", examples("below"))
def test_bounded_numbers_of_the_document(example: dict[str, str]) -> None:
    """The bounded numbers match the document, rejected words included."""
    bound = int(example["n"])
    numbers = [int(number) for number in example["numbers"].split()]
    draw = by_hand(example)
    assert [draw.below(bound) for _ in numbers] == numbers
    assert draw.thrown_away == int(example["rejected"])
    own = shuffler(example)
    assert [own.below(example["label"], bound, k) for k in range(len(numbers))] == numbers


@pytest.mark.parametrize("example", examples("shuffle"))
def test_shuffled_packs_of_the_document(example: dict[str, str]) -> None:
    """The shuffled packs match the document."""
    cards = list(card_texts(deck(int(example["packs"]))))
    order = example["cards"].split()
    assert list(shuffler(example).shuffled(example["label"], cards)) == order
    assert by_hand(example).shuffled(cards) == order


@given(
    seed=st.binary(min_size=32, max_size=32),
    deal=st.integers(-1, 2**31 - 1),
    label=st.text(max_size=20),
    n=st.integers(1, 2**32) | st.just(EVEN_ODDS),
    index=st.integers(0, 20),
)
def test_numbers_agree_with_the_second_implementation(
    seed: bytes, deal: int, label: str, n: int, index: int
) -> None:
    """Bounded numbers match those of the second implementation."""
    draw = ByHand(seed, deal, label)
    expected = [draw.below(n) for _ in range(index + 1)][-1]
    assert Shuffler(seed, deal).below(label, n, index) == expected


@given(seed=st.binary(min_size=32, max_size=32), deal=st.integers(-1, 9), seats=st.integers(2, 8))
def test_packs_agree_with_the_second_implementation(seed: bytes, deal: int, seats: int) -> None:
    """Shuffled packs match those of the second implementation."""
    cards = list(card_texts(pack(seats)))
    expected = ByHand(seed, deal, "deal").shuffled(list(cards))
    assert list(Shuffler(seed, deal).shuffled("deal", cards)) == expected


def test_words_above_the_last_whole_multiple_are_thrown_away() -> None:
    """Words out of bounds are rejected, and the two implementations reject equal ones."""
    draw = ByHand(seed_from_int(5), 0, "odds")
    expected = [draw.below(EVEN_ODDS) for _ in range(100)]
    assert 60 < draw.thrown_away < 140
    own = Shuffler(seed_from_int(5))
    assert [own.below("odds", EVEN_ODDS, index) for index in range(100)] == expected


def test_the_first_word_out_of_bounds_is_thrown_away() -> None:
    """The bound itself is rejected and the word before it is not, shown without a seed."""
    limit = 2**32 - 2**32 % 52
    assert _bounded(iter([limit, limit + 1, 2**32 - 1, limit - 1]), 52) == 51


def chi_square(observed: list[int]) -> float:
    expected = sum(observed) / len(observed)
    return sum((seen - expected) ** 2 / expected for seen in observed)


def test_all_orders_of_four_are_equally_likely() -> None:
    """Each of the 24 orders of four cards comes up about equally often."""
    tally = dict.fromkeys(itertools.permutations("abcd"), 0)
    for number in range(count(4800)):
        tally[Shuffler(seed_from_int(number)).shuffled("test", "abcd")] += 1
    assert chi_square(list(tally.values())) < CRITICAL[23]


@pytest.mark.parametrize("place", [0, 25, 51])
def test_all_cards_are_equally_likely_in_a_place(place: int) -> None:
    """Each of the 52 cards comes first, in the middle and last about equally often."""
    tally = [0] * 52
    for number in range(count(1040)):
        tally[Shuffler(seed_from_int(number)).shuffled("place", deck())[place]] += 1
    assert chi_square(tally) < CRITICAL[51]


def test_bounded_numbers_are_equally_likely() -> None:
    """The first leaders of many matches are spread evenly over four seats."""
    tally = [0] * 4
    for number in range(count(2000)):
        tally[Shuffler(seed_from_int(number)).of_match().below("leader", 4)] += 1
    assert chi_square(tally) < CRITICAL[3]


def test_a_biased_shuffle_would_be_noticed() -> None:
    """The uniformity test fails for the well-known naive shuffle."""
    tally = dict.fromkeys(itertools.permutations("abcd"), 0)
    for number in range(4800):
        pile, source = list("abcd"), Shuffler(seed_from_int(number))
        for place in range(4):
            at = source.below("naive", 4, place)
            pile[place], pile[at] = pile[at], pile[place]
        tally[pile[0], pile[1], pile[2], pile[3]] += 1
    assert chi_square(list(tally.values())) > CRITICAL[23]


def test_deals_labels_and_seeds_draw_apart() -> None:
    """Changing the deal, the label or the seed changes the order."""
    own = Shuffler(seed_from_int(1))
    orders = {
        own.shuffled("deal", deck()),
        own.shuffled("cut", deck()),
        own.of_deal(1).shuffled("deal", deck()),
        own.of_match().shuffled("deal", deck()),
        Shuffler(seed_from_int(2)).shuffled("deal", deck()),
    }
    assert len(orders) == 5


@pytest.mark.parametrize("n", [-1, 0, 2**32 + 1])
def test_bounds_that_fit_no_word_are_refused(n: int) -> None:
    """The bound of a draw must lie between 1 and 2^32."""
    with pytest.raises(ValueError, match="fits a word"):
        Shuffler(seed_from_int(1)).below("odds", n)


@pytest.mark.parametrize("seed", [b"", b"short", b"\0" * 33])
def test_seeds_have_thirty_two_bytes(seed: bytes) -> None:
    """Seeds must have 32 bytes; others are refused, as two could start one stream."""
    with pytest.raises(BadSetup, match="32 bytes"):
        Shuffler(seed)


@pytest.mark.parametrize("number", [-1, 2**256])
def test_a_number_that_is_no_seed_is_refused(number: int) -> None:
    """A number outside 0 to 2^256 - 1 is refused as a seed."""
    with pytest.raises(BadSetup, match="must lie in"):
        seed_from_int(number)


def test_nothing_and_one_thing_are_shuffled_already() -> None:
    """Shuffling no card or one card leaves the pile as it is."""
    own = Shuffler(seed_from_int(1))
    assert own.shuffled("deal", ()) == ()
    assert own.shuffled("deal", ("QS",)) == ("QS",)
