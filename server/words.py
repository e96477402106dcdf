"""Text that people hand in and other people's screens will show."""

import unicodedata


def clean(text: str) -> str:
    """`text`, which passed `protocol.visible_text`, in composed form and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())
