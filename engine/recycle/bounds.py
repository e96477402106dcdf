"""How much a description may ask for before its game is stopped.

A description is untrusted: it must neither hang the server nor fill its memory. Work is counted
in *units*, about one for each card or item looked at, and the count starts anew with each choice.
"""

from dataclasses import dataclass

CARDS = 5_000
"""Cards in one game."""
ATTRIBUTES = 200
"""Attributes of a deck, each counted as often as it is written."""
PILES = 1_000
"""Locations in one game."""
MARKS = 5_000
"""Cards remembered at one time, in all places together."""
AWARDS = 300
"""Awards of one point map."""
PLAYERS = 20
OPTIONS = 5_000
"""Options of one choice."""
NUMBER = 10**18
"""The largest number, either way."""
LISTS = 100_000
"""Cards in all the lists that one expression gives."""
WORK = 400_000
"""Units between two choices."""
NESTING = 15
"""Loops within loops: Python itself allows no more than 20."""
TURNS = 20
"""Ends of stages that are looked at for each step, so that empty stages end too."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`steps` are blocks run without a choice, `choices` those of a whole game."""

    choices: int = 20_000
    steps: int = 200


DEFAULT = Limits()
