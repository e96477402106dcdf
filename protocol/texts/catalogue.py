"""The texts by language, read once and checked for shape.

Those of tables and of verbs that several games have lie in `en.toml`; those of one game's own verbs
lie in that game's folder as `texts.toml`. Those in another language, `de`, lie beside them as
`de.toml` and `texts.de.toml`, with the rules in `rules.de.md`. A language may also be one file:
then those of a game stand under `games.NAME`, and what a client says by itself under `own.CLIENT`.
They are read as data: no game is imported for them.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from engine.facts import Value


@dataclass(frozen=True, slots=True)
class TextEntry:
    """The texts of one verb: for the player it is about, for others, or about nobody.

    `example` has the arguments of one such fact, for the written reference. The title of an option
    also has a `help`, and titles for the `words` that the option takes.
    """

    you: str | None = None
    they: str | None = None
    text: str | None = None
    about: str = "seat"
    example: Mapping[str, Value] = field(default_factory=dict)
    help: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SettingTexts:
    """A setting of tables, with titles for words that it takes."""

    title: str
    help: str
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts: by the verb of a fact, by the reason of an end, by the code of an error or phrase.

    `name` is what the language calls itself, and `authorities` are the names, with blanks between
    them, under which players would take somebody for the server or for the host.
    `closings` are whole sentences for reasons to lose one's place at a table.
    `phases`, `suits` and `ranks` have the words for a table's phase, for the letter of a suit and
    for a rank; `card` is filled with a rank and a suit. `words` are those that stand by themselves,
    such as "you" in each case, and `values` what the words in an argument of this name are called.
    `games` has the ids of the games that ship,
    each with the other name it is known by, or "", `summaries` tells each of them in a line, and
    `aims` says in a sentence what a player tries to do. `settings` are those of tables, and
    `figures` the titles of the numbers behind a hint, by the first part of their names.

    `moves` says by its verb what a move of a game does, with `{what}` for what it names.

    What English has elsewhere, other languages have here: `bots` says how each strength of a game
    thinks (those that play any game are under ""), and `rules` is a game's page of rules. `titles`
    are those of zones and values by the English ones.

    `clients` are the texts that the terminal and the page have in common, by section, and
    `movements` those for cards that move in described games. `own` are those that one client alone
    has, by the client, unless it keeps them in a file of its own: see `own_of`.

    `verbs` are those of the facts by game; those of all games are under "".
    """

    name: str
    authorities: str
    facts: Mapping[str, TextEntry]
    phrases: Mapping[str, TextEntry]
    reasons: Mapping[str, str]
    closings: Mapping[str, str]
    errors: Mapping[str, str]
    phases: Mapping[str, str]
    suits: Mapping[str, str]
    ranks: Mapping[str, str]
    card: str
    words: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]
    games: Mapping[str, str]
    summaries: Mapping[str, str]
    aims: Mapping[str, str]
    settings: Mapping[str, SettingTexts]
    figures: Mapping[str, str]
    bots: Mapping[str, Mapping[int, str]]
    titles: Mapping[str, Mapping[str, str]]
    moves: Mapping[str, Mapping[str, str]]
    rules: Mapping[str, str]
    clients: Mapping[str, Mapping[str, str]]
    movements: Mapping[str, str]
    own: Mapping[str, Mapping[str, Any]]
    verbs: Mapping[str, Sequence[str]]


def _languages() -> tuple[str, ...]:
    names = {file.name for file in files("protocol.texts").iterdir()}
    return ("en", *sorted(n.removesuffix(".toml") for n in names - {"en.toml"} if ".toml" in n))


LANGUAGES = _languages()
"""The languages that there are texts in, English first."""


@cache
def catalogue(language: str) -> Texts:
    """The texts of tables and of every game that has a folder in `engine/games`.

    `ValueError` if two files have a text for the same verb or phrase, because a client knows it
    alone, or if there is no such language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"{language!r}: there are texts in {', '.join(LANGUAGES)}")
    common = _read(files("protocol.texts") / f"{language}.toml")
    games = {**common.get("games", {}), **_of_games(files("engine") / "games", language)}
    tables = (common, *games.values())
    usual = None if language == "en" else english()
    return Texts(
        name=common["name"],
        authorities=common["authorities"],
        facts=_entries(tables, "facts", None if usual is None else usual.facts),
        phrases=_entries(tables, "phrases", None if usual is None else usual.phrases),
        reasons=common["reasons"],
        closings=common["closings"],
        errors=common["errors"],
        phases=common["phases"],
        suits=common["suits"],
        ranks=common["ranks"],
        card=common["spoken"]["card"],
        words=common["words"],
        values={name: words for table in tables for name, words in table.get("values", {}).items()},
        games={game: texts.get("other_name", "") for game, texts in games.items()},
        summaries={game: texts.get("summary", "") for game, texts in games.items()},
        aims={game: texts.get("aim", "") for game, texts in games.items()},
        settings={name: SettingTexts(**texts) for name, texts in common["settings"].items()},
        figures=common["figures"],
        bots={
            game: {int(strength): how for strength, how in texts.items()}
            for game, texts in _by_game(common, games, "bots").items()
        },
        titles=_by_game(common, games, "titles"),
        moves=_by_game(common, games, "moves"),
        rules={game: texts["rules"] for game, texts in games.items() if "rules" in texts},
        clients=common["clients"],
        movements=common["movements"],
        own=common.get("own", {}),
        verbs={game: tuple(texts) for game, texts in _by_game(common, games, "facts").items()},
    )


# What a file of texts holds: tables of tables.
def own_of(client: str, language: str, folder: Traversable) -> Mapping[str, Any]:
    """A client's own texts (``terminal``, ``page``), section by section.

    `folder` has the client's own files, for languages whose texts are not all in one file.
    """
    file = folder / f"{language}.toml"
    return _read(file) if file.is_file() else catalogue(language).own.get(client, {})


def _by_game(
    common: Mapping[str, Any], games: Mapping[str, Mapping[str, Any]], section: str
) -> dict[str, Mapping[str, str]]:
    """A section of each game that has it; the part common to all games is under ""."""
    every = {"": common, **games}
    return {game: texts[section] for game, texts in every.items() if section in texts}


def english() -> Texts:
    """The texts in English, with an example for each."""
    return catalogue("en")


def _entries(
    tables: Iterable[Mapping[str, Any]], section: str, usual: Mapping[str, TextEntry] | None
) -> dict[str, TextEntry]:
    """The entries of a section; untranslated parts come from the `usual` one."""
    found: dict[str, TextEntry] = {}
    for each in tables:
        for name, entry in each.get(section, {}).items():
            if name in found:
                raise ValueError(f"{name}: two files of texts have this name in {section}")
            if usual is None:
                found[name] = _entry(entry)
            elif name in usual:
                known = usual[name]
                found[name] = TextEntry(**entry, about=known.about, example=known.example)
            else:
                raise ValueError(f"{name}: there is no such text in English")
    return found


def _of_games(folder: Traversable, language: str) -> dict[str, Mapping[str, Any]]:
    """The texts of each game, by the name of its folder, which is the game's id."""
    name = "texts.toml" if language == "en" else f"texts.{language}.toml"
    games = sorted(folder.iterdir(), key=lambda game: game.name)
    found = {game.name: _read(texts) for game in games if (texts := game / name).is_file()}
    pages = {game: folder / game / f"rules.{language}.md" for game in found}
    return {
        game: {**texts, "rules": pages[game].read_text("utf-8")} if pages[game].is_file() else texts
        for game, texts in found.items()
    }


# What TOML holds is checked for shape by making entries of it.
def _read(file: Traversable) -> Mapping[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def _entry(table: Mapping[str, Any]) -> TextEntry:
    example = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in table["example"].items()
    }
    return TextEntry(**{**table, "example": example})
