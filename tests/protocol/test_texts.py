"""The English texts: every fact, phrase and error has one, and its arguments fit."""

from collections.abc import Callable
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from engine import GAMES, Fact
from engine.cards import FRENCH
from engine.facts import Value
from engine.phrases import Phrase
from engine.refusals import must_follow, must_follow_by, not_held, not_offered
from protocol.errors import ERROR_CODES
from protocol.message import CloseReason
from protocol.texts import (
    advice,
    catalogue,
    closing,
    game_aim,
    game_summary,
    game_title,
    in_words,
    parting,
    sentence,
    shipped_games,
    worded,
)
from protocol.texts.catalogue import english
from protocol.texts.speaker import Speaker
from tests.protocol.everything_said import (
    TABLE_PHRASES,
    game_facts,
    options_of_described,
    options_of_games,
    prompts,
    refused_moves,
    refused_options,
    table_facts,
)

NAMES = ("Ann", "Bob", "", "Dora")
REASONS = {"why", "each"}
"""What points are for, where a description says so."""
ROOT = Path(__file__).parents[2]
SOURCES = [
    path for folder in ("engine", "protocol", "server") for path in ROOT.glob(f"{folder}/**/*.py")
]


def told(fact: Fact, you: int | None = 0) -> str | None:
    return sentence(fact, NAMES, FRENCH, you)


class TestEverythingHasAText:
    @pytest.mark.parametrize("facts", [game_facts, table_facts])
    def test_facts(self, facts: Callable[[], list[Fact]]) -> None:
        """Every verb of tables and games has a text that its arguments fill in, and an example."""
        happened = facts()
        assert len({fact.verb for fact in happened}) > 8
        for fact in happened:
            assert_told(fact)
            told = fact.args.keys() - REASONS
            assert told == english().facts[fact.verb].example.keys(), fact.verb

    def test_nothing_is_left_over(self) -> None:
        """No text and no example belongs to a verb that does not exist."""
        verbs = {fact.verb for fact in (*game_facts(), *table_facts())}
        assert set(english().facts) == verbs

    def test_a_verb_has_one_text(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No two games have different texts for one verb."""
        again = {"facts": {"card_played": {"text": "A card.", "example": {}}}}
        monkeypatch.setattr(catalogue, "_of_games", lambda folder, language: {"patience": again})
        with pytest.raises(ValueError, match="card_played"):
            catalogue.catalogue.__wrapped__("en")

    @pytest.mark.no_cover
    def test_phrases(self) -> None:
        """Every phrase of refused moves and options has a text that fits its arguments."""
        phrases = [*refused_moves(), *refused_options(), *TABLE_PHRASES]
        assert len({phrase.code for phrase in phrases}) > 30
        for phrase in phrases:
            assert phrase.args.keys() == english().phrases[phrase.code].example.keys()
            said = worded(phrase, FRENCH)
            assert said is not None
            assert said.endswith(".")
            assert not set("{}|#") & set(said)

    def test_questions(self) -> None:
        """Every prompt of a native game has a text that fits its arguments."""
        asked = prompts()
        assert len({phrase.code for phrase in asked}) > 12
        for phrase in asked:
            assert phrase.args.keys() == english().phrases[phrase.code].example.keys()
            said = worded(phrase, FRENCH, NAMES, 0)
            assert said is not None
            assert said.endswith((".", "?"))
            assert not set("{}|#") & set(said)

    def test_no_phrase_is_left_over(self) -> None:
        """Every phrase text belongs to a phrase that exists."""
        said = "".join(path.read_text("utf-8") for path in SOURCES)
        options = {f"{g}_{o.name}" for g, o in (*options_of_games(), *options_of_described())}
        for code in english().phrases:
            assert f'"{code}"' in said or code in options, code
        assert options <= set(english().phrases)

    def test_a_newer_servers_phrase(self) -> None:
        """An unknown code or a missing argument gives no text, and the reason is shown instead."""
        assert worded(None) is None
        assert worded(Phrase("gone_fishing")) is None
        assert worded(Phrase("follow_suit", {"suit": "S"})) is None
        assert worded(Phrase("card_played")) is None

    @pytest.mark.parametrize(
        ("phrase", "said"),
        [
            (must_follow_by(36, (33, 35)), "You must follow spades: 9♠ or J♠."),
            (
                must_follow(0, ["2C", "JC@1", "KC"]),
                "You must follow clubs: 2♣, J♣ (column 1) or K♣.",
            ),
            (not_held(2), "You don't have 4♣."),
            (
                not_offered(["play {card QS}", "{of 0} {own 1}", "{seat x} {mark 2}"], ""),
                "You can't do that now. You may: play Q♠, Seat 1's their, x {mark 2}.",
            ),
            (
                not_offered(["give {card QS} to {seat 1}", "pass"], "The play: Be quick."),
                "You can't do that now. The play: Be quick. You may: give Q♠, pass.",
            ),
            (
                not_offered(
                    [
                        "play {card QS}, suit clubs",
                        "play {card QS}, suit hearts",
                        "{card 4C} to {seat 1}",
                        "bid 1,000, suit clubs",
                        ", so to say",
                    ],
                    "",
                ),
                "You can't do that now. You may: play Q♠, 4♣, bid 1,000, , so to say.",
            ),
            (
                not_offered([f"bid {bid}" for bid in range(20)], ""),
                "You can't do that now. You may: "
                "bid 0, bid 1, bid 2, bid 3, bid 4, bid 5, bid 6, bid 7, ….",
            ),
            (Phrase("seat_taken", {"place": 0}), "Seat 1 is taken."),
            (
                Phrase("wrong_phase", {"phase": "tea_break"}),
                "You can't do that now: the table is tea break.",
            ),
        ],
    )
    def test_phrases_read_well(self, phrase: Phrase, said: str) -> None:
        """Cards by their labels, suits by name, seats counted from 1."""
        assert worded(phrase, FRENCH) == said

    def test_closings(self) -> None:
        """Each reason for which a table is closed to a player is a whole sentence."""
        assert english().closings.keys() >= set(get_args(CloseReason))
        assert english().closings.keys() <= english().reasons.keys()
        assert parting("kicked") == "The host removed you from the table."
        assert parting("gone_fishing") == "You are no longer at the table: gone fishing."

    def test_errors(self) -> None:
        """Every error code has a text with advice, and no other code has one."""
        assert set(english().errors) == set(ERROR_CODES)
        assert "bad_message" not in advice("bad_message")
        assert advice("out_of_cheese").startswith("This client does not know that error")


def assert_told(fact: Fact) -> None:
    """Check that each text of a verb can be filled in with the fact's arguments, as sentences."""
    entry = english().facts[fact.verb]
    extra: dict[str, Value] = {"who": 1, "ranking": "1. Ann 7", "winners": "You and Bob"}
    about = [entry.you, entry.they]
    assert (entry.text is None) == (None not in about) or fact.verb == "match_ended"
    for template in (entry.you, entry.they, entry.text):
        if template is not None:
            fields = {field for _, field, _, _ in Formatter().parse(template) if field}
            assert fields <= set(fact.args) | set(extra)
            speaker = Speaker(NAMES, FRENCH, you=0)
            filled = speaker.fill(template, {**fact.args, **extra})
            assert not set("{}|#") & set(filled)
            assert filled == "" or filled.endswith(".")


class TestSentences:
    @pytest.mark.parametrize(
        ("said", "verb", "args"),
        [
            ("Bob plays Q♠.", "card_played", {"seat": 1, "card": "QS"}),
            ("You play 10♥.", "card_played", {"seat": 0, "card": "TH"}),
            ("Seat 3 plays ??.", "card_played", {"seat": 2, "card": "??"}),
            ("Seat 9 plays Q♠.", "card_played", {"seat": 8, "card": "QS"}),
            ("Bob takes the trick.", "trick_taken", {"seat": 1, "points": 0}),
            ("Bob takes the trick (−1 point).", "trick_taken", {"seat": 1, "points": -1}),
            ("You take the trick (−13 points).", "trick_taken", {"seat": 0, "points": -13}),
            ("You get 1 card in hand.", "hand_dealt", {"seat": 0, "count": 1}),
            ("You get 10 cards in hand.", "hand_dealt", {"seat": 0, "count": 10}),
            (None, "hand_dealt", {"seat": 1, "count": 10}),
            ("Bob leads.", "deal_laid", {"leader": 1}),
            ("Bob's column now shows Q♠.", "card_flipped", {"seat": 1, "card": "QS"}),
            ("Zoe leaves the table.", "player_left", {"seat": 2, "name": "Zoe"}),
            ("Seat 3 leaves the table.", "player_left", {"seat": 2}),
            (
                "Zoe (program: my bot) sits down.",
                "player_seated",
                {"seat": 2, "name": "Zoe", "program": "my bot"},
            ),
            ("You sit down.", "player_seated", {"seat": 0, "name": "Al", "program": "my bot"}),
            ("Bob moves to seat 4.", "player_moved", {"seat": 1, "to": 3, "name": "Bob"}),
            ("You are ready.", "player_ready", {"seat": 0, "ready": True}),
            ("Bob is not ready.", "player_ready", {"seat": 1, "ready": False}),
            ("The game is paused: all players are away.", "paused", {}),
            ("The table is closed: nobody came back.", "table_closed", {"reason": "abandoned"}),
            ("The table is closed: rats ate it.", "table_closed", {"reason": "rats_ate_it"}),
            (
                "Deal 1 scores: you +1, Bob −3, Seat 3 0, Dora +10. "
                "Totals: you 4, Bob −3, Seat 3 0, Dora 7.",
                "deal_scored",
                {"deal": 1, "scores": (1, -3, 0, 10), "totals": (4, -3, 0, 7)},
            ),
            (
                "Dora wins the match. 1. Dora 10, 2. you 1, 3. Seat 3 0, 4. Bob −3.",
                "match_ended",
                {"totals": (1, -3, 0, 10), "ranks": (2, 4, 3, 1)},
            ),
            (
                "You win the match. 1. you 3, 2. Bob 1.",
                "match_ended",
                {"totals": (3, 1), "ranks": (1, 2)},
            ),
            (
                "You and Bob share first place. 1. you 3, 1. Bob 3.",
                "match_ended",
                {"totals": (3, 3), "ranks": (1, 1)},
            ),
        ],
    )
    def test_what_happened(self, said: str | None, verb: str, args: dict[str, Value]) -> None:
        """Texts of facts for the player at seat 0."""
        assert told(Fact(verb, args)) == said

    def test_watching(self) -> None:
        """Texts of facts for a spectator do not say "you"."""
        played = Fact("card_played", {"seat": 0, "card": "QS"})
        assert told(played, you=None) == "Ann plays Q♠."
        shared = told(Fact("match_ended", {"totals": (3, 3), "ranks": (1, 1)}), you=None)
        assert shared == "Ann and Bob share first place. 1. Ann 3, 1. Bob 3."

    @pytest.mark.parametrize(
        ("said", "verb", "args"),
        [
            ("Bob: trump turned (card Q♠).", "trump_turned", {"seat": 1, "card": "QS"}),
            (
                "You: meld shown (cards 1, 2, open yes).",
                "meld_shown",
                {"seat": 0, "cards": (1, 2), "open": True},
            ),
            ("Stock gone.", "stock_gone", {}),
            ("Bob: bid kept (partner you).", "bid_kept", {"seat": 1, "partner": 0}),
            ("Bob: card played.", "card_played", {"seat": 1}),
            ("Bob: trick taken (points many).", "trick_taken", {"seat": 1, "points": "many"}),
            ("Card played (card Q♠).", "card_played", {"card": "QS"}),
            (
                "Match ended (totals you 1, ranks 1, 2).",
                "match_ended",
                {"totals": (1,), "ranks": (1, 2)},
            ),
            ("Card played (winner no).", "card_played", {"winner": False}),
        ],
    )
    def test_what_there_is_no_text_for(self, said: str, verb: str, args: dict[str, Value]) -> None:
        """An unknown verb, or arguments that do not fit its text, give a plain sentence."""
        assert told(Fact(verb, args)) == said

    def test_closing(self) -> None:
        """The end of a table has a text, also for unknown reasons."""
        assert closing("kicked") == "the host removed you"
        assert closing("rats_ate_it") == "rats ate it"

    def test_a_game_with_two_names(self) -> None:
        """Lists add a game's best-known other name to its title."""
        assert game_title("whist", "Whist") == "Whist (Oh Hell)"
        assert game_title("hearts", "Hearts") == "Hearts"
        assert game_title("Mine4.rcy", "Mine") == "Mine"
        assert "schnapsen, " in shipped_games()
        assert "whist (Oh Hell)" in shipped_games()
        assert set(english().games) == {info.id for info in GAMES}

    def test_a_line_about_each_game(self) -> None:
        """Every game of the program has a one-line description; other games have none."""
        assert all(game_summary(info.id).endswith(".") for info in GAMES)
        assert game_summary("Mine4.rcy") == ""
        assert all(game_aim(info.id).endswith(".") for info in GAMES)
        assert game_aim("Mine4.rcy") == ""


class TestWordsOfAGame:
    """Texts in which a game names cards and players by placeholders."""

    NAMES = ("Ann", "Bob")

    def test_placeholders_are_filled_in(self) -> None:
        """Placeholders are replaced by the reader's names for cards and players."""
        text = "give {card QS} of {own 0} hand to {seat 1}, from {of 0} row to {of 1} row"
        told = in_words(text, FRENCH, self.NAMES, 0)
        assert told == "give Q♠ of your hand to Bob, from your row to Bob's row"
        told = in_words(text, FRENCH, self.NAMES, None)
        assert told == "give Q♠ of their hand to Bob, from Ann's row to Bob's row"

    def test_a_fact_is_told_in_them(self) -> None:
        """A fact with such a text is told by it, without its action."""
        fact = Fact("option_taken", {"seat": 1, "action": "x 1"}, words="ask {seat 0}")
        assert sentence(fact, self.NAMES, FRENCH, 0) == "Bob: ask you."
