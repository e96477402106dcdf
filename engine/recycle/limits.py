"""How large a description may be: each bound keeps one thing an untrusted file can exhaust."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`depth` is how many forms may lie within one another."""

    characters: int = 200_000
    depth: int = 60
    forms: int = 10_000
    number: int = 10**9
    problems: int = 100
    players: int = 20
    cards: int = 5_000


LIMITS = Limits()
