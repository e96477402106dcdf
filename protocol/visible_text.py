"""Text that people enter and others see: names and chat, checked, and cleaned if older.

This prevents invisible names, names that resemble another's by an invisible character, and letters
with piles of marks over the lines above. Words of every script pass: joiners where they join, and
as many marks as living scripts need.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from wcwidth import iter_graphemes

from protocol.look_alikes import looks_like_authority

MARKS = 2
"""As many marks may one letter have: a vowel and a tone, a diaeresis and an accent."""
_TOO_MANY_MARKS = f"must have at most {MARKS} marks on a letter"
_TOWER = 16
"""More marks than any letter has before it is composed."""
_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and symbols that draw nothing: fillers of Hangul, the empty pattern of Braille."""
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_PICTURES = ("So", "Sm", "Sk")
"""Categories of the parts that a joiner makes one emoji of."""
_SIGNS = (*_PICTURES, "Po")
"""Those that may be drawn as text or as a picture."""
_KEYCAP = "\u20e3"
_VIRAMA = 9
"""The combining class of the sign by which letters of Indian scripts lose their vowel."""
_FLAG = re.compile("(?<=\U0001f3f4)[\U000e0020-\U000e007e]{1,6}\U000e007f")
"""The letters behind a black flag that make it that of England, Scotland or Wales."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a text may be: in graphemes, what people call characters, and in bytes of UTF-8."""

    graphemes: int
    bytes: int


NAME = Bounds(graphemes=24, bytes=96)
CHAT = Bounds(graphemes=500, bytes=2000)
SERVER_NAME = "Server"
"""Who says an announcement at a table; no player may have a name that looks like it."""


def visible(text: str, bounds: Bounds) -> str:
    """`text` if other people's screens can show it as one line of visible words.

    `ValueError` if not, with what it must be. Lengths are those of the text in composed form.
    """
    if not text.strip():
        raise ValueError("must not be blank")
    # Looking at a character takes a microsecond or two, so no more of them are than may be there;
    # and to put marks in order takes the square of their number.
    plain = text.isascii() and text.isprintable()
    if not plain and _towers(text):
        raise ValueError(_TOO_MANY_MARKS)
    if _bytes_kept(text) > bounds.bytes:
        raise ValueError(f"must have at most {bounds.bytes} bytes in UTF-8")
    if plain:
        graphemes = len(text)
    else:
        graphemes = 0
        for graphemes, piece in enumerate(_pieces(text), start=1):
            if piece.fault is not None:
                raise ValueError(piece.fault)
            if graphemes > bounds.graphemes:
                break
    if graphemes > bounds.graphemes:
        raise ValueError(f"must have at most {bounds.graphemes} characters")
    return text


def _towers(text: str) -> bool:
    """Whether more marks follow each other than on any letter, composed or not."""
    height = 0
    for char in text:
        height = height + 1 if unicodedata.combining(char) else 0
        if height > _TOWER:
            return True
    return False


def _bytes_kept(text: str) -> int:
    """The size in bytes of the cleaned `text`: its composed form with single spaces."""
    composed = unicodedata.normalize("NFC", text)
    return len(" ".join(composed.split()).encode(errors="surrogatepass"))


def without_faults(text: str) -> str:
    """The visible part of `text`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(piece.text for piece in _pieces(text))


@lru_cache(maxsize=4096)
def shown_name(name: str) -> str:
    """A stored name as it is shown: an invalid one, accepted long ago or elsewhere, is cleaned.

    A name that looks like the server's or a host's is not shown.

    >>> shown_name("Annㅤ"), shown_name("ㅤ"), shown_name("Servеr")
    ('Ann', 'player', 'player')
    """
    # What was taken out may leave something at the end that has nothing to join any more.
    while (shown := _cut(" ".join(without_faults(name).split()))) != name:
        name = shown
    return "player" if not shown or looks_like_authority(shown) else shown


def _cut(name: str) -> str:
    """The beginning of `name`, as far as it is not too long."""
    kept, size = "", 0
    for count, piece in enumerate(_pieces(name), start=1):
        size += len(piece.text.encode())
        if count > NAME.graphemes or size > NAME.bytes:
            break
        kept += piece.text
    return kept.strip()


@dataclass(frozen=True, slots=True)
class _Piece:
    """The valid part of one grapheme, and the fault of the rest."""

    text: str
    fault: str | None


def _pieces(text: str) -> Iterator[_Piece]:
    """The graphemes of `text` in composed form, each with its fault."""
    composed = unicodedata.normalize("NFC", text)
    flags = {at for found in _FLAG.finditer(composed) for at in range(*found.span())}
    start = 0
    for grapheme in iter_graphemes(composed):
        kept, fault, marks, seen = "", None, 0, False
        for at, char in enumerate(grapheme, start):
            kind = unicodedata.category(char)
            if kind == "Zs":
                seen = seen or grapheme == char
                kept += " "
                continue
            if kind in ("Mn", "Me"):
                marks += not _selects(char)
            elif kind != "Mc":
                marks = 0
            wrong = None if at in flags else _fault(composed, at, kind)
            if wrong is None and marks > MARKS:
                wrong = _TOO_MANY_MARKS
            if wrong is None:
                kept += char
                seen = seen or kind == "Mc" or kind[0] not in "MC"
            fault = fault or wrong
        start += len(grapheme)
        if seen:
            yield _Piece(kept, fault)
        else:
            yield _Piece("", fault or _invisible(grapheme[-1]))


def _fault(text: str, at: int, kind: str) -> str | None:
    """The fault of the character at `at`, whose category is `kind`."""
    char = text[at]
    if char in (_ZWJ, _ZWNJ):
        return None if _joins(text, at) else _invisible(char)
    if _selects(char):
        return None if _has_variants(text, at) else _invisible(char)
    if kind in ("Cn", "Co"):
        return f"must not hold unknown characters such as {_code(char)}"
    if not char.isprintable():
        return "must not hold control characters or line breaks"
    return _invisible(char) if char in _INVISIBLE else None


def _joins(text: str, at: int) -> bool:
    """Whether the joiner at `at` has something to join, or in Arabic scripts to keep apart."""
    before, after = text[:at].rstrip("\ufe0f")[-1:], text[at + 1 : at + 2]
    if not before or not after:
        return False
    if _VIRAMA in (unicodedata.combining(before), unicodedata.combining(after)):
        return True
    if text[at] == _ZWNJ:
        return unicodedata.bidirectional(after) == "AL"
    return all(unicodedata.category(each) in _PICTURES for each in (before, after))


def _selects(char: str) -> bool:
    """Whether a character only selects the style of the one before it: text or picture."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _has_variants(text: str, at: int) -> bool:
    """Whether the character before `at` is one with several styles."""
    before, after = text[:at][-1:], text[at + 1 : at + 2]
    if text[at] in "\ufe0e\ufe0f":
        return after == _KEYCAP or (not before.isascii() and unicodedata.category(before) in _SIGNS)
    return unicodedata.category(before or " ") in ("Lo", "Sm")


def _invisible(char: str) -> str:
    return f"must not hold invisible characters such as {_code(char)}"


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"
