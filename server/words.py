"""Text that people hand in and other people's terminals will show."""

import unicodedata

from protocol.errors import ProtocolError


def clean(text: str, what: str) -> str:
    """`text` on one line, without control characters; `bad_message` if nothing is left of it."""
    kept = "".join(
        " " if unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cc") else character
        for character in unicodedata.normalize("NFC", text)
        if unicodedata.category(character) not in ("Cf", "Cs", "Co", "Cn")
    )
    words = " ".join(kept.split())
    if not words:
        raise ProtocolError("bad_message", f"the {what} has no readable character")
    return words
