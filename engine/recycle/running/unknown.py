"""Placeholders for what a player does not know of an option: values, cards, random draws.

Compiled code is run with these in place of what is secret (`views.telling`). Whatever is worked out
from a value that is `UNKNOWN` is unknown again; to decide anything by it is `Unsure`. So words can
never depend on a secret, whatever a description does.
"""

from typing import Any, NoReturn

from engine.recycle.errors import Fault


class Unsure(Fault):
    """The next step of an option depends on something that the player does not know."""


class Unknown:
    """A number or a string that the player does not know; there is only `UNKNOWN`."""

    __slots__ = ()

    # Compiled code does with a value whatever the description says.
    def _unknown(self, *_: Any) -> "Unknown":
        return self

    def _unsure(self, *_: Any) -> NoReturn:
        raise Unsure("this is not known before the option is chosen")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _unknown
    __lt__ = __le__ = __gt__ = __ge__ = _unknown
    # Equality, too, is a question with an unknown answer.
    __eq__ = __ne__ = _unknown  # type: ignore[assignment]
    __bool__ = __index__ = __int__ = __iter__ = __len__ = _unsure
    __hash__ = _unsure
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _unsure
    __abs__ = __neg__ = __getitem__ = __contains__ = _unsure


UNKNOWN = Unknown()


class Unseen(int):
    """A card that the player does not see, and that is no other card.

    Its number says nothing about its face. `token` is the face if that is known nevertheless.
    """

    token = ""

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        return NotImplemented if isinstance(other, Marked) else False

    def __ne__(self, other: object) -> Any:
        same: object = self == other
        return same if same is UNKNOWN else not same

    def __hash__(self) -> int:
        return _NO_CARD_HASH


class Drawn(Unseen):
    """A card drawn at random: from a shuffled pile, or as one of several equally good ones.

    `slot` is the pile of those that it is one of, None in a shuffled pile.
    """

    slot: int | None = None

    def __eq__(self, other: object) -> Any:
        return True if self is other else UNKNOWN

    __hash__ = Unseen.__hash__


class Marked:
    """The mark of a card that lies where the player does not see it: the face without the place."""

    __slots__ = ("card",)

    def __init__(self, card: int) -> None:
        self.card = card

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Unseen):
            return UNKNOWN
        return self.card == (other.card if isinstance(other, Marked) else other)

    def __hash__(self) -> int:
        return hash(self.card)

    def __mod__(self, kinds: int) -> int:
        return self.card % kinds

    def __lt__(self, number: int) -> bool:
        return self.card < number

    def __ge__(self, number: int) -> bool:
        return self.card >= number

    def __index__(self) -> NoReturn:
        raise Unsure("where this card lies is not known")


_NO_CARD_HASH = 1 << 40
"""No card has it, so that tables of what cards are worth never take an unseen card for another."""
