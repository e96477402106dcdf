"""docs/recycle.md agrees with the checker and the parser."""

import re
from pathlib import Path

from engine.recycle.checking import check
from engine.recycle.limits import TEXT_LIMITS
from engine.recycle.problems import Code
from engine.recycle.reading.parser import parse
from engine.recycle.reading.tokens import KEYWORDS

PAGE = (Path(__file__).parents[3] / "docs" / "recycle.md").read_text("utf-8")


def test_every_code_is_explained_and_no_other() -> None:
    """The page's table of problems names each error code exactly once."""
    table = PAGE.partition("| code | |")[2]
    codes = re.findall(r"`([a-z_]+)`", "\n".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    assert sorted(codes) == sorted(code.value for code in Code)


def test_every_keyword_is_explained() -> None:
    """The page shows every keyword in some form."""
    examples = re.findall(r"```.*?```", PAGE, re.DOTALL)
    inline = re.findall(r"`[^`]+`", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL))
    said = set(re.findall(r"[a-z]+", " ".join(examples + inline)))
    assert KEYWORDS - said == set()


def test_the_limits_are_those_of_the_reader() -> None:
    """The limits in the page's prose are those of the parser."""
    bounds = (
        TEXT_LIMITS.characters,
        TEXT_LIMITS.depth,
        TEXT_LIMITS.forms,
        TEXT_LIMITS.words,
        TEXT_LIMITS.number,
    )
    for number in (*bounds, TEXT_LIMITS.cards, TEXT_LIMITS.players):
        assert f"{number:,}" in PAGE


def test_the_example_is_a_game() -> None:
    """The page's example has no problems."""
    (example,) = re.findall(r"```recycle\n(.*?)```", PAGE, re.DOTALL)
    assert [str(problem) for problem in check(parse(example))] == []
