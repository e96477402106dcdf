"""The texts of the page as JSON: the texts of all clients, and the page's own texts."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from protocol.about_games import translations
from protocol.table_settings import CAME_LATER, TableSettings, offered_values
from protocol.texts.catalogue import TextEntry, Texts, catalogue, own_of

REVIEWS, REFUSALS = "review_", "refused_"
"""How phrases begin that no table needs: those of reviews, and of what is seldom refused."""
HINT = "hint"
"""The texts of all clients that nobody needs before they ask for a hint."""
FIRST = ("language", "games", "summaries", "abouts", "phases", "words")
"""Texts of games and tables that the first screen shows."""
_NAMED = re.compile(r'"([a-z_]+(?:\.[a-z_]+)*)"')
_BEGUN = re.compile(r"\bt\(`([a-z_.]+\.)\$\{")


def page_texts(folder: Path, language: str) -> dict[str, Any]:
    """Return the texts for the page in `folder` in this language; its own are under `page`.

    `abouts` is what included games from files are, by the English sentence.
    """
    texts = catalogue(language)
    own = own_of("page", language, folder / "texts")
    return {
        "language": language,
        "facts": _templates(texts.facts),
        "phrases": {
            code: text
            for code, text in _phrases(texts).items()
            if not code.startswith((REVIEWS, REFUSALS))
        },
        "reasons": dict(texts.reasons),
        "closings": dict(texts.closings),
        "phases": dict(texts.phases),
        "suits": dict(texts.suits),
        "ranks": dict(texts.ranks),
        "card": texts.card,
        "words": dict(texts.words),
        "settings": {name: each.title.rstrip(".") for name, each in texts.settings.items()},
        "values": {name: dict(words) for name, words in texts.values.items()},
        "games": dict(texts.games),
        "summaries": dict(texts.summaries),
        "abouts": dict(translations(language)),
        "aims": dict(texts.aims),
        "titles": {game: dict(titles) for game, titles in texts.titles.items()},
        "moves": {game: dict(moves) for game, moves in texts.moves.items()},
        "movements": dict(texts.movements),
        "page": _merged(texts.clients, own),
    }


def first_and_other_texts(
    texts: Mapping[str, Any], script: str
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Split the texts of a page in two: those that `script` needs for a first screen, and others.

    Of the page's own texts it needs those that it names: `"lobby.play"`, or all of `levels` where
    it asks for ``t(`levels.${level}`)``.
    """
    named, begun = set(_NAMED.findall(script)), tuple(_BEGUN.findall(script))
    first, others = _split(texts["page"], lambda key: key in named or key.startswith(begun))
    return (
        {**{name: texts[name] for name in FIRST}, "page": first},
        {**{name: each for name, each in texts.items() if name not in FIRST}, "page": others},
    )


def _split(
    texts: Mapping[str, Any], is_wanted: Callable[[str], bool], before: str = ""
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split a tree of texts in two: those under a wanted key, and all others."""
    wanted: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, each in texts.items():
        key = f"{before}{name}"
        if isinstance(each, str):
            (wanted if is_wanted(key) else others)[name] = each
            continue
        inner, outer = _split(each, is_wanted, f"{key}.")
        if inner:
            wanted[name] = inner
        if outer:
            others[name] = outer
    return wanted, others


def later_texts(language: str) -> Mapping[str, Any]:
    """Return the page's texts for forms, and those in place of the server's English ones.

    `settings` has the meaning of each setting of a table and its words in a form; `options` has the
    help and the titles for words of each option, by the code of its title; `bots` how each strength
    of a game thinks, `reviews` the phrases of reviews, `refusals` those of refusals, `errors` the
    advice for an error of each code, and `hint` the texts beside the sentence of a hint.
    """
    texts = catalogue(language)
    return {
        "settings": {name: _setting(name, texts) for name in TableSettings.model_fields},
        "options": {
            code: {"help": entry.help, "words": dict(entry.words)}
            for code, entry in texts.phrases.items()
            if entry.help
        },
        "bots": {game: dict(bots) for game, bots in texts.bots.items()},
        "reviews": _phrases(texts, REVIEWS),
        "refusals": _phrases(texts, REFUSALS),
        "errors": dict(texts.errors),
        "hint": dict(texts.clients[HINT]),
    }


def _setting(name: str, texts: Texts) -> dict[str, Any]:
    """Return a setting of tables for the page; `later`: not every server knows it."""
    about = texts.settings[name]
    return {
        "help": about.help,
        "words": dict(about.words),
        "values": offered_values(name),
        "usual": TableSettings.model_fields[name].default,
        "later": name in CAME_LATER,
    }


def page_rules(language: str) -> Mapping[str, str]:
    """Return the rules pages in this language, by game; English ones come with a game."""
    return catalogue(language).rules


def _merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the texts of all clients and those of the page alone, section by section."""
    sections = {
        name: {**texts, **own.get(name, {})} for name, texts in shared.items() if name != HINT
    }
    return {**own, **sections}


def _phrases(texts: Texts, begin: str = "") -> dict[str, str]:
    """Return the phrases with a text that begin with `begin`."""
    return {
        code: entry.text
        for code, entry in texts.phrases.items()
        if entry.text is not None and code.startswith(begin)
    }


def _templates(entries: Mapping[str, TextEntry]) -> dict[str, dict[str, str]]:
    """Return the texts of facts without their examples and without default values."""
    return {
        verb: {
            name: text
            for name, text in (
                ("you", entry.you),
                ("they", entry.they),
                ("text", entry.text),
                ("about", None if entry.about == "seat" else entry.about),
            )
            if text is not None
        }
        for verb, entry in entries.items()
    }
