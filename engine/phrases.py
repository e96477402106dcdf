"""Phrases: what a person is told, as a code with arguments instead of words.

Clients word them from their catalogue of texts, each in its own language. The English that goes
with them is for logs and for clients that do not know a code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Value: TypeAlias = int | str | bool | tuple[int, ...] | None
"""What a phrase or a fact may have as an argument."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A code of the catalogue of texts, with its arguments; cards are tokens."""

    code: str
    args: Mapping[str, Value] = field(default_factory=dict)
