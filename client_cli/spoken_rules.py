"""A page of rules, which is Markdown, in sentences: a row of a table names its columns."""

from collections.abc import Iterator, Sequence

from client_cli.speech import EVERYTHING, aloud
from client_cli.text import clean


def spoken_rules(rules: str) -> list[str]:
    """The page without the marks of Markdown; each row of a table as one sentence."""
    told: list[str] = []
    rows: list[list[str]] = []
    for text in (*rules.splitlines(), ""):
        shown = clean(text, EVERYTHING)
        if shown.startswith("|"):
            rows.append([_plain(cell) for cell in shown.strip("|").split("|")])
            continue
        told += _table(rows)
        rows = []
        if (plain := _plain(shown.lstrip("# "))) and set(plain) - set("`-"):
            told.append(aloud(plain))
    return told


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table row as a sentence: ``players 2, packs 1, left out none, cards each 26.``"""
    filled = [row for row in rows if set("".join(row)) - set("-: ")]
    for row in filled[1:]:
        pairs = zip(filled[0], row, strict=False)
        cells = (" ".join(filter(None, pair)) for pair in pairs if pair[1])
        yield f"{aloud(', '.join(cells))}."


def _plain(text: str) -> str:
    return text.replace("*", "").replace("`", "").removeprefix("- ").strip()
