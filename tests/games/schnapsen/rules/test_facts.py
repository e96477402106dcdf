"""The facts of Schnapsen and their audiences, word for word; dealing, options and samples."""

from collections import Counter
from random import Random

import pytest

from engine import GAMES, SPECTATOR, Setup, Shuffler, View, complete_options, seed_from_int
from engine.cards import card_text, parse_card, parse_cards
from engine.errors import BadOption, BadSetup
from engine.facts import EVERYONE, Lay, Move, Set, Show, all_but, only, seen_by
from engine.games.schnapsen import PACK, Closing, Schnapsen, State
from engine.games.schnapsen.facts import talon_closed
from tests.chance import chi_square_limit
from tests.conformance.playing import play
from tests.games.schnapsen.hands import GAME, Hands, deal

MATCH = GAMES.game("schnapsen")


def first_state(deal_number: int = 0, seed: int = 1) -> State:
    """The first deal of a seed's match, before its first card."""
    shuffler = Shuffler(seed_from_int(seed)).of_deal(deal_number)
    return GAME.start(Setup(2, {}, shuffler)).state


def test_five_cards_each_and_a_trump_on_a_talon_of_nine() -> None:
    """Each player gets five cards, and the upturned card on the talon of nine gives trumps."""
    state = first_state()
    assert [len(hand) for hand in state.hands] == [5, 5]
    assert (len(state.talon), state.stock) == (9, 10)
    assert Counter((*state.hands[0], *state.hands[1], *state.talon, state.turned)) == Counter(PACK)
    assert card_text(state.turned)[1] == "CDSH"[state.trump]


def test_cards_are_dealt_as_people_deal_them() -> None:
    """The deal goes three to the leader, three to the dealer, one upturned, two and two."""
    state = first_state()
    pack = state.setup.shuffler.shuffled("deal", PACK)
    assert set(state.hands[state.leader]) == {*pack[:3], *pack[7:9]}
    assert set(state.hands[state.dealer]) == {*pack[3:6], *pack[9:11]}
    assert (state.turned, state.talon) == (pack[6], pack[11:])


def test_the_deal_alternates_and_who_did_not_deal_leads() -> None:
    """The dealer alternates, and the first dealer depends on the seed alone."""
    dealers = [first_state(number).dealer for number in range(4)]
    assert dealers == [dealers[0], 1 - dealers[0]] * 2
    assert all(first_state(number).leader == 1 - dealers[number] for number in range(4))
    assert {first_state(seed=seed).dealer for seed in range(20)} == {0, 1}


def test_options_have_the_defaults_of_the_tournament() -> None:
    """By default a match is to seven points: `min_talon` 2, frozen, counted by the table."""
    assert complete_options(MATCH, 2, {}) == {
        "target": 7,
        "min_talon": 2,
        "freeze": True,
        "claim": "auto",
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"min_talon": 11}, "option min_talon: 11 must be a whole number from 2 to 10"),
        ({"claim": "never"}, "option claim: 'never' must be one of auto, manual"),
        ({"freeze": 1}, "option freeze: 1 must be true or false"),
    ],
)
def test_a_wrong_option_is_told_what_would_be_right(
    options: dict[str, int | str], words: str
) -> None:
    """The error for a wrong option names the option, its value and its bounds."""
    with pytest.raises(BadOption, match=words):
        MATCH.start(Setup(2, options, Shuffler(seed_from_int(1))))


def test_two_play() -> None:
    """Schnapsen refuses any number of players but two."""
    with pytest.raises(BadSetup, match="Schnapsen takes 2 players"):
        GAME.options(3)


@pytest.mark.parametrize("target", [1, 7])
def test_a_match_goes_to_so_many_game_points(target: int) -> None:
    """A match ends at seven game points, or at the number that its option sets."""
    for seed in range(10):
        setup = Setup(2, {"target": target}, Shuffler(seed_from_int(seed)))
        *_, last = play(MATCH, setup, Random(seed)).steps
        scores = last.state.played
        before = [sum(column) for column in zip(*scores[:-1], strict=True)] or [0, 0]
        assert max(before) < target <= max(last.state.totals)


def test_the_table_is_laid_with_all_cards_in_the_talon() -> None:
    """A deal begins with an empty table, all cards in the talon, and cleared values."""
    laid, *_ = GAME.begin(deal("JS QS", "JH QH", talon="JC | TD", leader=1).state).facts
    assert (laid.verb, laid.args, laid.audience) == ("deal_laid", {"leader": 1}, EVERYONE)
    lay, *values = laid.changes
    empty = ("turned", "trick", "hand/0", "taken/0", "hand/1", "taken/1")
    assert lay == Lay({"talon": 6} | dict.fromkeys(empty, 0))
    assert set(values) == {
        Set("closed/0", None),
        Set("closed/1", None),
        Set("trump", "♦"),
        Set("dealer", 0),
        Set("leader", 1),
        Set("turn", (1,)),
        *(Set(f"{key}/{seat}", 0) for key in ("points", "marriages") for seat in (0, 1)),
    }


def test_hands_are_named_to_their_owners_alone() -> None:
    """A hand is named to its owner and counted for everybody else; the trump is for all."""
    _, *dealt = GAME.begin(deal("JS QS", "JH QH", talon="JC | TD").state).facts
    assert [fact.changes for fact in seen_by(tuple(dealt), 1)] == [
        (Move("talon", "hand/0", 2),),
        (Move("talon", "hand/1", ("JH", "QH")),),
        (Move("talon", "turned", ("TD",)),),
    ]
    assert [fact.changes for fact in seen_by(tuple(dealt), SPECTATOR)][:2] == [
        (Move("talon", "hand/0", 2),),
        (Move("talon", "hand/1", 2),),
    ]


def test_a_drawn_card_is_named_to_who_draws_it() -> None:
    """A drawn card is named to its player; others see a back move from talon to hand."""
    after = deal("JS QC", "AS QH", talon="JC KC KH | TD").play("JS", "AS")
    draws = [fact for fact in after.all_facts if fact.verb.endswith("_drawn")]
    assert [(fact.verb, fact.args, fact.changes, fact.audience) for fact in draws] == [
        ("card_drawn", {"seat": 1, "card": "JC"}, (Move("talon", "hand/1", ("JC",)),), only(1)),
        ("back_drawn", {"seat": 1}, (Move("talon", "hand/1", 1),), all_but(1)),
        ("card_drawn", {"seat": 0, "card": "KC"}, (Move("talon", "hand/0", ("KC",)),), only(0)),
        ("back_drawn", {"seat": 0}, (Move("talon", "hand/0", 1),), all_but(0)),
    ]


def test_an_exchange_is_open_to_everybody() -> None:
    """Both cards of an exchange are told to everybody."""
    (told,) = deal("JD QS", "AH KH", talon="JC | TD").play("exchange").facts
    assert (told.verb, told.args, told.audience) == (
        "exchanged",
        {"seat": 0, "card": "TD"},
        EVERYONE,
    )
    assert told.changes == (
        Move("turned", "hand/0", ("TD",)),
        Move("hand/0", "turned", ("JD",)),
    )


def test_a_marriage_shows_the_other_card() -> None:
    """A marriage shows its other card, which lies at the end of the hand for all viewers."""
    after = deal("KS QS AS", "AH KH TH", talon="JC | TD").play("marry QS")
    own, other, led = after.all_facts
    counts = (Set("marriages/0", 20), Set("points/0", 0))
    assert own.changes == (Move("hand/0", "hand/0", ("KS",)), *counts)
    assert other.changes == (Show("hand/0", ("KS",)), *counts)
    assert (own.audience, other.audience) == (only(0), all_but(0))
    assert led.changes == (Move("hand/0", "trick", ("QS",)), Set("turn", (1,)))


def test_a_card_shown_before_is_not_shown_again() -> None:
    """The exchanged king, known already, is not shown again when it is announced."""
    after = deal("JD QD AS", "AH KH TH", talon="JC | KD").play("exchange", "marry QD")
    assert after.sees(1, "hand/0") == ("KD", 1)


def test_closing_is_told_to_everybody() -> None:
    """Closing is told to everybody, and then the view shows who closed."""
    # Kept from a test whose lines nobody counts, the fact would not be made here.
    talon_closed.cache_clear()
    after = deal("JS QS", "AH KH", talon="JC | TD").play("close")
    (told,) = after.all_facts
    assert (told.verb, told.args, told.changes) == (
        "talon_closed",
        {"seat": 0},
        (Set("closed/0", True),),
    )
    assert after.view(1).values["closed/0"] is True


def whole(first: str, second: str, talon: str) -> Hands:
    """A deal in which all cards that are not named have been taken in tricks."""
    named = f"{first} {second} {talon}".split()
    rest = [card_text(card) for card in PACK if card_text(card) not in named]
    half = len(rest) // 4 * 2
    taken = " ".join(rest[:half]), " ".join(rest[half:])
    return deal(first, second, talon=talon, taken=taken, claim="manual")


def sampled(hands: Hands, viewer: int, rng: Random) -> State:
    """A sample of the whole state for `viewer`."""
    view = hands.view(viewer)
    told = View(view.zones, {**view.values, "option/claim": "manual"})
    return GAME.sample(told, seen_by(hands.all_facts, viewer), rng)


def test_a_sample_keeps_what_was_shown() -> None:
    """An announced king and an exchanged trump stay in the hand that showed them."""
    hands = whole("JD QS KS JH", "AH KH TH QH", "JC KC QC | TD").play("exchange", "marry QS", "QS")
    rng = Random(1)
    others = set()
    for _ in range(50):
        state = sampled(hands, 1, rng)
        other, *shown = state.hands[0]
        assert shown == [parse_card("TD"), parse_card("KS")]
        assert state.shown[0] == (parse_card("TD"), parse_card("KS"))
        others.add(card_text(other))
    assert others == {"JH", "JC", "KC", "QC"}


def test_a_sample_gives_nobody_a_card_they_would_have_had_to_play() -> None:
    """Samples deal nobody a card that they would have had to play."""
    low = whole("TS AC AD", "JS QC QD", "AS QH KH | TH").play("close", "TS", "JS")
    void = whole("TS AC AD", "JC QC QD", "AS QH KH | TH").play("close", "TS", "JC")
    rng = Random(2)
    unbeaten, unfollowed = (
        {card_text(card) for _ in range(100) for card in sampled(hands, 0, rng).hands[1]}
        for hands in (low, void)
    )
    assert unbeaten == {"QC", "QD", "QH", "KH"}
    assert unfollowed == {"QC", "QD"}


def test_every_hand_that_may_be_is_sampled_equally_often() -> None:
    """With four unseen cards and one in the other hand, each is sampled a quarter of the time."""
    hands = whole("TS", "QH", "JH QC KH | TH")
    rng, trials = Random(3), 4000
    drawn = Counter(sampled(hands, 0, rng).hands[1] for _ in range(trials))
    assert drawn.keys() == {(card,) for card in parse_cards("QH JH QC KH")}
    even = trials / 4
    assert sum((often - even) ** 2 / even for often in drawn.values()) < chi_square_limit(3)


def test_a_sample_knows_how_the_talon_was_closed() -> None:
    """The points and tricks at the moment of closing are those of the true state."""
    hands = deal("QC AS JD TC AD", "AC TS KS JS JH", talon="JC KC QS QD KD QH KH TH AH | TD")
    closed = hands.play("QC", "AC", "KS", "AS", "close", "JD", "QD")
    assert closed.state.closing == Closing(seat=0, points=14, tricks=1)
    sample = GAME.sample(closed.view(1), seen_by(closed.all_facts, 1), Random(4))
    assert sample.closing == closed.state.closing


@pytest.mark.parametrize("first", ["KS", "QS"])
def test_a_sample_knows_what_has_to_be_led(first: str) -> None:
    """With manual `claim` a sample may be between the announcement and the lead of a marriage."""
    hands = whole("QS KS AS", "JS KH TH", "QC JC AC | TD").play(f"marry {first}")
    for viewer in (0, 1):
        assert sampled(hands, viewer, Random(5)).announced == parse_card(first)


def test_a_sample_knows_who_claimed_falsely() -> None:
    """After a false claim a sample has a finished deal, won by the other player."""
    hands = whole("TS AC AD", "JS QC QD", "AS QH KH | TH").play("claim")
    assert hands.told("claim_failed")
    for viewer in (0, 1):
        sample = sampled(hands, viewer, Random(6))
        assert sample.result == hands.state.result
        assert sample.result is not None
        assert sample.result.winner == 1


def test_a_sample_knows_who_drew_the_upturned_trump() -> None:
    """The upturned trump, the talon's last card, lies in samples with the player who drew it."""
    hands = whole("TS", "QH", "JH | TH").play("TS", "QH")
    sample = sampled(hands, 1, Random(7))
    assert sample.shown[0] == sample.hands[0] == (parse_card("TH"),)


def test_a_sample_knows_who_won_the_last_trick() -> None:
    """After the last trick a sample has a finished deal in which nobody can claim."""
    rest = [card_text(card) for card in PACK if card_text(card) not in ("TS", "QS")]
    taken = " ".join(rest[::2][:8]), " ".join(rest[1::2] + rest[::2][8:])
    hands = deal("TS", "QS", trump="H", taken=taken, claim="manual").play("TS", "QS", "pass")
    assert hands.told("last_trick_won")
    for viewer in (0, 1):
        assert sampled(hands, viewer, Random(8)).result == hands.state.result


def test_rules_page_of_the_game_comes_with_it() -> None:
    """The rules text of the game is the one in its folder."""
    assert Schnapsen.info.rules.startswith("# Schnapsen")
    assert [card.label for card in Schnapsen.info.legend[-5:]] == ["J♥", "Q♥", "K♥", "10♥", "A♥"]
