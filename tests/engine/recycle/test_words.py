"""What players read of the options of a described game."""

import pytest

from tests.engine.recycle.running.playing import SETUP, described
from tests.engine.recycle.small_games import HAND, each, started, texts


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (each(HAND, "(move 'C (top ((current player) vloc OUT)))"), "play {card 4H}"),
        (each(HAND, "(move 'C (top (game hloc CRIB)))"), "play {card 4H} to the crib"),
        (each(HAND, "(move 'C (top ((2 player) iloc HAND)))"), "give {card 4H} to {seat 1}"),
        (each(HAND, "(move 'C (top ((2 player) vloc ROW)))"), "give {card 4H} to {of 1} row"),
        (
            each("(top 1 (game vloc STOCK))", f"(move 'C (top {HAND}))"),
            "take {card AH} from the stock",
        ),
        (
            each("(top 1 (game vloc STOCK))", "(move 'C (top (game vloc UP 2)))"),
            "move {card AH} from the stock to the up 2",
        ),
        (f"(move (top ((2 player) iloc HAND)) (top {HAND}))", "take a card from {of 1} hand"),
        (
            f"(repeat 2 (move (top ((2 player) iloc HAND)) (top {HAND})))",
            "take 2 cards from {of 1} hand",
        ),
        (
            "(do ((move (top (game vloc STOCK)) (top ((current player) hloc DOWN)))"
            " (move (top ((current player) hloc DOWN)) (top (game vloc UP)))))",
            "take {card AH} from the stock to {own 0} down, "
            "play a card from {own 0} down to the up",
        ),
        ("(set (game sto BID) 3)", "bid 3"),
        ("(set ((2 player) sto BID) 3)", "{of 1} bid 3"),
        ("(set ((team (current player)) str BID) HIGH)", "bid high"),
        ("(set ((team (2 player)) str BID) A)", "team 2 bid A"),
        ("(set (game str BID) (game str OLD))", "bid none"),
        ("(set (game sto ASKED) (pid (2 player)))", "asked {seat 1}"),
        ("(do ((set (game sto ASKED) (pid (2 player))) (set (game sto ASKED) 0)))", "asked nobody"),
        ("(do ((set (game sto ASKED) (pid (2 player))) (set (game sto ASKED) 9)))", "asked 9"),
        ("(set (game points WORTH) (((SUIT : CLUBS) 1)))", "go on"),
        ("(turn pass)", "pass"),
        ("(create teams (1, 2) (3))", "go on"),
        ("(cycle next (2 player))", "next: {seat 1}"),
        ("(cycle current (2 player))", "next: {seat 1}"),
        ("(shuffle (game vloc STOCK))", "shuffle the stock"),
        ("(remember (top (game vloc STOCK)) (top (game mem M)))", "mark {card AH}"),
        ("(remember (top ((2 player) iloc HAND)) (top (game mem M)))", "mark a card"),
        ("(set (game sto FLAG) 1)", "pass"),
        (
            "(move (top (game vloc STOCK))"
            " (top (game vloc (cardatt SUIT (top (game vloc STOCK))))))",
            "move {card AH} from the stock to the hearts",
        ),
        ("(set (game sto (cardatt SUIT (top (game vloc STOCK)))) 2)", "hearts 2"),
    ],
)
def test_an_option_says_what_a_player_does(option: str, said: str) -> None:
    """An option names its cards, then its values, then the pile if not everybody sees it there."""
    setup = SETUP.replace("(create deck", "(create teams (1, 3)) (create deck")
    assert texts(option, setup=setup)[0] == said


def test_marks_can_be_forgotten() -> None:
    """Setting and forgetting a mark are both told to everybody."""
    mark = "(remember (top (game vloc STOCK)) (top (game mem M)))"
    assert texts("(forget (top (game mem M)))", before=mark) == ["forget {card AH}"]


def test_values_that_every_option_sets_alike_are_left_out() -> None:
    """A value that every option sets alike is left out, unless nothing else would be said."""
    options = [f"(do ((set (game sto X) {x}) (set (game sto Y) 2)))" for x in (5, 6)]
    assert texts(*options) == ["x 5", "x 6"]
    assert texts(options[0]) == ["x 5, y 2"]


def test_options_that_read_alike_say_more() -> None:
    """Options that read alike also name the pile, the differing values, everything, or a number."""
    play = "(move (top (game vloc STOCK)) (top ((current player) {})))"
    assert texts(
        f"(do ({play.format('vloc OUT')} (set (game sto X) 5) (set (game sto Y) 1)))",
        f"(do ({play.format('vloc OUT')} (set (game sto X) 6) (set (game sto Y) 1)))",
    ) == ["take {card AH} from the stock, x 5", "take {card AH} from the stock, x 6"]
    assert texts(play.format("vloc OUT"), play.format("vloc ROW")) == [
        "take {card AH} from the stock to {own 0} out",
        "take {card AH} from the stock to {own 0} row",
    ]
    assert texts(*[play.format("vloc OUT")] * 2, "(turn pass)") == [
        "take {card AH} from the stock (1)",
        "take {card AH} from the stock (2)",
        "pass",
    ]


def test_only_options_that_are_the_same_have_numbers() -> None:
    """Only equal options are numbered; one that does something else says what it does."""
    draw = "(move (top (game vloc STOCK)) (top ((current player) vloc OUT)))"
    assert texts(draw, draw, f"(do ({draw} (set (game sto X) 5)))") == [
        "take {card AH} from the stock (1)",
        "take {card AH} from the stock (2)",
        "take {card AH} from the stock to {own 0} out, x 5",
    ]


def test_unseen_cards_are_told_apart_by_their_places() -> None:
    """Unseen cards are told apart by the places of the actions, only where needed."""
    deal = "(repeat 2 (move (top (game vloc STOCK)) (top ((1 player) hloc DOWN))))"
    play = "(any ((current player) hloc DOWN) 'C (move 'C (top (game vloc UP))))"
    assert texts(play, before=deal) == [
        "play card 1 from {own 0} down to the up",
        "play card 2 from {own 0} down to the up",
    ]


DEALT = "(repeat 2 (move (top (game vloc STOCK)) (top ((1 player) hloc DOWN))))"
DOWN = "((current player) hloc DOWN)"
PLAY = "(move 'C (top (game vloc UP)))"


def test_values_of_unseen_cards_are_not_told() -> None:
    """Texts reveal no suit of an unseen card: places tell the options apart."""
    suit = "(set (game str S) (cardatt SUIT 'C))"
    mark = "(remember 'C (top (game mem M)))"
    for more in (suit, f"{suit} {mark}"):
        assert texts(each(DOWN, f"(do ({PLAY} {more}))"), before=DEALT) == [
            "play card 1 from {own 0} down to the up",
            "play card 2 from {own 0} down to the up",
        ]


def test_piles_with_one_title_tell_no_values_of_unseen_cards() -> None:
    """Options that differ only in piles with one title are numbered."""
    options = (
        f"(do ((set (game str S) (cardatt SUIT ({end} {DOWN})))"
        f" (remember ({end} {DOWN}) (top (game mem M)))"
        f" (move (top {HAND}) (top (game vloc {name})))))"
        for end, name in (("top", "UP"), ("bottom", "DONE"))
    )
    assert texts(*options, before=DEALT, above=";; @pile UP heap\n;; @pile DONE heap") == [
        "play {card 4C} to the heap (1)",
        "play {card 4C} to the heap (2)",
    ]


def test_values_in_which_actions_differ_are_told_of_unseen_cards() -> None:
    """Texts name values of unseen cards in which the actions differ."""
    ways = [f"(do ({PLAY} (set (game sto X) {x})))" for x in (5, 6)]
    assert texts(*(each(f"(top 1 {DOWN})", way) for way in ways), before=DEALT) == [
        "play a card from {own 0} down, x 5",
        "play a card from {own 0} down, x 6",
    ]
    assert texts(each(DOWN, ways[0]), each(f"(top 1 {DOWN})", ways[1]), before=DEALT) == [
        "play card 1 from {own 0} down to the up",
        "play card 2 from {own 0} down to the up, x 5",
        "play card 2 from {own 0} down to the up, x 6",
    ]


def test_the_same_card_with_and_without_more() -> None:
    """Two options that differ only in additions name everything."""
    play = "(move (top (game vloc STOCK)) (top ((current player) vloc {})))"
    told = texts(
        f"(do ({play.format('OUT')} (set (game sto X) 5)))",
        f"(do ({play.format('ROW')} (set (game sto X) 5)))",
        f"(do ({play.format('OUT')} (set (game sto X) 6)))",
    )
    assert told[0] == "take {card AH} from the stock to {own 0} out, x 5"


def test_a_number_from_nought_is_a_player_too() -> None:
    """The first player is 0 in texts if players are counted from 0."""
    setup = SETUP.replace("(create deck", "(create teams (0, 1)) (create deck")
    assert texts("(set (game sto ASKED) (pid (0 player)))", setup=setup) == ["asked {seat 0}"]


def test_a_program_alone_has_words_by_rule() -> None:
    """A program built without a file has no annotations; its texts use names by rule."""
    made = described("(choice ((set (game sto BID) 1)))")
    state = started(made).state
    assert made.choices(state, 0).texts == ("bid 1",)
    assert made.choices(state, 1).texts == ()


def test_values_have_phrases_of_their_own() -> None:
    """A phrase says what a player does who sets a value; names in it stand for values."""
    ask = "(do ((set (game sto ASKED) (pid (2 player))) (set (game str RANK) {})))"
    above = (
        ";; @verb ASKED ask ASKED for RANKs\n;; @verb DOOR SHUT shut the door\n;; @verb DOOR use"
        "\n;; @verb BID 2 bid high"
    )
    assert texts(ask.format("SIX"), ask.format("Q"), above=above) == [
        "ask {seat 1} for sixes",
        "ask {seat 1} for Qs",
    ]
    doors = ("SHUT", "OPEN")
    assert texts(*(f"(set (game str DOOR) {each})" for each in doors), above=above) == [
        "shut the door",
        "use",
    ]
    assert texts(*(f"(set (game sto BID) {each})" for each in (2, 3)), above=above) == [
        "bid high",
        "bid 3",
    ]
    french = SETUP.replace("FOUR", "FOUR, Q, K")
    assert texts(ask.format("Q"), above=above, setup=french) == ["ask {seat 1} for queens"]
    alone = "(set (game sto ASKED) (pid (2 player)))"
    assert texts(alone, above=above) == ["asked {seat 1}"]


def test_what_makes_room_is_left_out() -> None:
    """A card that leaves the place to which another goes is named only where that is needed."""
    swap = (
        "(any (range 1 .. 2) 'N (do ((move (top ((current player) vloc ROW 'N)) (top (game vloc"
        f" OUT))) (move (top {HAND}) (top ((current player) vloc ROW 'N))))))"
    )
    laid = "(all (range 1 .. 2) 'N (move (top (game vloc STOCK)) (top ((1 player) vloc ROW 'N))))"
    assert texts(swap, before=laid) == [
        "play {card 4C} to {own 0} row 1",
        "play {card 4C} to {own 0} row 2",
    ]


def test_cards_that_change_places_are_swapped() -> None:
    """Two seen cards that change places are one deed, with the description's verb if it has one."""
    swap = f"(swap (top {HAND}) (top (game vloc STOCK)))"
    assert texts(swap) == ["swap {card 4C} for {card AH}"]
    within = f"(swap (top {HAND}) (bottom {HAND}))"
    assert not texts(within)[0].startswith("swap")
    assert texts(swap, above=";; @verb STOCK exchange") == ["exchange {card 4C} for {card AH}"]
