"""How large a description may be: each bound keeps one thing an untrusted file can exhaust."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`depth` is how many forms may lie within one another.

    The longest published game has 20,000 characters and 1,800 words.
    """

    characters: int = 100_000
    depth: int = 60
    forms: int = 5_000
    words: int = 15_000
    number: int = 10**9
    problems: int = 100
    players: int = 20
    cards: int = 5_000


LIMITS = Limits()
