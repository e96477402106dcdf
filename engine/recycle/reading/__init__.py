"""From the text of a description to its tree.

`tokens` splits the text into words, `forms` nests them by parentheses, `parser` makes the tree of
forms (with `expressions`, `compounds` and `actions`; `shapes` lists the constructs of fixed shape).
Source: RECYCLE, "The language".
"""

from engine.recycle.reading.parser import Parsed, parse

__all__ = ["Parsed", "parse"]
