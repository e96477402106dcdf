"""Pasted codes, names and addresses, cleaned to what people mean.

Copying adds blanks, line ends, invisible characters, quotes or the dot of a sentence; and a link
stands for the server and the table to which it leads.
"""

import re
import unicodedata
from typing import NamedTuple

_CODE = "[2-9A-HJ-NP-Z]{5}(?:[2-9A-HJ-NP-Z]{3})?"
"""The code of a table, as servers write it."""
_WRITTEN = re.compile(_CODE)
_TYPED = re.compile(_CODE, re.IGNORECASE)
_LINKED = re.compile(r"/t/ *([A-Za-z0-9]{1,16})(?![A-Za-z0-9])")
_DEVICE = re.compile(r"# *device *= *([A-Za-z0-9_-]+)")
"""Like a table's link: one that a mail program has broken in two has a blank before its code."""
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff"))
_AROUND = " \"'`\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb<>(),;!?"
"""What stands around a link or a code in a sentence, and is part of none."""
MOST_CODE = 16
"""No code of a table is longer."""


class Link(NamedTuple):
    """The meaning of a pasted word: a server, a table there, a device's code; "" if absent."""

    server: str = ""
    table: str = ""
    device: str = ""


def pasted(text: str) -> str:
    r"""`text` in one line, without invisible characters and without blanks at its ends.

    >>> pasted(" Ann\u200b Lee\n")
    'Ann Lee'
    """
    seen = text.translate(_UNSEEN)
    plain = (" " if each in "\n\r\t\v\f" else each for each in seen)
    kept = "".join(each for each in plain if unicodedata.category(each) != "Cc")
    return kept.strip()


def word(text: str) -> str:
    """A pasted word, also without quotes and the punctuation of a sentence.

    >>> word("“K7QXA”."), word("<ws://localhost:8765/>")
    ('K7QXA', 'ws://localhost:8765/')
    """
    bare = pasted(text).strip(_AROUND)
    return bare.rstrip("." + _AROUND)


def table_code(text: str) -> str:
    """The code of a table in pasted text: alone, in a link, after an address, or in capitals.

    Without a code the result is the text in capitals, which a server will refuse.

    >>> table_code("k7qxa "), table_code("https://cards.example.org/t/K7QXA#from=Ann")
    ('K7QXA', 'K7QXA')
    """
    plain = word(unicodedata.normalize("NFKC", text))
    if linked := _LINKED.search(plain):
        return linked[1].upper()
    address, _, last = plain.rpartition(" ")
    if "://" in address:
        return last.upper()
    words = re.findall("[A-Za-z0-9]+", plain)
    if _TYPED.fullmatch(together := "".join(words)):
        return together.upper()
    written = [each for each in words if _WRITTEN.fullmatch(each)]
    return written[-1] if written and len(words) > 1 else plain.upper()


def device_code(text: str) -> str:
    """The code of a device in pasted text: alone, or in its link."""
    linked = _DEVICE.search(pasted(text))
    return linked[1] if linked else word(text)


def link(text: str) -> Link:
    """The meaning of one word of a command line, if it is a link or an address."""
    plain = word(text)
    device, table = _DEVICE.search(plain), _LINKED.search(plain)
    # Behind the # of a page's address stands nothing that a server is told.
    server = plain.partition("#")[0] if device or plain.lower().startswith("http") else plain
    if table:
        server = plain[: table.start()]
    return Link(server, table[1].upper() if table else "", device[1] if device else "")


def is_written_code(text: str) -> bool:
    """Whether a word looks like the code of a table, in capitals as servers write it."""
    return _WRITTEN.fullmatch(text) is not None


def is_code(text: str) -> bool:
    """Whether a word looks like the code of a table, in any case; names of hosts may do so, too."""
    return _TYPED.fullmatch(text) is not None


def server_and_table(first: str | None, second: str | None) -> tuple[str | None, str | None]:
    """The address of a server and the code of a table, from two words in either order, or a link.

    None for what is not said. One word alone is a code only where it is written in capitals.

    >>> server_and_table("K7QXA", "ws://localhost:8765")
    ('ws://localhost:8765', 'K7QXA')
    >>> server_and_table("http://192.0.2.7:8765/t/k7qxa#from=Ann", None)
    ('http://192.0.2.7:8765', 'K7QXA')
    """
    words = [word(each) for each in (first, second) if each is not None]
    if len(words) == 2 and words[0].endswith("/t/"):
        words = ["".join(words)]
    links = [link(each) for each in words]
    table = next((each.table for each in links if each.table), None)
    if table is not None:
        servers = [each.server for each in links if each.table]
        return servers[0] or None, table
    match words:
        case [one]:
            return (None, table_code(one)) if is_written_code(one) else (one, None)
        case [one, other]:
            if _is_address(other) or (is_written_code(one) and not is_written_code(other)):
                one, other = other, one
            return one, table_code(other)
    return None, None


def _is_address(text: str) -> bool:
    """Whether a word can be no code, because it has a port, a path or a domain."""
    return any(each in text for each in ":./") or text == "localhost"
