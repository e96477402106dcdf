"""Labels: what clients call the zones and values of a game that brings its own words.

Words of a game name cards and players by placeholders, which a client fills in: ``{card QS}``,
``{seat 2}`` for the player at that seat, ``{of 2}`` for what belongs to them (``Ann's``, ``your``),
``{own 2}`` for the same where they are the subject already (``their``, ``your``).
"""

from dataclasses import dataclass

from engine.cards import Token
from engine.facts import Seat


@dataclass(frozen=True, slots=True)
class Label:
    """The name of the zones or values of one kind, such as ``hand``; `text` says more.

    `holds` says how a value is to be shown: ``cards`` are tokens with spaces between, ``seat`` is
    the number of a player, whose seat it is less `first`, and ``nothing`` is nothing for people.
    """

    kind: str
    title: str
    text: str = ""
    holds: str = ""
    first: int = 0


def card_word(token: Token) -> str:
    """The placeholder of a card in the words of a game."""
    return f"{{card {token}}}"


def seat_word(seat: Seat) -> str:
    """The placeholder of a player in the words of a game."""
    return f"{{seat {seat}}}"


def owner_word(seat: Seat) -> str:
    """The placeholder of an owner in the words of a game: ``{of 2} hand``."""
    return f"{{of {seat}}}"


def own_word(seat: Seat) -> str:
    """The placeholder of an owner that is the sentence's subject: ``{own 2} hand``."""
    return f"{{own {seat}}}"
