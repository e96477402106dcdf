"""The texts of every language: each English text has one, and its arguments fit."""

from collections.abc import Iterator
from importlib.resources import files
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from engine import GAMES, Fact, GameInfo
from engine.cards import FRENCH
from engine.facts import Value
from engine.games.hearts.rule_sets import DIRECTIONS
from engine.phrases import Phrase
from engine.refusals import must_follow
from protocol.texts import (
    LANGUAGES,
    advice,
    card_name,
    catalogue,
    closing,
    in_words,
    parting,
    sentence,
    speaking,
    with_labels,
    worded,
)
from protocol.texts.catalogue import TextEntry, Texts, english
from protocol.texts.speaker import Speaker
from tests.protocol.everything_said import game_facts, table_facts

NAMES = ("Ann", "Max", "", "Dora")
OTHERS = [language for language in LANGUAGES if language != "en"]
MADE = {"who", "ranking", "winners"}
"""What a sentence may name beside the arguments of its fact."""


def texts_of(language: str) -> Texts:
    return catalogue.catalogue(language)


def templates(entry: TextEntry) -> dict[str, str]:
    kinds = {"you": entry.you, "they": entry.they, "text": entry.text}
    return {kind: text for kind, text in kinds.items() if text is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_fits(language: str) -> None:
    """Every text can be filled in with its example's arguments, for every reader."""
    texts = texts_of(language)
    for section in ("facts", "phrases"):
        for code, entry in getattr(texts, section).items():
            usual = templates(getattr(english(), section)[code])
            said = templates(entry)
            assert said.keys() == usual.keys(), code
            assert {kind for kind, text in said.items() if text} == {
                kind for kind, text in usual.items() if text
            }, code
            same_keys = getattr(english(), section)[code]
            assert bool(entry.help) == bool(same_keys.help), code
            assert entry.words.keys() == same_keys.words.keys(), code
            for text in said.values():
                named = {field for _, field, _, _ in Formatter().parse(text) if field}
                assert named <= entry.example.keys() | MADE, code
                filled_in(language, text, entry)


@pytest.mark.parametrize("language", OTHERS)
def test_settings_have_titles_and_help(language: str) -> None:
    """Every setting has a title and help, and titles for its words."""
    for name, setting in texts_of(language).settings.items():
        assert setting.title
        assert setting.help
        assert setting.words.keys() == english().settings[name].words.keys(), name


def filled_in(language: str, template: str, entry: TextEntry) -> None:
    made: dict[str, Value] = {"who": 1, "ranking": "1. Ann 7", "winners": "Ann"}
    with speaking(language):
        for you in (None, 0, 1):
            said = Speaker(NAMES, FRENCH, you).fill(template, {**entry.example, **made})
            assert not set("{}|#!") & set(said), said
            assert said == "" or said.endswith((".", "?")), said
            assert "  " not in said, said


@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_for_numbers_have_the_number(language: str) -> None:
    """A plural form contains `#`, since it would otherwise not name the number."""
    texts = texts_of(language)
    for entry in (*texts.facts.values(), *texts.phrases.values()):
        for text in templates(entry).values():
            for _, field, forms, _ in Formatter().parse(text):
                if forms and not isinstance(entry.example.get(field or ""), bool):
                    assert "#" in forms.split("|")[-1], text


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.no_cover
def test_all_that_happens_is_told(language: str) -> None:
    """Every fact with an English line has one in every language, for players and spectators."""
    with speaking(language):
        other = list(everything_told())
    usual = list(everything_told())
    for fact, said, english_said in zip(facts(), other, usual, strict=True):
        assert (said is None) == (english_said is None), fact
        assert said is None or said.endswith("."), said


def facts() -> Iterator[tuple[Fact, int | None]]:
    once = {f"{fact.verb} {sorted(fact.args.items())}": fact for fact in all_facts()}
    yield from product(once.values(), (None, 0))


def all_facts() -> Iterator[Fact]:
    yield from game_facts()
    yield from table_facts()


def everything_told() -> Iterator[str | None]:
    for fact, you in facts():
        yield sentence(fact, NAMES, FRENCH, you)


@pytest.mark.parametrize("language", OTHERS)
def test_words_in_arguments_have_a_name(language: str) -> None:
    """Every direction that appears as an argument has a name in each language."""
    directions = {word for word in DIRECTIONS.values() if word != "hold"}
    assert texts_of(language).values["direction"].keys() == directions


@pytest.mark.parametrize(
    ("said", "you", "verb", "args"),
    [
        ("Du spielst Q♠.", 0, "card_played", {"seat": 0, "card": "QS"}),
        ("Platz 3 spielt 10♥.", 0, "card_played", {"seat": 2, "card": "TH"}),
        ("Max macht den Stich; er zählt −1.", 0, "trick_taken", {"seat": 1, "points": -1}),
        ("Annas Zeit ist um. Ein Bot macht diesen Zug.", 1, "timed_out", {"seat": 0}),
        ("Max’ Zeit ist um. Ein Bot macht diesen Zug.", 0, "timed_out", {"seat": 1}),
        ("Drei Karten gehen nach links.", 0, "passing_begun", {"direction": "left"}),
        ("Drei Karten gehen himmelwärts.", 0, "passing_begun", {"direction": "himmelwärts"}),
        ("Du bekommst 2♣ von Max.", 0, "cards_received", {"seat": 0, "cards": "2C", "giver": 1}),
        (
            "Für Max und dich reicht es nicht zu 5 Stichen.",
            0,
            "contract_failed",
            {"seat": 1, "partner": 0, "tricks": 5, "bags": 0},
        ),
        (
            "Geteilter erster Platz: Du und Max. 1. du 3, 1. Max 3.",
            0,
            "match_ended",
            {"totals": (3, 3), "ranks": (1, 1)},
        ),
        (
            "Zoe (Programm: x) setzt sich.",
            0,
            "player_seated",
            {"seat": 3, "name": "Zoe", "program": "x"},
        ),
        (
            "Zoes Zeit ist um. Ein Bot macht diesen Zug.",
            0,
            "timed_out",
            {"seat": 3, "name": "Zoe"},
        ),
    ],
)
def test_german_reads_well(said: str, you: int, verb: str, args: dict[str, Value]) -> None:
    """German texts use the right case for names and address the reader as "du"."""
    with speaking("de"):
        assert sentence(Fact(verb, args), ("Anna", "Max", ""), FRENCH, you) == said


def test_german_words_phrases_and_cards() -> None:
    """German covers suits, fractions, reasons, advice; described games' words stay as written."""
    with speaking("de"):
        assert (
            worded(must_follow(0, ["2C", "KC"]), FRENCH) == "Du musst Kreuz bedienen: 2♣ oder K♣."
        )
        hint = Phrase("hint_tricks", {"move": "bid 3", "value": "2.8"})
        assert worded(hint, FRENCH) == "Bid 3: Dein Blatt sollte 2,8 Stiche machen."
        held = Phrase("not_in_hand", {"card": "4S@8"})
        assert worded(held, FRENCH) == "Du hast 4♠ (Spalte 8) nicht."
        rank = Phrase("hint_rank", {"move": "bid 3", "value": "62.5", "other": "x", "less": "9.1"})
        assert "62,5 von 100" in (worded(rank, FRENCH) or "")
        turn = Phrase("review_turn", {"deal": 2, "trick": 0, "nth": 4, "points": "+4.5 ± 0.3"})
        assert worded(turn, FRENCH) == "Wendepunkt, +4,5 ± 0,3 Punkte: vor Runde 2, Zug 4."
        assert closing("kicked") == "du wurdest vom Tisch verwiesen"
        assert parting("rats_ate_it") == "Du bist nicht mehr am Tisch: rats ate it."
        assert advice("gone_fishing").startswith("Diesen Fehler kennt dein Programm nicht")
        assert card_name(FRENCH[10]) == "Kreuz Dame"
        assert with_labels("Herz Zehn") == "10♥"
        told = in_words("give {of 0} cards to {seat 0}, {seat 2}", FRENCH, NAMES, 0)
        assert told == "give your cards to you, Seat 3"
    assert card_name(FRENCH[10]) == "queen of clubs"


def test_there_is_no_other_language() -> None:
    """Asking for an unknown language lists the known ones."""
    with pytest.raises(ValueError, match="'tlh': there are texts in en, "), speaking("tlh"):
        raise AssertionError


def test_a_text_that_english_has_not_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text without an English counterpart is an error."""
    more: dict[str, dict[str, Any]] = {"patience": {"facts": {"card_eaten": {"text": "Weg."}}}}
    english()
    monkeypatch.setattr(catalogue, "_of_games", lambda folder, language: more)
    with pytest.raises(ValueError, match="card_eaten: there is no such text in English"):
        catalogue.catalogue.__wrapped__("de")


def test_a_language_may_be_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language may be one file with each game's texts under the game's name."""
    german, games = texts_of("de"), catalogue._of_games(files("engine") / "games", "de")
    common = catalogue._read(files("protocol.texts") / "de.toml")
    monkeypatch.setattr(catalogue, "_of_games", lambda folder, language: {})
    monkeypatch.setattr(catalogue, "_read", lambda file: {**common, "games": games})
    assert catalogue.catalogue.__wrapped__("de") == german


def test_what_a_client_says_by_itself_may_be_in_the_one_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A single language file may have a client's own texts if that client has no file for it."""
    common = catalogue._read(files("protocol.texts") / "de.toml")
    of_page = {"page": {"talk": {"send": "Ab"}}}
    monkeypatch.setattr(catalogue, "_of_games", lambda folder, language: {})
    monkeypatch.setattr(catalogue, "_read", lambda file: {**common, "own": of_page})
    one_file = catalogue.catalogue.__wrapped__("de")
    monkeypatch.undo()
    monkeypatch.setattr(catalogue, "catalogue", lambda language: one_file)
    assert catalogue.own_of("page", "de", tmp_path) == of_page["page"]
    assert catalogue.own_of("terminal", "de", tmp_path) == {}
    (tmp_path / "de.toml").write_text("[talk]\nsend = 'Los'", "utf-8")
    assert catalogue.own_of("page", "de", tmp_path) == {"talk": {"send": "Los"}}


def test_every_game_has_texts_in_every_language() -> None:
    """Every game has a line and an aim in every language."""
    for info, language in product(GAMES, OTHERS):
        texts = texts_of(language)
        assert texts.summaries[info.id], (info.id, language)
        assert texts.aims[info.id], (info.id, language)


@pytest.mark.parametrize("language", OTHERS)
def test_every_game_has_its_rules_in_every_language(language: str) -> None:
    """Every game's rules have the English sections, tables and options in every language."""
    for info in GAMES:
        rules = texts_of(language).rules[info.id]
        options = GAMES.game(info.id).options(info.usual_seats)
        for part in ("\n#", "\n|", "\n- ", "\n1. "):
            assert rules.count(part) == info.rules.count(part), (info.id, part)
        assert rules != info.rules
        assert {option.name for option in options if f"`{option.name}`" not in rules} == set()


def test_rules_and_bots_in_english_are_where_they_are_written() -> None:
    """The English file has no rules, bot texts or titles of moves: they are in games and bots."""
    usual = english()
    assert (usual.rules, usual.bots, usual.titles) == ({}, {}, {})


def test_moves_are_called_as_on_their_buttons() -> None:
    """English titles of moves are the game's own, but for what the moves name."""
    for info in GAMES:
        titles = {form.verb: form.title for form in info.moves}
        told = english().moves[info.id]
        assert {verb: text.removesuffix(" {what}") for verb, text in told.items()} == titles


def test_a_move_is_said_in_the_words_of_its_game() -> None:
    """A move is told in its game's words, with card labels, and unknown text as typed."""
    told = Phrase("review_same", {"deal": 1, "trick": 0, "nth": 1, "move": "marry QS"})
    played = Phrase(told.code, {**told.args, "move": "play QS"})
    with speaking("de"):
        said = worded(told, FRENCH, game="schnapsen")
        assert said == "Runde 1, Zug 1: das Paar mit Q♠ ansagen, wie der Bot."
        assert worded(told, FRENCH) == "Runde 1, Zug 1: marry Q♠, wie der Bot."
        assert worded(played, FRENCH, game="schnapsen") == "Runde 1, Zug 1: Q♠, wie der Bot."
    closed = Phrase(told.code, {**told.args, "move": "close"})
    assert (
        worded(closed, FRENCH, game="schnapsen") == "Deal 1, move 1: close the talon, as the bot."
    )
    unknown = Phrase(told.code, {**told.args, "move": "shout 3"})
    assert worded(unknown, FRENCH, game="schnapsen") == "Deal 1, move 1: shout 3, as the bot."


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_have_words_in_every_language(language: str) -> None:
    """Every move has words in every language, with a place for the card or number it names."""
    texts = texts_of(language)
    for info in GAMES:
        assert {form.verb for form in info.moves} == texts.moves[info.id].keys(), info.id
        for form in info.moves:
            assert ("{what}" in texts.moves[info.id][form.verb]) == takes(info, form.verb)


@pytest.mark.parametrize("language", OTHERS)
def test_titles_have_words_in_every_language(language: str) -> None:
    """Every zone and value of a game of the program has a title in every language."""
    texts = texts_of(language)
    for info in GAMES:
        titles = {hint.title for hint in info.layout.zones}
        titles |= {hint.title for hint in info.layout.values}
        known = {*texts.titles[""], *texts.titles.get(info.id, {})}
        assert titles | {label.title for label in info.labels} <= known, info.id


def takes(info: GameInfo, verb: str) -> bool:
    """Whether a move of this verb names a card or a number."""
    return verb in ("play", "bid", "marry") or (info.id, verb) == ("hearts", "pass")
