"""The texts as they lie in `en.toml`, read once and checked for shape."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Entry:
    """How one verb is told: to whom it is about, to others, or about nobody."""

    you: str | None = None
    they: str | None = None
    text: str | None = None
    about: str = "seat"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All texts of one language: of facts by verb, of reasons by word, of errors by code."""

    facts: Mapping[str, Entry]
    reasons: Mapping[str, str]
    errors: Mapping[str, str]


@cache
def english() -> Catalogue:
    """The English texts, read from ``en.toml`` once."""
    source = files("protocol.texts").joinpath("en.toml").read_text("utf-8")
    tables = tomllib.loads(source)
    entries = {verb: Entry(**entry) for verb, entry in tables["facts"].items()}
    return Catalogue(entries, tables["reasons"], tables["errors"])
