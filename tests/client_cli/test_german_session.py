"""A match in a German terminal: every word on the screen is one of the German texts."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from string import Formatter

import pytest

from client_cli.included_games import included_games
from client_cli.tell import own_texts
from engine import GAMES
from engine.cards import FRENCH
from protocol.about_games import translations
from protocol.texts.catalogue import catalogue
from protocol.to_server import TableSettings
from tests.client_cli.screen import Screen, without_escapes

WORD = re.compile(r"[^\W\d_]{2,}")
MOVEMENT = re.compile(r"\x1b\[[0-9;?]*[A-HJKf]|\r(?!\n)")
NAMES = "Anna Annas Ada Adas Blaise Blaises"
TYPED = "blackqueen play set yes no default"
"""What may be typed in every language, and verbs of moves."""
TYPED_AND_SEEN = (
    ("?", "dasselbe wie quit"),
    ("? options", "unterhalten"),
    ("tipp", "Tipp"),
    ("hint full", "Wert:"),
    ("blatt", "Hand"),
    ("punkte", "Punkte"),
    ("letzter", "kein Stich zu Ende"),
    ("tisch", "Du bist am Zug."),
    ("regeln", "Black Queen"),
    ("hallo alle", "Unbekannter Befehl."),
    ("sag", "was möchtest du sagen?"),
    ("admit", "niemand möchte mitspielen"),
    ("start", "jetzt nicht"),
    ("zurück", "zurück"),
    ("1", "Du spielst"),
    ("verlauf", "Du"),
    ("verlassen", "Tipp ja oder nein."),
    ("nein", "Du bleibst am Tisch."),
    ("auto", "Dein Platz spielt jetzt von selbst."),
)

FILES = (translations("de"), tuple(game.title for game in included_games()))
"""What the menu says of games from files, and their names."""


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def german_words() -> set[str]:
    """Every word of a German text, and names that are equal in every language."""
    options = [
        each.name for info in GAMES for each in GAMES.game(info.id).options(info.usual_seats)
    ]
    known = " ".join(
        (NAMES, TYPED, *(info.id for info in GAMES), *options, *TableSettings.model_fields)
    )
    known += " ".join(("", *(card.token for card in FRENCH)))
    values = [each.words for each in catalogue("en").settings.values()]
    values += [each.words for each in catalogue("en").phrases.values()]
    known += " ".join(("", *(word for each in values for word in each)))
    return words(known).union(
        *(words(said(text)) for text in strings((catalogue("de"), shown_texts("de"), FILES)))
    )


def shown_texts(language: str) -> dict[str, str]:
    """The terminal's texts without the words that are only typed."""
    texts = own_texts(language).items()
    return {key: text for key, text in texts if not key.startswith(("words.", "aliases."))}


def said(template: str) -> str:
    """The words of a template, without the names of its fields."""
    if "{" not in template:
        return template
    parts = Formatter().parse(template)
    return " ".join(f"{literal} {forms or ''}" for literal, _, forms, _ in parts)


def strings(value: object) -> Iterator[str]:
    """Every text in `value`, without examples and the names of facts, which nobody reads."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from strings(each)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in ("example", "verbs"):
                yield from strings(getattr(value, field.name))


def test_english_sentences_have_words_that_no_german_text_has() -> None:
    """Every English sentence has a word that no German text has, so that the test can find it."""
    known = german_words()
    usual = [text for text in map(said, shown_texts("en").values()) if len(words(text)) > 3]
    unnoticed = [text for text in usual if words(text) <= known]
    assert unnoticed == []


@pytest.mark.e2e
async def test_a_german_session_has_no_english_word(tmp_path: Path) -> None:
    """A German session shows no English word, from the menu to the farewell."""
    short = ("--seats", "2", "--option", "deals=1", "--option", "bot_delay=0", "--seed", "5")
    german = {"LC_MESSAGES": "de_DE.UTF-8", "PAGER": ""}
    async with Screen(tmp_path, "play", *short, "--name", "Anna", columns=200, **german) as screen:
        await screen.sees("Welches Spiel? [black_queen]")
        screen.type("hilfe")
        await screen.sees("quit schließt das Programm.")
        screen.type("")
        await screen.sees("Wie stark sollen die Bots sein? [mittel]")
        screen.type("leicht")
        await screen.sees("Mit ? siehst du das wieder.")
        await screen.sees("dein Zug>")
        for typed, seen in TYPED_AND_SEEN:
            screen.type(typed)
            await screen.sees(seen)
            # What is typed before the prompt is back stands in the middle of the answer.
            await screen.sees(">")
        await screen.sees("[nochmal]")
        screen.type("ende")
        assert await screen.ended() == 0
        code = re.search(r"Tisch ([0-9A-Z]+)", screen.text)
        assert code is not None
        shown = words(without_escapes(MOVEMENT.sub(" ", screen.raw)).replace(code[1], ""))
    # A terminal's prompt is drawn in pieces, where something in it has changed.
    all_typed = ["hilfe", "leicht", "ende", *(each for each, _ in TYPED_AND_SEEN)]
    prompts = [text for key, text in own_texts("de").items() if key.startswith("prompt.")]
    drawn = " ".join((*all_typed, *prompts)).casefold()
    echoed = tuple(word for each in all_typed for word in each.split() if len(word) > 2)
    assert [
        word
        for word in shown - german_words()
        if word not in drawn and not any(each in word for each in echoed)
    ] == []
