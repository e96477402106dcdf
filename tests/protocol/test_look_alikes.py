"""Look-alike names: names that resemble the server's or another player's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import look_alikes
from protocol.look_alikes import is_alike, looks_like_authority, skeleton
from protocol.texts.catalogue import LANGUAGES, catalogue

LIKE_SERVER = {
    "one Cyrillic letter": "S\u0435rver",
    "Cyrillic": "\u0405\u0415RV\u0415R",
    "small Cyrillic": "\u0455\u0435\u0433v\u0435\u0433",
    "full width": "\uff33\uff45\uff52\uff56\uff45\uff52",
    "accents": "S\u00e9rv\u00eb\u0159",
    "marks": "Se\u0336rver",
    "hooks": "\u0282\u0247r\u028be\u024d",
    "zero width": "Ser\u200dver",
    "digits": "53rv3r",
    "blanks": "S e r v e r",
    "signs": "!*Server!*",
    "mathematical": "\U0001d4e2\U0001d4ee\U0001d4fb\U0001d4ff\U0001d4ee\U0001d4fb",
    "circled": "\u24c8\u24d4\u24e1\u24e5\u24d4\u24e1",
    "negative squared": "\U0001f182\U0001f174\U0001f181\U0001f185\U0001f174\U0001f181",
    "flags": "\U0001f1f8\U0001f1ea\U0001f1f7\U0001f1fb\U0001f1ea\U0001f1f7",
    "small capitals": "\ua731\u1d07\u0280\u1d20\u1d07\u0280",
    "Lisu": "\ua4e2\ua4f0\ua4e3\ua4e6\ua4f0\ua4e3",
    "syllabics": "\u1515\u15f4\u1587\u142f\u15f4\u1587",
    "Cherokee": "\u13da\u13ac\u13a1\u13d9\u13ac\u13a1",
    "two letters for one": "Adrnin",
    "one for another": "Adm|n",
    "Greek": "\u0397\u039f\u0053\u03a4",
    "Armenian": "H\u0585st",
    "Arabic digits": "h\u0660st",
    "with a sign": "Server \u2714",
}


@pytest.mark.parametrize("name", LIKE_SERVER.values(), ids=LIKE_SERVER)
def test_letters_of_every_kind_are_read_as_ours(name: str) -> None:
    """A look-alike of an authority's name in any characters is found."""
    assert looks_like_authority(name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_names_that_no_player_may_have(language: str) -> None:
    """Every language lists the names for server and host that no player may use."""
    names = catalogue(language).authorities.split()
    assert "Server" in names
    assert all(map(looks_like_authority, [*names, *map(str.upper, names)]))


@pytest.mark.parametrize(
    "name",
    [
        *("Ann", "Horst", "Hans", "Serena", "Servera", "Server 2", "Hosta", "Adam", "Simon"),
        *(
            "\u041b\u0438\u0437\u0430",
            "\u674e\u5c0f\u9f99",
            "\u05d3\u05df",
            "\u0633\u0627\u0631\u0629",
        ),
        *("\u0160\u00e1rka", "\u03a3\u03bf\u03c6\u03af\u03b1", "\U0001f600", "player", "Guest"),
    ],
)
def test_other_names_are_other_names(name: str) -> None:
    """Distinct names in any script are accepted."""
    assert not looks_like_authority(name)


def test_names_that_only_look_the_same_are_alike() -> None:
    """Look-alike names are found; equal names and names without letters do not count."""
    assert is_alike("Ana", ["An\u0430", "Bob"])
    assert is_alike("Bob", ["B0b"])
    assert not is_alike("Ana", ["Ana", "Ana"])
    assert not is_alike("Ana", ["Anna", ""])
    assert not is_alike("\U0001f600", ["\U0001f603"])


@given(st.text(max_size=30))
def test_a_skeleton_is_the_same_again(text: str) -> None:
    """The skeleton of a skeleton is that skeleton."""
    assert skeleton(skeleton(text)) == skeleton(text)


def test_a_letter_that_stands_for_many_is_looked_up_once() -> None:
    """A character that stands for many letters is looked up once, which bounds the time."""
    skeleton("\ufdfa")
    known = look_alikes._letter.cache_info().misses
    skeleton("\ufdfa" * 24)
    assert look_alikes._letter.cache_info().misses == known
