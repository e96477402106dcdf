"""Refusals: clients can tell the reason of any in their own language."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.phrases import Phrase
from protocol.errors import ERROR_CODES, ErrorCode, ProtocolError
from protocol.texts import LANGUAGES, catalogue, speaking, worded
from protocol.texts.catalogue import english
from server.refusals import elsewhere, refusal, refused
from server.table.refusals import REASONS

SERVER = Path(__file__).parents[2] / "server"
ONE_PLACE = SERVER / "refusals.py"
MADE_THERE = {"ProtocolError", "error_message"}
"""What nothing else in the server makes: it would be told without a phrase."""


def calls() -> Iterator[tuple[Path, str, ast.Call]]:
    """Every call of a function by its name in the server's code."""
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield path, node.func.id, node


def test_nothing_is_refused_without_a_phrase() -> None:
    """Every refusal is made in one module, from a phrase with its arguments."""
    made = 0
    for path, name, call in calls():
        where = f"{path}:{call.lineno}"
        assert path == ONE_PLACE or name not in MADE_THERE, where
        if name != "refusal" or not isinstance(call.args[1], ast.Constant):
            continue
        made += 1
        entry = english().phrases[str(call.args[1].value)]
        given = call.args[2] if len(call.args) > 2 else ast.Dict([], [])
        if isinstance(given, ast.Dict):
            keys = {key.value for key in given.keys if isinstance(key, ast.Constant)}
            assert keys == entry.example.keys(), where
    assert made > 40


def test_refusals_of_tables_have_the_arguments_of_their_phrases() -> None:
    """Every refusal of a table names a known phrase and gives exactly its arguments."""
    named = set()
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "refusals.of":
                phrase = ast.literal_eval(node.args[0])
                given = {each.arg for each in node.keywords}
                assert given == english().phrases[phrase].example.keys(), phrase
                named.add(phrase)
    assert named == REASONS.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_of_a_refusal_is_told(language: str) -> None:
    """Every phrase of a refusal has a text in each language."""
    told = [code for code in english().phrases if code.startswith("refused_")]
    with speaking(language):
        for code in told:
            entry = catalogue.catalogue(language).phrases[code]
            said = worded(Phrase(code, entry.example))
            assert said is not None, code
            assert said.endswith("."), code
            assert said != english().phrases[code].text or language == "en", code


@pytest.mark.parametrize("code", ERROR_CODES)
def test_every_code_has_a_phrase(code: ErrorCode) -> None:
    """Every error code has a phrase, even without a given one."""
    rules = type("_OfRules", (EngineError,), {"code": code})
    for error in (ProtocolError(code, "because"), rules("because")):
        answer = refused(7, error)
        assert (answer["id"], answer["code"], answer["reason"]) == (7, code, "because")
        phrase = Phrase(answer["phrase"]["code"], answer["phrase"].get("args", {}))
        for language in LANGUAGES:
            with speaking(language):
                said = worded(phrase)
            assert said is not None
            assert language == "en" or "because" not in said.lower()


def test_the_reason_is_the_phrase_in_english() -> None:
    """The reason of a refusal is its phrase in English."""
    with speaking("de"):
        error = refusal("too_many_tables", "refused_tables_held", {"most": 1}, retry_after=2.0)
    assert error.reason == "you sit at 1 table; leave one first"
    assert error.phrase == Phrase("refused_tables_held", {"most": 1})
    assert error.retry_after == 2.0
    with pytest.raises(ValueError, match="no text"):
        refusal("too_many_tables", "refused_tables_held")


def test_an_older_client_reads_where_a_table_is() -> None:
    """An older client reads a table's address in the reason."""
    error = elsewhere("wss://cards.example/n/b/")
    assert error.code == "elsewhere"
    assert "this table is at wss://cards.example/n/b/" in error.reason
    assert "update yours" in error.reason
    assert error.retry_after is None
