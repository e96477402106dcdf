"""The policy of playouts: a card's features, what is played, the temperature, the weights."""

from random import Random

import numpy as np
import pytest

from bots.schnapsen import answer_features as answers
from bots.schnapsen import lead_features as leads
from bots.schnapsen.answer_features import ANSWER_FEATURES, describe_answer
from bots.schnapsen.bits import Floats, card_at, mask_of, place_of
from bots.schnapsen.lead_features import LEAD_FEATURES, describe_lead
from bots.schnapsen.policy import FEATURES, answer_by_policy, lead_by_policy
from bots.schnapsen.weights import ANSWERS, LEADS
from engine.cards import card_text, parse_card, parse_cards, suit_of
from tests.counts import count
from tools.learn_schnapsen import TENDS, Lessons, main

SPADES = suit_of(parse_card("AS"))
PACK = " ".join(rank + suit for suit in "CDSH" for rank in "JQKTA")
FAR = 60
"""So many points to go that nothing is decided at once."""


def bits(cards: str) -> int:
    """The bit set of these cards, with spades as trumps."""
    return mask_of(parse_cards(cards), SPADES)


def not_seen(*seen: str) -> int:
    """All cards except the given ones."""
    return bits(PACK) & ~bits(" ".join(seen))


def led(card: str, hand: str, gone: str = "", *, need: int = FAR, bar: int = FAR) -> Floats:
    """The features of leading `card`, with the ten of trumps upturned."""
    found = np.empty(LEAD_FEATURES)
    out = not_seen(hand, gone, "TS")
    describe_lead(bits(card), bits(hand), out, bits("TS"), need, bar, found)
    return found


def answered(
    card: str, lead: str, hand: str, gone: str = "", *, need: int = FAR, bar: int = FAR
) -> Floats:
    """The features of answering `lead` with `card`."""
    found = np.empty(ANSWER_FEATURES)
    out = not_seen(hand, gone, lead, "TS")
    place = place_of(parse_card(lead), SPADES)
    describe_answer(bits(card), place, bits(hand), out, bits("TS"), need, bar, False, found)
    return found


def test_every_number_has_its_weights() -> None:
    """There is a row of weights for each feature of a card."""
    assert (len(LEADS), len(ANSWERS)) == (LEAD_FEATURES, ANSWER_FEATURES)


def test_what_a_lead_has_about_it() -> None:
    """The features of a lead: marriages, unseen better cards, and what its answers could decide."""
    queen = led("QH", "QH KH AC JC JD", need=20)
    assert queen[1] == queen[leads.MARRIAGE] == queen[leads.WINNING_MARRIAGE] == 1
    assert queen[leads.ROYAL_MARRIAGE] == queen[leads.COUPLE_KEPT] == 0
    assert (queen[leads.HIGHER_OUT], queen[leads.LOWER_OUT]) == (2, 1)
    ace = led("AC", "QH KH AC TC JC")
    assert ace[leads.TOP] == ace[leads.COUPLE_KEPT] == 1
    assert ace[leads.UNBEATABLE] == ace[leads.UNDER_ACE] == 0
    # Four trumps of the fourteen cards that the player has not seen beat it.
    assert ace[leads.BEATEN] == pytest.approx(4 / 14)
    assert ace[leads.HOLDS_AND_COUPLE] == pytest.approx(10 / 14)
    assert ace[leads.HOLDS_AND_TOPS] == pytest.approx(10 / 14)
    assert led("JC", "QH KH AC TC JC")[leads.UNDER_ACE] == 1
    lone = led("QD", "QD AS KS JS JH", "QS", need=13, bar=13)
    assert lone[leads.PARTNER_OUT] == 1
    # An answer of ten or more decides: the ten and ace of diamonds beat the queen, those of the
    # two other suits do not.
    assert lone[leads.LOSING] == pytest.approx(2 / 13)
    assert lone[leads.WINNING] == pytest.approx(4 / 13)
    assert led("AS", "QD AS KS JS JH", "QS")[leads.TRUMP_AND_TRUMPS] == 3
    assert led("AS", "QD AS KS JS JH", "QS")[leads.UNBEATABLE] == 1


def test_what_an_answer_has_about_it() -> None:
    """The features of an answer: whether and how it takes, what it gives away and decides."""
    ace = answered("AH", "TH", "AH QD KD JC JS", need=21)
    assert ace[4] == ace[14] == ace[answers.WINNING] == ace[answers.TAKES_IN_SUIT] == 1
    assert ace[answers.TAKES_FIRST] == ace[answers.TAKES_AND_COUPLE] == 1
    assert ace[answers.TAKES_AND_TURNED] == pytest.approx(1)
    jack = answered("JS", "TH", "AH QD KD JC JS", need=21)
    assert jack[5] == jack[15] == 1
    assert jack[answers.WINNING] == jack[answers.TAKES_IN_SUIT] == 0
    king = answered("KD", "TH", "AH QD KD JC JS", bar=34)
    assert king[answers.COUPLE_BROKEN] == king[answers.NEARLY_LOSING] == 1
    assert king[answers.LOSING] == 0
    assert not king[10:20].any()
    assert answered("KD", "TH", "AH QD KD JC JS", bar=14)[answers.LOSING] == 1
    assert answered("JC", "TH", "AH QD JC TC JS")[answers.TEN_BARED] == 1
    assert answered("JC", "TH", "AH QD JC TC JS", "AC")[answers.TEN_BARED] == 0


@pytest.mark.parametrize(
    ("hand", "cards"),
    [("KH QH JC TD AD", "KH QH"), ("KS QS JC TD AD", "KS QS"), ("AS TD JC QH AD", "JC")],
)
def test_what_is_led(hand: str, cards: str) -> None:
    """The policy announces a marriage if it can, and else leads an expendable card."""
    out, turned = not_seen(hand, "JS"), bits("JS")
    found = lead_by_policy(bits(hand), out, turned, 2, FAR, FAR, 0.0, 0, np.empty(FEATURES))
    assert found & bits(cards)


@pytest.mark.parametrize(
    ("lead", "hand", "card"),
    [
        ("TH", "AH JH KS QD JC", "AH"),
        ("TH", "QS KC AD JC TD", "QS"),
        ("AH", "QS KC QC JC TD", "QS"),
        ("JD", "AS TS QC AH JC", "JC"),
    ],
)
def test_what_is_answered(lead: str, hand: str, card: str) -> None:
    """The policy takes a ten, in suit if possible, and spends no trump on a jack."""
    out, turned = not_seen(hand, lead, "JS"), bits("JS")
    place = place_of(parse_card(lead), SPADES)
    room = np.empty(FEATURES)
    found = answer_by_policy(place, bits(hand), out, turned, 2, FAR, FAR, True, 0.0, 0, room)
    assert card_text(card_at(int(found).bit_length() - 1, SPADES)) == card


@pytest.mark.parametrize("temperature", [0.5, 1.5, 5.0])
def test_the_policy_is_a_softmax_of_worths(temperature: float) -> None:
    """Each card is led with probability in proportion to exp(worth / temperature)."""
    hand = "JC QC TD JH AS"
    rng, times = Random(count(36)), 4000
    room = np.empty(FEATURES)
    worths = {
        card: float(led(card, hand) @ np.array(LEADS)[:, 0]) / temperature for card in hand.split()
    }
    powers = {card: np.exp(worth - max(worths.values())) for card, worth in worths.items()}
    played = dict.fromkeys(worths, 0)
    out, turned = not_seen(hand, "TS"), bits("TS")
    for _ in range(times):
        luck = rng.getrandbits(62)
        found = lead_by_policy(bits(hand), out, turned, 0, FAR, FAR, temperature, luck, room)
        played[card_text(card_at(int(found).bit_length() - 1, SPADES))] += 1
    for card, power in powers.items():
        chance = power / sum(powers.values())
        error = (chance * (1 - chance) / times) ** 0.5
        assert abs(played[card] / times - chance) <= 4.5 * error + 0.001


def test_what_is_printed_are_weights(capsys: pytest.CaptureFixture[str]) -> None:
    """Training prints two weights for each feature of a card, as valid Python."""
    assert main(["--deals", "20", "--worlds", "8"]) == 0
    printed: dict[str, list[tuple[float, float]]] = {}
    exec(capsys.readouterr().out, printed)
    for name, many in (("LEADS", LEAD_FEATURES), ("ANSWERS", ANSWER_FEATURES)):
        weights = np.array(printed[name])
        assert weights.shape == (many, 2)
        assert weights.any(axis=0).all()


def test_weights_that_decide_are_found() -> None:
    """Training recovers the three weights by which cards were made to win."""
    draws = np.random.default_rng(1)
    true = np.array([1.0, -2.0, 0.5])
    lessons = Lessons()
    for cards in (2, 3, 4, 5) * 100:
        described = draws.normal(size=(cards, 3))
        lessons.add(described, TENDS * (described @ true))
    assert lessons.weights() == pytest.approx(true, abs=0.01)
