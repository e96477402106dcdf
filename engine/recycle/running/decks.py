"""The cards a description makes: their kinds, what they are called, how clients sort and draw them.

A *kind* is a set of attributes and a card-back family; equal cards are of one kind. A card is an
int, `kind + serial * number of kinds`, so that its kind is a remainder and decks can be made in
the middle of a game.

Cards with ranks and suits of the French pack have its tokens (``QS``); all others are named by
their values (``RED-5``). An attribute that names no card apart, such as the colour of a suit, is
left out of the name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, TypeAlias

from engine.cards import FRENCH, LegendCard, Token
from engine.recycle import limits
from engine.recycle.errors import cannot
from engine.recycle.problems import Code
from engine.recycle.running.unknown import UNKNOWN, Unseen
from engine.recycle.syntax import AttributeValue, CreateDeck, DeckAttribute, Name, walk

Kind: TypeAlias = int
Attributes: TypeAlias = Mapping[str, str]

_WORDS = "ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE THIRTEEN"
_NUMBERS = {word: str(number) for number, word in enumerate(_WORDS.split())}
_RANKS = {word: number for word, number in _NUMBERS.items() if 2 <= int(number) <= 9}
_RANKS |= {"TEN": "T", "J": "J", "JACK": "J", "Q": "Q", "QUEEN": "Q", "K": "K", "KING": "K"}
_RANKS |= {"A": "A", "ACE": "A"}
_SUITS = {"CLUBS": "C", "DIAMONDS": "D", "SPADES": "S", "HEARTS": "H"}
_FRENCH = {card.token: card for card in FRENCH}
_COLOURS = {"red": "red", "black": "black", "blue": "blue", "green": "green"}


@dataclass(frozen=True, slots=True)
class CardKind:
    """What equal cards have in common: their attributes and the family of their backs."""

    attributes: Attributes
    family: str


@dataclass(frozen=True, slots=True)
class Decks:
    """All kinds of cards of a game, and for each `create deck` the kinds it makes."""

    kinds: tuple[CardKind, ...]
    tokens: tuple[Token, ...]
    legend: tuple[LegendCard, ...]
    made: Mapping[CreateDeck, tuple[Kind, ...]]

    def kind(self, card: int) -> Kind:
        """The kind of a card, an index of `kinds`."""
        return card % len(self.kinds)

    def attributes(self, card: int) -> Attributes:
        """The attributes of a card; none if there is no card."""
        return self.kinds[self.kind(card)].attributes if card >= 0 else {}

    def token(self, card: int) -> Token:
        """The token by which clients know a card."""
        return self.tokens[card % len(self.tokens)]

    def family(self, card: int) -> str:
        """The family of a card's back."""
        return self.kinds[self.kind(card)].family


class Values(dict[int, str]):
    """The cards' values of one key, by card, empty for cards without one; filled on demand."""

    __slots__ = ("decks", "key")

    def __init__(self, decks: Decks, key: str) -> None:
        super().__init__()
        self.decks = decks
        self.key = key

    # What compiled code is given is a string, except while an option is put into words.
    def __missing__(self, card: int) -> Any:
        if isinstance(card, Unseen):
            return UNKNOWN
        value = self[card] = self.decks.attributes(card).get(self.key, "")
        return value


def decks_of(creations: Iterable[CreateDeck]) -> Decks:
    """The cards of all decks that are ever made; too many cards are a `BadDescription`."""
    numbers: dict[tuple[tuple[tuple[str, str], ...], str], Kind] = {}
    made: dict[CreateDeck, tuple[Kind, ...]] = {}
    for creation in creations:
        size = prod(map(_size, creation.attributes))
        if size > limits.CARDS:
            message = f"this deck has {_many(size)} cards"
            expected = f"at most {limits.CARDS}"
            raise cannot(Code.TOO_MANY_CARDS, creation.at, message, expected)
        keys = sum(isinstance(node, DeckAttribute) for node in walk(creation))
        if keys > limits.ATTRIBUTES:
            message, expected = f"this deck has {keys} attributes", f"at most {limits.ATTRIBUTES}"
            raise cannot(Code.TOO_MANY_CARDS, creation.at, message, expected)
        family = creation.family
        if not isinstance(family, Name):
            message = "the back of a deck is worked out"
            raise cannot(Code.WRONG_KIND, creation.at, message, "a plain name")
        made[creation] = tuple(
            numbers.setdefault((cards, family.text), len(numbers))
            for cards in _combined(creation.attributes)
        )
    if len(numbers) > limits.CARDS:
        at = next(reversed(made)).at
        message, expected = "there are too many kinds of cards", f"at most {limits.CARDS}"
        raise cannot(Code.TOO_MANY_CARDS, at, message, expected)
    kinds = tuple(CardKind(dict(attributes), family) for attributes, family in numbers)
    tokens = _tokens(kinds)
    return Decks(kinds, tokens, tuple(_legend(kinds, tokens)), made)


def _many(size: int) -> str:
    return str(size) if size < limits.NUMBER else "far too many"


def _size(attribute: DeckAttribute) -> int:
    return sum(prod(map(_size, value.attributes)) for value in attribute.values)


def _combined(attributes: Sequence[DeckAttribute]) -> Iterator[tuple[tuple[str, str], ...]]:
    for parts in product(*(tuple(_of_attribute(attribute)) for attribute in attributes)):
        yield tuple(pair for part in parts for pair in part)


def _of_attribute(attribute: DeckAttribute) -> Iterator[tuple[tuple[str, str], ...]]:
    for value in attribute.values:
        yield from _of_value(attribute.key, value)


def _of_value(key: str, value: AttributeValue) -> Iterator[tuple[tuple[str, str], ...]]:
    for rest in _combined(value.attributes):
        yield ((key, value.value), *rest)


def _tokens(kinds: Sequence[CardKind]) -> tuple[Token, ...]:
    tokens = [_french(kind) for kind in kinds]
    if None in tokens:
        keys = _telling(kinds)
        words = ("-".join(_word(kind, key) for key in keys) for kind in kinds)
        names = [name.strip("-") or "CARD" for name in words]
    else:
        names = [token for token in tokens if token]
    if len(set(names)) == len(names):
        return tuple(names)
    # The same faces with other backs, or values that are written alike.
    backed = [f"{name}.{kind.family}" for name, kind in zip(names, kinds, strict=True)]
    if len(set(backed)) == len(backed):
        return tuple(backed)
    return tuple(f"{name}.{number}" for number, name in enumerate(backed))


def _french(kind: CardKind) -> Token | None:
    rank, suit = (kind.attributes.get(key, "") for key in ("RANK", "SUIT"))
    if rank in _RANKS and suit in _SUITS:
        return _RANKS[rank] + _SUITS[suit]
    return None


def _telling(kinds: Sequence[CardKind]) -> tuple[str, ...]:
    """The keys that are needed to tell the kinds apart, in the order of the text."""
    keys = list(dict.fromkeys(key for kind in kinds for key in kind.attributes))
    different = len({tuple(_word(kind, key) for key in keys) for kind in kinds})
    for key in tuple(keys):
        rest = [other for other in keys if other != key]
        if rest and len({tuple(_word(kind, k) for k in rest) for kind in kinds}) == different:
            keys = rest
    return tuple(keys)


def _word(kind: CardKind, key: str) -> str:
    value = kind.attributes.get(key, "")
    return _NUMBERS.get(value, value)


def _legend(kinds: Sequence[CardKind], tokens: Sequence[Token]) -> Iterator[LegendCard]:
    order = {token: card.order for token, card in _FRENCH.items()}
    for number, (kind, token) in enumerate(zip(kinds, tokens, strict=True)):
        face = token.partition(".")[0]
        known = _FRENCH.get(face)
        if known is not None:
            yield LegendCard(
                token, known.label, known.group, order[face], known.colour, kind.family.lower()
            )
        else:
            group = kind.attributes.get("SUIT", kind.attributes.get("COLOR", ""))
            colour = _COLOURS.get(kind.attributes.get("COLOR", "").lower(), "black")
            label = face.replace("-", " ").lower()
            yield LegendCard(token, label, group.lower(), number, colour, kind.family.lower())
