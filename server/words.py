"""Text that people hand in and other people's screens will show."""

import unicodedata

from protocol.errors import ProtocolError

JOINER = "\u200d"
"""Joins emoji to one; the only invisible character that `protocol.to_server.printable` lets in."""


def clean(text: str, what: str) -> str:
    """Printable `text` in one form and with single spaces; `bad_message` if there is none."""
    words = " ".join(unicodedata.normalize("NFC", text).split())
    if not words.replace(JOINER, ""):
        raise ProtocolError("bad_message", f"the {what} has no readable character")
    return words
