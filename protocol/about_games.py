"""What a described game is, in a sentence: the first of its page of rules, or of its comments."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

MOST = 160
"""The longest sentence that a list of games has room for; of a longer one the beginning is told."""
_LOOKED_AT = 2_000
"""The most characters in which a sentence is looked for: a file may have a line of a megabyte."""
_NO_TEXT = ("#", "|", "```", "- ", "* ", ">")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r".*?(?<![\s.(]\w)[.!?…](?=\s|$)")
_FILES = re.compile(r" \((?:`[A-Za-z0-9_]+`(?:,| to| and)? ?)+\)")


def about(rules: str, text: str) -> str:
    """Return the first sentence of a page, else of a description's comments; "" without one."""
    return _sentence(_paragraph(rules.splitlines())) or _sentence(_paragraph(_comments(text)))


@cache
def translations(language: str) -> Mapping[str, str]:
    """Return the sentences of included games in another language, by the English ones."""
    file = files("engine") / "recycle" / "games" / f"about.{language}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def _paragraph(lines: Iterator[str] | list[str]) -> str:
    """Return the first lines that are neither headings, nor tables, lists or code."""
    found: list[str] = []
    for line in map(str.strip, lines):
        if line and not line.startswith(_NO_TEXT):
            found.append(line)
        elif found:
            break
    return " ".join(found)


def _comments(text: str) -> Iterator[str]:
    """Iterate over the comments before anything else, but for annotations."""
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith(";"):
            return
        said = line.lstrip("; ")
        yield "" if said.startswith("@") else said


def _sentence(paragraph: str) -> str:
    """Return the first sentence of a paragraph, without the marks of Markdown."""
    # The names of files tell nothing where the numbers of players are told.
    without = _FILES.sub("", paragraph[:_LOOKED_AT])
    plain = _LINK.sub(r"\1", without).replace("`", "").replace("*", "")
    words = " ".join(plain.split())
    found = _SENTENCE.match(words)
    told = found[0] if found else words
    return told if len(told) <= MOST else f"{told[: MOST - 1].rsplit(' ', 1)[0]}…"
