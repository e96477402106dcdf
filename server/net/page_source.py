"""Strips comments and indentation from the page's files before they are sent.

They are a fifth of what a browser would fetch. Lines keep their numbers, so that an error in a
browser names the line of the source.
"""

import re

_BLOCK = r"^[ \t]*/\*.*?\*/[ \t]*$"
_LINE = r"^[ \t]*//.*$"
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
_COMMENTS = {
    ".js": re.compile(rf"(?ms:{_BLOCK})|(?m:{_LINE})"),
    ".css": re.compile(rf"(?ms:{_BLOCK})"),
}


def as_sent(suffix: str, source: bytes) -> bytes:
    r"""Return a file with this suffix as browsers get it: scripts and style sheets are stripped.

    Only comments that have their lines to themselves go, and a string of a script may not go on
    over a line (a test holds the page's files to that), so no rules of the languages are needed.

    >>> as_sent(".js", b"/**\n * Two.\n */\nfunction two() {\n  // Why.\n  return 2; // So.\n}")
    b'\n\n\nfunction two() {\n\nreturn 2; // So.\n}'
    """
    if suffix not in _COMMENTS:
        return source
    stripped = _COMMENTS[suffix].sub(lambda comment: "\n" * comment[0].count("\n"), source.decode())
    return _INDENTATION.sub("", stripped).encode()
