"""The moves as texts: ``play QS``, ``marry QS``, ``exchange``, ``close``, ``claim``, ``pass``."""

import re
from functools import cache, lru_cache

from engine.cards import Card, card_text, parse_card
from engine.choices import Action
from engine.errors import BadAction
from engine.games.schnapsen.state import EMPTY

EXCHANGE: Action = "exchange"
CLOSE: Action = "close"
CLAIM: Action = "claim"
PASS: Action = "pass"

_MOVE = re.compile(r"(play) ([JQKTA][CDSH])|(marry) ([QK][CDSH])|(exchange|close|claim|pass)")


@cache
def marry_text(card: Card) -> Action:
    """Announce the marriage of which `card`, its king or queen, is led."""
    return f"marry {card_text(card)}"


@lru_cache(maxsize=256)
def parse_action(action: Action) -> tuple[str, Card]:
    """The verb and the card, EMPTY for a verb without one.

    >>> parse_action("marry QS"), parse_action("close")
    (('marry', 36), ('close', -1))
    """
    match = _MOVE.fullmatch(action)
    if match is None:
        raise BadAction(
            f"{action!r} is no move; moves are 'play QS', 'marry QS', 'exchange', 'close', "
            "'claim' and 'pass'"
        )
    verb, *card = filter(None, match.groups())
    return verb, parse_card(card[0]) if card else EMPTY
