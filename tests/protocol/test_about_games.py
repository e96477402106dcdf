"""What a list of games says of a described one."""

import pytest

from engine.recycle.games import description, names, rules
from protocol.about_games import MOST, about, translations
from tests.server.small_descriptions import HIGH

PAGE = """# High (`High2`)
| a | b |
|---|---|

A *game* from [the coast](https://page.test)
for `two`, e.g. Ann (`High2` to `High4`). It is quick.

More.
"""


@pytest.mark.parametrize(
    ("page", "text", "told"),
    [
        (PAGE, HIGH, "A game from the coast for two, e.g. Ann."),
        ("", ";; A game of suns.\n;; @pile UP place\n(game)", "A game of suns."),
        ("", ";; @pile UP place\n(game)", ""),
        ("# Only a title", "(game)\n;; Later.", ""),
        ("No end", "", "No end"),
        ("", ";; Nothing but this.", "Nothing but this."),
    ],
)
def test_the_first_sentence_of_the_page_or_of_the_comments(page: str, text: str, told: str) -> None:
    """A game is told by the first sentence of its page, or of the comments at its beginning."""
    assert about(page, text) == told


def test_a_long_sentence_is_cut_between_words() -> None:
    """Of a long sentence the beginning is told, in whole words."""
    told = about("word " * 100, "")
    assert len(told) <= MOST
    assert told.endswith("word…")


def test_a_sentence_is_not_sought_in_a_whole_megabyte() -> None:
    """A page of brackets, each of which might begin a link, holds nobody up."""
    assert about("a " + "[" * 1_000_000, "") == "a…"


def test_each_game_that_ships_is_told_apart() -> None:
    """No two families of included games are told by one sentence, and none is cut."""
    told = {name.rstrip("0123456789"): about(rules(name), description(name)) for name in names()}
    assert len(set(told.values())) == len(told)
    for sentence in told.values():
        assert 20 < len(sentence) <= MOST
        assert not sentence.endswith("…")
    assert set(translations("de")) == set(told.values())
    assert translations("en") == {}
