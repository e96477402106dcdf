"""The client's own sentences, in the current language.

They lie in `texts/LANG.toml`, or under `own.terminal` in a language that is one file; those that
the page shares lie with the texts of all clients, in `protocol/texts/LANG.toml` under `clients`.
The head of `texts/en.toml` says how they are written.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from engine.facts import Value
from protocol.texts.catalogue import catalogue, own_of
from protocol.texts.language import language
from protocol.texts.speaker import Speaker


def tell(key: str, **args: Value) -> str:
    """The text `key`, ``lobby.none``, with its fields filled in; `KeyError` if there is none."""
    text = own_texts(language())[key]
    return Speaker((), (), None).fill(text, args) if "{" in text else text


def has_text(key: str) -> bool:
    """Whether there is a text `key`."""
    return key in own_texts(language())


def told(section: str) -> Mapping[str, str]:
    """All texts of a section by the last part of their keys, in the order of the file."""
    begin = f"{section}."
    every = own_texts(language())
    return {key.removeprefix(begin): text for key, text in every.items() if key.startswith(begin)}


@cache
def own_texts(language: str) -> Mapping[str, str]:
    """The texts of the client in a language, with those that it shares with the page, by key."""
    own = own_of("terminal", language, files("client_cli") / "texts")
    return {**dict(_flat(catalogue(language).clients)), **dict(_flat(own))}


# What TOML holds is made flat by looking at it.
def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, text in table.items():
        if isinstance(text, str):
            yield f"{before}{name}", text
        else:
            yield from _flat(text, f"{before}{name}.")
