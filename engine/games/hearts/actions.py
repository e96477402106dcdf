"""The moves of Hearts as texts: ``play QS``, ``pass 2C 3D 4H``."""

import re
from functools import lru_cache

from engine.cards import Card, card_text, parse_card, parse_cards
from engine.choices import Action
from engine.errors import BadAction
from engine.games.hearts.state import PASSED

_TOKEN = "[2-9TJQKA][CDSH]"
_MOVE = re.compile(rf"play ({_TOKEN})|pass ({_TOKEN}(?: {_TOKEN}){{{PASSED - 1}}})")


def pass_text(cards: tuple[Card, ...]) -> Action:
    """Passing `cards`, which are sorted as hands are.

    >>> pass_text(parse_cards("2C 3D 4H"))
    'pass 2C 3D 4H'
    """
    return " ".join(("pass", *map(card_text, cards)))


@lru_cache(maxsize=1024)
def parse_action(action: Action) -> tuple[Card, ...]:
    """The card that is played or the cards that are passed; `BadAction` if it is no move."""
    match = _MOVE.fullmatch(action)
    if match is None:
        raise BadAction(f"{action!r} is no move; moves look like 'play QS' or 'pass 2C 3D 4H'")
    played, passed = match.groups()
    return (parse_card(played),) if played else parse_cards(passed)
