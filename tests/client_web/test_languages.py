"""Every language of the page has the same texts, and they take the same arguments."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from protocol.texts.catalogue import LANGUAGES
from server.transport.page_files import FOLDER

FIELD = re.compile(r"\{(\w+)[^}]*\}")


def texts(language: str) -> dict[str, str]:
    return dict(flat(tomllib.loads((FOLDER / "texts" / f"{language}.toml").read_text("utf-8"))))


def flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, text in table.items():
        if isinstance(text, dict):
            yield from flat(text, f"{before}{name}.")
        else:
            yield f"{before}{name}", text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_text_of_the_page(language: str) -> None:
    """None is missing, none is left over, and none names what the English one does not."""
    usual, other = texts("en"), texts(language)
    assert other.keys() == usual.keys()
    for key, text in other.items():
        assert set(FIELD.findall(text)) <= set(FIELD.findall(usual[key])), key


def test_the_page_offers_every_language() -> None:
    """By its own name, so that everybody finds theirs."""
    source = (FOLDER / "main.js").read_text("utf-8")
    offered = re.search(r"const LANGUAGES = \{([^}]+)\}", source)
    assert offered is not None
    assert set(re.findall(r"(\w+):", offered[1])) == set(LANGUAGES)
