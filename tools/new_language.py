"""Begins another language: one file with all texts, in English, to be translated where they stand.

    python -m tools.new_language nl Nederlands

writes `protocol/texts/nl.toml`, and the program offers the language at once. docs/translating.md
says how to go on.
"""

import argparse
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from bots import described_strengths
from engine import GAMES

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PATTERN = "de"
"""A language that has a text for everything, also for what English texts have elsewhere."""


def begun(name: str) -> str:
    """The file of a language that calls itself `name`, with every text still in English."""
    usual, pattern = _tree("en"), _tree(_PATTERN)
    texts = {key: _in_english(each, usual.get(key), (key,)) for key, each in pattern.items()}
    head = "# docs/translating.md says how to translate this file.\n\n"
    return head + "\n".join(_written({**texts, "name": name}, ()))


# What files of texts hold: tables of tables.
def _tree(language: str) -> dict[str, Any]:
    """All texts of a language as one file would have them."""
    games, ending = files("engine") / "games", "" if language == "en" else f".{language}"
    return {
        **_read(files("protocol.texts") / f"{language}.toml"),
        "own": {
            "terminal": _read(files("client_cli") / "texts" / f"{language}.toml"),
            "page": _read(files("client_web") / "texts" / f"{language}.toml"),
        },
        "games": {
            info.id: {
                **_read(games / info.id / f"texts{ending}.toml"),
                "rules": (games / info.id / f"rules{ending}.md").read_text("utf-8"),
            }
            for info in GAMES
        },
    }


def _read(file: Traversable) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def _in_english(pattern: Any, usual: Any, path: tuple[str, ...]) -> Any:
    """The English text for the one at `path`, or a table of them."""
    if isinstance(pattern, dict):
        known = usual or {}
        return {
            key: _in_english(each, known.get(key), (*path, key)) for key, each in pattern.items()
        }
    if usual is not None:
        return usual
    game = path[1] if path[0] == "games" else ""
    match path[2:] if game else path:
        case ("bots", strength):
            return described_strengths(game)[int(strength)].how
        case _:
            # Titles, and the words of values, are their own keys.
            return path[-1]


def _written(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """The lines of a table in TOML: its texts first, then the tables in it."""
    texts = {key: each for key, each in table.items() if not isinstance(each, dict)}
    if texts and path:
        yield f"\n[{'.'.join(map(_key, path))}]"
    for key, text in texts.items():
        yield f"{_key(key)} = {_text(text)}"
    for key, each in table.items():
        if isinstance(each, dict):
            yield from _written(each, (*path, key))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _text(text: str) -> str:
    if "\n" not in text:
        return json.dumps(text, ensure_ascii=False)
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""\n{escaped}"""'


def main() -> None:
    """Write the file that the command line asks for; one that is there already stays."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("language", help="its code, by which browsers and locales ask: nl")
    parser.add_argument("name", help="what it calls itself: Nederlands")
    arguments = parser.parse_args()
    target = Path("protocol", "texts", f"{arguments.language}.toml")
    if target.exists():
        parser.error(f"{target} is there already")
    target.write_text(begun(arguments.name) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
