"""A game with its own words: moves, zones, values, and prompts."""

import pytest

from client_cli.completion import completions
from client_cli.effects import SendCommand
from client_cli.hint_view import hint_sentence
from client_cli.move_help import how_to_move
from client_cli.narrator import sentences
from client_cli.refusals import refusal
from client_cli.signs import signs
from client_cli.spoken_table import spoken_table, spoken_title, spoken_turn
from client_cli.table_controller import TableController
from client_cli.table_view import draw_table, title_lines
from client_cli.text import plain
from client_cli.told_moves import move_told_as
from engine.facts import Fact, Move, Value
from engine.labels import Label
from engine.phrases import Phrase
from engine.refusals import not_offered
from protocol.errors import ProtocolError
from protocol.to_client import HintAnswer
from protocol.to_server import Act
from tests.client_cli.tables import ASCII, WIDE, table, text_of

ASKS = "asked 2, rank SEVEN"
LABELS = (
    Label("crib_hloc", "crib", "four cards that count for the dealer"),
    Label("dealer_count", "dealer", "", "seat", 1),
    Label("asker", "asker", "", "seat", 1),
    Label("row_mem", "row", "", "cards"),
    Label("passed", "passed", "never shown", "nothing"),
    Label("skips", "skips", "", "nothing"),
    Label("bid_count", "bid", "tricks wanted"),
)
CRIBBAGE = table(
    zones={"crib_hloc": "? ?", "hand/0": "2C QS", "pile_vloc//2": "KC 3C"},
    values={
        "now/stage": "The play",
        "now/stage_text": "count up",
        "now/choice": "Lay away",
        "now/choice_text": "They go to the crib.",
        "dealer_count": 2,
        "asker": 9,
        "row_mem": "QS 2C",
        "passed": 3,
        "skips/0": 1,
        "bid_count/0": 2,
        "bid_count/1": 0,
        "score_team/1": 4,
        "team/0": 0,
        "team/1": 1,
        "team/2": 0,
    },
    to_act=(0,),
    actions=("play 2C", "play QS", "asked 2, rank SEVEN", "passed 1"),
    texts=(
        "play {card 2C} to the crib",
        "play {card QS} to the crib",
        "ask {seat 1} for {of 2} sevens",
        "pass",
    ),
    labels=LABELS,
)


def test_what_helps_nobody_is_left_out_of_the_title() -> None:
    """The title omits teams without players and uses words instead of tokens."""
    of_teams: dict[str, Value] = {f"team/{seat}": seat % 2 for seat in range(4)}
    of_teams |= {f"tricks_team/{team}": 0 for team in range(4)} | {"trump": "CLUBS"}
    title = text_of(title_lines(table(values=of_teams), WIDE))
    assert "tricks team 2 0" in title
    assert "team 3" not in title
    assert " clubs " in title


def test_a_table_is_drawn_in_the_words_of_the_game() -> None:
    """A table is drawn with the game's titles, players' names, and the prompt above the hand."""
    assert (
        text_of(draw_table(CRIBBAGE, WIDE))
        == """
── Black Queen · table K7Q2X · The play · dealer Blaise · asker 9 · row Q♠ 2♣ ─
── score team 2 4 ─────────────────────────────────────────────────────────────
                          bid  team  hand
▸ Ann     you               2     1     2
  Blaise  bot 2             0     2     0
  Carl    bot 2, partner          1     0

crib     ▒×2
pile vloc 2 K♣  3♣

Lay away. They go to the crib.
hand      1)2♣
          2)Q♠
cards go to the crib
moves     3)ask Blaise for Carl's sevens   4)pass
"""
    )


def test_without_symbols_cards_keep_their_tokens() -> None:
    """Without symbols cards in the game's words are tokens."""
    drawn = plain(draw_table(CRIBBAGE, ASCII))
    assert "row QS 2C" in drawn
    assert "asked" not in drawn


def test_nobody_is_asked_what_others_choose() -> None:
    """The stage is shown to everybody, and the question only to the player to move."""
    drawn = plain(draw_table(table(values=CRIBBAGE.view.values, to_act=(1,)), WIDE))
    assert "The play" in drawn
    assert "Lay away" not in drawn
    unnamed = table(values={"now/stage": 3, "now/choice": "Why?"}, to_act=(0,))
    assert "Why?\n" in plain(draw_table(unnamed, WIDE)) + "\n"


def test_cards_that_go_to_different_places_are_listed_with_them() -> None:
    """Moves of one card to different places are listed with their places."""
    two_ways = table(
        zones={"hand/0": "2C QS"},
        to_act=(0,),
        actions=("play 2C", "play QS"),
        texts=("play {card 2C} to the crib", "play {card QS}"),
    )
    drawn = plain(draw_table(two_ways, WIDE))
    assert " 1)play 2♣ to the crib" in drawn
    assert " 2)Q♠" in drawn


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("ask blaise for carl's sevens", "asked 2, rank SEVEN"),
        ("Play 2♣ to the crib", "play 2C"),
        ("play 2C to the crib", "play 2C"),
        ("pass", "passed 1"),
        ("3", "asked 2, rank SEVEN"),
        ("4", "passed 1"),
        ("q♠", "play QS"),
    ],
)
def test_what_is_shown_can_be_typed(typed: str, action: str) -> None:
    """A move can be typed by its words, its number or its action."""
    (effect,) = TableController(CRIBBAGE).typed(typed)
    assert isinstance(effect, SendCommand)
    assert effect.fields["action"] == action


def test_words_that_two_moves_share_mean_neither() -> None:
    """Words that two moves share are ambiguous."""
    twice = table(to_act=(0,), actions=("x 1", "x 2"), texts=("go", "go"))
    (effect,) = TableController(twice).typed("go")
    assert not isinstance(effect, SendCommand)


def test_texts_that_are_not_complete_are_ignored() -> None:
    """Incomplete texts of moves are ignored."""
    less = table(to_act=(0,), actions=("bid 1", "bid 2"), texts=("bid one",))
    assert "bid      1  2" in plain(draw_table(less, WIDE))


def test_a_bid_stays_a_number() -> None:
    """A bid can be typed as its number."""
    bids = table(to_act=(0,), actions=("bid 1", "bid 2"), texts=("bid 1", "bid 2"))
    assert "bid      1  2" in plain(draw_table(bids, WIDE))
    (effect,) = TableController(bids).typed("2")
    assert isinstance(effect, SendCommand)
    assert effect.fields["action"] == "bid 2"
    assert "bid 2" in how_to_move(bids, WIDE)


def test_the_line_is_completed_with_the_words() -> None:
    """The line completes with the words of moves, beside the actions."""
    assert "ask Blaise for Carl's sevens" in completions(CRIBBAGE, "ask")


def test_what_happened_is_told_in_the_words_of_the_game() -> None:
    """Events are told in the game's words and titles, and as actions only without words."""
    facts = [
        Fact("option_taken", {"seat": 1, "action": "play ?"}, words="play a card to {own 1} row"),
        Fact("option_taken", {"seat": 0, "action": "asked 2"}, words="ask {seat 2}"),
        Fact("option_taken", {"seat": 1, "action": "play QS"}),
        Fact(
            "cards_moved",
            {"source": "crib_hloc", "target": "hand/1", "count": 2},
            (Move("crib_hloc", "hand/1", 2),),
        ),
    ]
    assert plain(sentences(facts, CRIBBAGE, WIDE)).split("\n") == [
        "Blaise: play a card to their row.",
        "You ask Carl.",
        "Blaise: play Q♠.",
        "Blaise gets 2 cards from the crib.",
    ]


def test_a_refusal_says_what_may_be_done() -> None:
    """A refusal shows the stage's title, its sentence, and the options in words."""
    texts = CRIBBAGE.choices.texts
    error = ProtocolError("illegal_action", "no", phrase=not_offered(texts, "The play: Count up."))
    assert refusal(Act, {}, error, CRIBBAGE) == (
        "You can't do that now. The play: Count up. You may: play 2♣, play Q♠, "
        "ask Blaise for Carl's sevens, pass."
    )


def test_a_hint_without_a_sentence_is_told_in_words() -> None:
    """A hint without a sentence names the move in words."""
    hint = HintAnswer(id=1, table="K7Q2X", turn=7, action="asked 2, rank SEVEN")
    assert plain(hint_sentence(hint, CRIBBAGE, WIDE)) == "Hint: ask Blaise for Carl's sevens"
    args: dict[str, Value] = {"move": "play QS", "value": 4, "other": "passed 1", "less": "-1"}
    reason = hint.model_copy(update={"phrase": Phrase("hint_score", args)})
    assert plain(hint_sentence(reason, CRIBBAGE, WIDE)) == (
        "Hint: Play Q♠ to the crib scores 4 points on average; pass makes it -1."
    )


def test_the_signs_explain_what_the_game_explains() -> None:
    """The signs include the sentences of shown labels, by their titles."""
    told = dict(signs(CRIBBAGE, WIDE))
    assert told["crib"] == "four cards that count for the dealer"
    assert told["bid"] == "tricks wanted"
    assert "passed" not in told
    assert not any("skips" in name for name in told)


def test_a_listener_hears_the_words_of_the_game() -> None:
    """A listener hears prompts, moves and zones in the game's words."""
    told = spoken_turn(CRIBBAGE)
    assert told[1:] == [
        "Lay away. They go to the crib.",
        "You may play: 1 two of clubs, 2 queen of spades.",
        "Cards go to the crib.",
        "You may choose: 3 ask Blaise for Carl's sevens, 4 pass.",
    ]
    assert "The crib: 2 face-down cards." in spoken_table(CRIBBAGE)
    assert "The play" in spoken_title(CRIBBAGE)


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("lay 9S TS JS", "play 9S TS JS"),
        ("Lay down 9♠ 10♠ J♠", "play 9S TS JS"),
        ("discard JS", "play JS to discard"),
        ("ask blaise sevens", "asked 2, rank SEVEN"),
        ("go", "go on"),
    ],
)
def test_the_games_own_words_can_be_shortened(typed: str, action: str) -> None:
    """In the words of a move everything after the verb may be omitted, except cards."""
    asked = table(
        to_act=(0,),
        actions=("play 9S TS JS", "play JS to discard", "play 9S to discard", ASKS, "go on"),
        texts=(
            "lay down {card 9S} {card TS} {card JS}",
            "discard {card JS}",
            "discard {card 9S}",
            "ask {seat 1} for {of 2} sevens",
            "go on",
        ),
    )
    assert move_told_as(typed, asked) == action
    for wrong in ("lay", "lay 9S", "discard", "la 9S TS JS", "JS"):
        assert move_told_as(wrong, asked) is None
