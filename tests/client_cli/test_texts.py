"""The terminal's own texts: each exists in every language, fits, and is used."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import client_cli
from client_cli.tell import own_texts, tell
from engine.facts import Value
from protocol.texts import LANGUAGES, speaking
from protocol.texts.catalogue import catalogue

FOLDER = Path(client_cli.__file__).parent
SOURCES = {file.name: ast.parse(file.read_text("utf-8")) for file in FOLDER.glob("*.py")}
OTHERS = [language for language in LANGUAGES if language != "en"]
KEY = re.compile(r"[a-z_]+(\.[a-z_]+)+")
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z]{2,}")
"""Two words beside each other, which no key and no token has."""
ABOUT_THE_COMMAND_LINE = frozenset(
    (
        "UsageError",
        "ArgumentTypeError",
        "add_argument",
        "add_language",
        "add_name",
        "AssertionError",
    )
)
"""Calls whose words are for those who write a command, like those of `--help`, and for us."""
ENGLISH_ONLY = {"private_server.py", "docs"}
"""Programs that are not for playing."""


def fields(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_text(language: str) -> None:
    """Every language has exactly the English keys, with no unknown fields."""
    usual, other = own_texts("en"), own_texts(language)
    assert other.keys() == usual.keys()
    for key, text in other.items():
        assert bool(text) == bool(usual[key]) or key.startswith(("aliases.", "words.")), key
        assert fields(text) <= fields(usual[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_filled_in(language: str) -> None:
    """Every text can be filled in, with numbers where it has plural forms."""
    with speaking(language):
        for key, text in own_texts(language).items():
            args: dict[str, Value] = {}
            for _, field, forms, _ in Formatter().parse(own_texts("en")[key] + text):
                if field is not None and not isinstance(args.get(field), int):
                    args[field] = 2 if forms or field == "place" else "Ann"
            said = tell(key, **args)
            assert not set("{}#|") & set(said), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_typed_for_two_things(language: str) -> None:
    """No typed word belongs to two commands or two answers."""
    texts = own_texts(language)
    commands = {key.split(".")[1] for key in texts if key.startswith("commands.")}
    words = [word for key in texts if key.startswith("aliases.") for word in texts[key].split()]
    assert len(words) == len(set(words))
    assert not commands & set(words)
    for these in (("yes", "no"), ("on", "off"), ("easy", "medium", "strong", "quit")):
        typed = [word for key in these for word in texts[f"words.{key}"].split()]
        assert len(typed) == len(set(typed)), these


def test_every_text_is_used_and_every_text_that_is_used_is_there() -> None:
    """Every text is used in the code, and every used key has a text."""
    known = own_texts("en").keys()
    constants, begun, sections = set[str](), set[str](), set[str]()
    for tree in SOURCES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                # As in f"levels.{level}".
                begun.update(re.findall(r"^[a-z_.]+\.", str(node.values[0].value)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.add(node.value)
            if isinstance(node, ast.Call) and name_of(node) == "told" and node.args:
                sections |= {
                    f"{n.value!s}." for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)
                }
            if isinstance(node, ast.Call) and name_of(node) == "tell":
                keys = [str(n.value) for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)]
                missing = [key for key in keys if KEY.fullmatch(key) and key not in known]
                assert not missing
    shared = {f"{part}.{key}" for part, texts in catalogue("en").clients.items() for key in texts}
    unused = [
        key
        for key in known - shared
        if key not in constants and not key.startswith(tuple(begun | sections))
    ]
    assert unused == []


def test_no_sentence_stands_in_the_code() -> None:
    """No sentence for people stands in the code."""
    found = [
        f"{name}: {text}"
        for name, tree in SOURCES.items()
        if name not in ENGLISH_ONLY
        for text in sentences(tree)
    ]
    assert found == []


def sentences(tree: ast.AST) -> Iterator[str]:
    """The sentences in the code, without docstrings and command-line help."""
    for node in ast.iter_child_nodes(tree):
        documents = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if documents or (isinstance(node, ast.Call) and name_of(node) in ABOUT_THE_COMMAND_LINE):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if SENTENCE.search(node.value) and not node.value.startswith("blackqueen "):
                yield node.value
        else:
            yield from sentences(node)


def name_of(call: ast.Call) -> str:
    """The last part of the name of a called function."""
    called = call.func
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""
