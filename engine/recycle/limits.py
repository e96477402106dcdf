"""Every limit: how large a description may be, and how much its game may ask for when it is played.

A description is untrusted: it must neither hang the server nor fill its memory. Work is counted
in *units*, about one for each card or item looked at, and the count starts again at each choice.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextLimits:
    """How large a description may be; each limit bounds what a hostile file could exhaust.

    `depth` is the number of forms nested in one another; `number` is the largest integer that may
    be written. The longest published game has 20,000 characters and 1,800 words.
    """

    characters: int = 100_000
    depth: int = 60
    forms: int = 5_000
    words: int = 15_000
    number: int = 10**9
    problems: int = 100
    players: int = 20
    cards: int = 5_000


TEXT_LIMITS = TextLimits()


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """When a game is stopped: `choices` in the whole game, `steps` (blocks run) between choices."""

    choices: int = 20_000
    steps: int = 200


PLAY_LIMITS = PlayLimits()

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
"""Players of one game."""
OPTIONS = 5_000
"""Options of one choice."""
OPTION_WORK = 32
"""Units that each option costs beside what is done to find it: it is put into words."""
OPERATION_WORK = 6
"""Units that each operation of an option costs which is put into words."""
ACTION = 400
"""Characters of an action; what an option does beyond is left out."""
NUMBER = 10**18
"""The largest absolute value of a number."""
LISTS = 100_000
"""Cards in all the lists that one expression gives."""
WORK = 400_000
"""Units between two choices."""
NESTING = 15
"""Loops within loops: Python itself allows no more than 20."""
TURNS = 20
"""Ends of stages that are tested for each step, so that empty stages end too."""
