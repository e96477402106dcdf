"""The words that choose between variants of a construct."""

from typing import Literal, TypeAlias

End: TypeAlias = Literal["top", "bottom"]
Operator: TypeAlias = Literal["+", "-", "*", "//", "%", "^"]
Comparison: TypeAlias = Literal["<", ">", "<=", ">=", "==", "!="]
Place: TypeAlias = Literal["vloc", "iloc", "hloc", "oloc", "mem"]
"""Who sees the cards: all, the owner, nobody, all but the owner; `mem` holds marks, no cards."""
