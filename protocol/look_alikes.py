"""Names that look the same to a reader, whatever letters they are made of.

A skeleton is what is left of a name when everything is taken away that a reader overlooks: case,
accents, what stands between letters, and from which alphabet a letter comes. Two names with the
same skeleton look alike. The idea is that of Unicode Technical Standard 39; the table here is much
smaller, and bolder: it reads digits as letters.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files

from protocol.texts.catalogue import LANGUAGES

_LOOK_LIKE = {
    "a": "4@αΑаАӕ∂ᗩᎪꓮⲁⲀаɑ",
    "b": "8βΒвВьЬъЪбБᏼᏴᗷꓐⲃⲂɓ",
    "c": "ϲϹсСҫҪ©ᏟꓚᑕⲥⲤ¢",
    "d": "ԁԀժᎠᏧꓓᗪð",
    "e": "3€εΕеЕєЄэЭҽ℮ᎬꓰᗴᙓⲉⲈəǝΣɛ",
    "f": "ϝϜғҒքꓝᖴƒ",
    "g": "69ԍԌցᏀꓖɡ",
    "h": "ΗнНһҺհᎻꓧᕼⲏⲎћЋ",
    "j": "јЈյᎫꓙᒍ",
    "k": "κΚкКқҚᏦꓗⲕⲔᛕ",
    "l": "1|!iΙιІіїЇӀӏլԼᎥᏆᏞꓲꓡᒪⲓⲒו׀۱١ι£",
    "m": "ΜмМᎷꓟᗰⲙⲘᛖ",
    "n": "ΝηпПиИйЙոռղꓠᑎⲛⲚŋ",
    "o": "0οΟоОөӨօՕσтॐסഠ०০੦૦௦౦೦๐໐۵٥ه๏ꓳⲟⲞⵔᎾθΘ",
    "p": "ρΡрРᏢꓑᑭⲣⲢþ",
    "q": "ԛԚգզ",
    "r": "гГяЯґҐᏒᎡꓣᖇⲅɾ®ʀ",
    "s": "5$ѕЅՏടᏕᏚꓢᔕ§ƨ",
    "t": "7τΤтТҭᎢꓔⲧⲦ†ᖶ",
    "u": "υμսՍцЦꓴᑌʊ",
    "v": "νѵѴᏙꓦᐯ",
    "w": "ωΩѡѠԝԜшШщЩաᎳꓪᗯɯ",
    "x": "χΧхХҳꓫ᙭ⲭⲬ×",
    "y": "γΥуУүҮᎩꓬყ¥",
    "z": "2ΖᏃꓜ",
}
"""By letter, what is read as that letter, in either case. One reading each."""
_READ = {ord(char): letter for letter, chars in _LOOK_LIKE.items() for char in chars}
# A letter that two alphabets share is read as the more common one.
_READ.update({ord("т"): "t", ord("ß"): "b"})
_STROKES = "!|"
"""Between letters they are read as one, before and behind a name as what they are."""
_PAIRS = (("m", "rn"), ("w", "vv"))
"""Letters that look like two others beside each other, which stand for both."""
_BASE = re.compile(
    r"(?:NEGATIVE )?(?:SQUARED |CIRCLED )?(?:LATIN|REGIONAL INDICATOR)\b"
    r".*\b(?:LETTER|CAPITAL)\b.*? ([A-Z])(?: WITH .*)?"
)
"""The name of a letter that is drawn as one of ours, somehow."""


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """What a reader sees of a name at a glance; "" if it has no letters or digits.

    >>> skeleton("S\u0435rver") == skeleton("  S3RVÉR! ") == skeleton("Server")
    True
    """
    plain = unicodedata.normalize("NFKD", name)
    seen = [place for place, char in enumerate(plain) if char not in _STROKES and _letter(char)]
    letters = "".join(map(_letter, plain[seen[0] : seen[-1] + 1])) if seen else ""
    for one, two in _PAIRS:
        letters = letters.replace(one, two)
    return letters


def looks_like_authority(name: str) -> bool:
    """Whether players might take the owner of this name for the server or the host.

    >>> looks_like_authority("H0st"), looks_like_authority("Server 2"), looks_like_authority("Ann")
    (True, False, False)
    """
    return skeleton(name) in _authorities()


def is_alike(name: str, names: Iterable[str]) -> bool:
    """Whether a name in `names` looks like `name` without being equal.

    >>> is_alike("Ana", ["Ana", "Anа"]), is_alike("Ana", ["Ana", "Ana", "Bob"])
    (True, False)
    """
    seen = skeleton(name)
    return seen != "" and any(other != name and skeleton(other) == seen for other in names)


@lru_cache(maxsize=4096)
def _letter(char: str) -> str:
    """The letter as which a character is read; "" for one that a reader overlooks."""
    if (read := _READ.get(ord(char))) is not None:
        return read
    if "a" <= char <= "z":
        return char
    kind = unicodedata.category(char)
    if kind in ("Mn", "Me", "Cf"):
        return ""
    if kind == "Nd" and not char.isascii():
        return _letter(str(unicodedata.decimal(char)))
    if (known := _BASE.fullmatch(unicodedata.name(char, ""))) is not None:
        return _letter(known[1].lower())
    folded = char.casefold()
    if folded != char:
        return "".join(map(_letter, folded))
    return char if char.isalnum() else ""


@cache
def _authorities() -> frozenset[str]:
    """The skeletons of the names that no player may have, in every language."""
    found: set[str] = set()
    for language in LANGUAGES:
        texts = (files("protocol.texts") / f"{language}.toml").read_text("utf-8")
        found.update(map(skeleton, tomllib.loads(texts)["authorities"].split()))
    return frozenset(found)
