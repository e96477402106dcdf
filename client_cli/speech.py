"""Text for people who listen: cards and suits by name, signs in words.

>>> aloud("Blaise 4♣, Carl K♣: -13")
'Blaise four of clubs, Carl king of clubs: minus 13'
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from client_cli.tell import tell
from client_cli.text import Line, Look, paint
from engine.cards import FRENCH, SYMBOLS, LegendCard, Token
from engine.choices import Action
from protocol.texts import card_name, suit_name
from protocol.texts.language import language

EVERYTHING = Look(width=10_000)
"""The look of lines that are to be spoken: nothing is broken, cut or coloured."""
_MINUS = re.compile(r"(?<![\w.])[-−](?=\d)")
_PLUS = re.compile(r"(?<![\w.])\+(?=\d)")


def aloud(text: str) -> str:
    """`text` as it is to be read aloud; cards that stand side by side get commas.

    >>> aloud("You pass 10♥ Q♠; trumps are ♥. Hint: J♣@2.")
    'You pass ten of hearts, queen of spades; trumps are hearts. Hint: jack of clubs from 2.'
    """
    card, cards = _patterns()
    said = cards.sub(lambda run: ", ".join(_named(each) for each in card.findall(run[0])), text)
    for symbol in SYMBOLS:
        said = said.replace(symbol, suit_name(symbol) or symbol)
    said = said.replace("…", "").replace(" · ", ", ")
    said = said.replace("±", f"{tell('spoken.signs.plus_minus')} ")
    minus, plus = (f"{tell(f'spoken.signs.{sign}')} " for sign in ("minus", "plus"))
    return _PLUS.sub(plus, _MINUS.sub(minus, said)).strip()


def lines_aloud(lines: Iterable[Line]) -> list[str]:
    """Drawn lines as sentences to be read aloud, without the empty ones."""
    texts = [paint(each, EVERYTHING) for each in lines]
    return [_begun(said, text) for text in texts if (said := aloud(text))]


def _begun(said: str, text: str) -> str:
    """`text` with a capital where a card begins it: names keep their small letter."""
    return said if said[0] == text.lstrip()[0] else said[0].upper() + said[1:]


class CardNames:
    """The names of the cards of a `legend`, by their tokens."""

    def __init__(self, legend: Sequence[LegendCard]) -> None:
        self._names = {card.token: card_name(card) for card in legend}

    def card(self, token: Token) -> str:
        """The name of a card: ``ace of spades``; an unknown card keeps its token."""
        return self._names.get(token, token)

    def cards(self, tokens: Iterable[Token]) -> str:
        """The names of cards, with commas."""
        return ", ".join(map(self.card, tokens))

    def move(self, action: Action, place: str = "") -> str:
        """A move in words: ``play jack of clubs from column 1``; `place` names numbered places."""
        words: list[str] = []
        for word in action.split(" "):
            card = word.rstrip(",")
            token, _, slot = card.partition("@")
            where = ("", tell("spoken.signs.from"), *filter(None, (place, slot)))
            source = " ".join(where) if slot else ""
            words.append(f"{self.card(token)}{source}{word[len(card) :]}")
        return " ".join(words)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns of one shown card, and of several side by side."""
    labels = sorted((re.escape(card.label) for card in FRENCH), key=len, reverse=True)
    # A♠ stands alone, and is never the end of another word.
    card = rf"(?<!\w)(?:{'|'.join(labels)})(?:@\w+)?(?!\w)"
    return re.compile(card), re.compile(rf"{card}(?: {card})*")


@cache
def _names(spoken_language: str) -> Mapping[str, str]:
    return {card.label: card_name(card) for card in FRENCH}


def _named(shown: str) -> str:
    label, _, slot = shown.partition("@")
    name = _names(language())[label]
    return f"{name} {tell('spoken.signs.from')} {slot}" if slot else name
