"""A QR code as lines of text, for a phone beside the server's terminal."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TextIO

_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
_BORDER = 2
"""Modules of light around a code; phones are content with fewer than the standard's four."""


def qr_lines(text: str, columns: int, out: TextIO) -> Sequence[str]:
    """Return a QR code of `text`, two rows of modules a line; empty if `out` cannot show it.

    That is so if the terminal is narrower than the code or has no blocks, and if `segno` is not
    installed (``blackqueen[server]``). Light modules are drawn: terminals are dark.
    """
    try:
        "".join(_HALVES.values()).encode(out.encoding or "ascii")
        import segno
    except (UnicodeEncodeError, LookupError, ImportError):
        return ()
    code = segno.make_qr(text, error="l", boost_error=False)
    rows = [[not dark for dark in row] for row in code.matrix_iter(border=_BORDER)]
    if len(rows) > columns:
        return ()
    dark = [False] * len(rows)
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=dark)
    return ["".join(_HALVES[halves] for halves in zip(*pair, strict=True)) for pair in pairs]
