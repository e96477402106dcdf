"""The moves of Schnapsen: their texts, which may be made, and why the others may not."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from engine.cards import (
    SYMBOLS,
    Card,
    Suit,
    card_text,
    card_texts,
    parse_card,
    suit_of,
    suit_text,
)
from engine.choices import Action
from engine.errors import BadAction
from engine.games.schnapsen.cards import in_order, jack_of, partner_of, value_of
from engine.games.schnapsen.state import EMPTY, State
from engine.games.trick_games import play_text
from engine.phrases import Phrase
from engine.refusals import must_follow_by, not_held


class Obstacle(NamedTuple):
    """What keeps a player from a move: in English, and as a phrase."""

    words: str
    phrase: Phrase


# Bots list what is legal all the time, so these are made once.
_NOT_LEADING = Obstacle("only the player to lead may do that", Phrase("only_on_lead"))
_NOT_CLAIMING = Obstacle("only the player to lead may claim", Phrase("only_on_lead"))
_ALL_PLAYED = Obstacle("all cards are played", Phrase("claim_or_pass"))
_CLOSED = Obstacle("the talon is closed", Phrase("talon_closed"))
_EXHAUSTED = Obstacle("the talon is exhausted", Phrase("talon_exhausted"))
_COUNTED = Obstacle("points are counted for you at this table", Phrase("points_are_counted"))
_PASS_AT_END = Obstacle("only instead of a claim after the last trick", Phrase("pass_only_at_end"))


@cache
def _announced(card: Card) -> Obstacle:
    phrase = Phrase("must_lead_announced", {"card": card_text(card)})
    return Obstacle("a marriage has been announced", phrase)


@cache
def _no_marriage(card: Card) -> Obstacle:
    phrase = Phrase("no_marriage", {"suit": suit_text(card)})
    return Obstacle("that takes a king and a queen of one suit", phrase)


@cache
def _no_jack(trump: Suit) -> Obstacle:
    return Obstacle("that takes the jack of trumps", not_held(jack_of(trump)))


@cache
def _talon_low(least: int) -> Obstacle:
    phrase = Phrase("talon_low", {"least": least})
    return Obstacle(f"that takes {least} cards in the talon", phrase)


EXCHANGE: Action = "exchange"
CLOSE: Action = "close"
CLAIM: Action = "claim"
PASS: Action = "pass"

_MOVE = re.compile(r"(play) ([JQKTA][CDSH])|(marry) ([QK][CDSH])|(exchange|close|claim|pass)")


@cache
def marry_text(card: Card) -> Action:
    """The text that announces the marriage of `card`, its king or queen, which is led."""
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


def answers(hand: tuple[Card, ...], led: Card, trump: Suit) -> tuple[Card, ...]:
    """The legal answers to `led` once the talon is closed or exhausted.

    Beat in suit, else follow with a lower card, else trump, else play anything.
    """
    suit = [card for card in hand if suit_of(card) == suit_of(led)]
    higher = [card for card in suit if value_of(card) > value_of(led)]
    trumps = [card for card in hand if suit_of(card) == trump]
    return tuple(higher or suit or trumps or hand)


def playable(state: State) -> tuple[Card, ...]:
    """The cards that the player to move may lead or answer with."""
    hand = state.hands[state.turn]
    if state.announced != EMPTY:
        return (state.announced,)
    if state.trick and state.strict:
        return answers(hand, state.trick[0], state.trump)
    return hand


def legal(state: State) -> Iterator[Action]:
    """Every move of the player to move: cards, marriages, then moves without a card."""
    yield from map(play_text, in_order(playable(state)))
    for card in in_order(state.hands[state.turn]):
        if partner_of(card) is not None and why_not_marry(state, card) is None:
            yield marry_text(card)
    for action, why_not in _WITHOUT_CARD.items():
        if why_not(state) is None:
            yield action


def why_not_play(state: State, card: Card) -> Obstacle | None:
    """The obstacle that keeps the player to move from playing `card`; None if it is legal."""
    if card not in state.hands[state.turn]:
        return Obstacle("there is no such card to play", not_held(card))
    if card in playable(state):
        return None
    if state.announced != EMPTY:
        announced = card_text(state.announced)
        phrase = Phrase("must_lead_announced", {"card": announced})
        return Obstacle(f"{announced} was announced and has to be led", phrase)
    led = state.trick[0]
    suit = SYMBOLS[suit_of(led)]
    allowed = playable(state)
    either = " ".join(card_texts(in_order(allowed)))
    if suit_of(allowed[0]) != suit_of(led):
        phrase = Phrase("must_trump", {"suit": suit_text(led), "either": either})
        return Obstacle(f"without {suit} a trump has to be played", phrase)
    if suit_of(card) != suit_of(led):
        words = f"{suit} was led and must be followed"
        return Obstacle(words, must_follow_by(led, in_order(allowed)))
    phrase = Phrase("must_beat", {"card": card_text(led), "either": either})
    return Obstacle(f"{card_text(led)} must be beaten", phrase)


def why_not_marry(state: State, card: Card) -> Obstacle | None:
    """The obstacle that keeps the player to move from announcing the marriage; None if legal."""
    hand = state.hands[state.turn]
    if obstacle := _not_on_lead(state):
        return obstacle
    if card not in hand or partner_of(card) not in hand:
        return _no_marriage(card)
    return None


def _not_on_lead(state: State) -> Obstacle | None:
    """The obstacle to everything that is done before a lead, if there is one."""
    if state.trick:
        return _NOT_LEADING
    if state.announced != EMPTY:
        return _announced(state.announced)
    if not state.hands[state.leader]:
        return _ALL_PLAYED
    return None


def _why_not_exchange(state: State) -> Obstacle | None:
    if obstacle := _not_on_lead(state) or _too_late(state):
        return obstacle
    if jack_of(state.trump) not in state.hands[state.leader]:
        return _no_jack(state.trump)
    return None


def _why_not_close(state: State) -> Obstacle | None:
    return _not_on_lead(state) or _too_late(state)


def _too_late(state: State) -> Obstacle | None:
    """The obstacle to exchanging and closing late in the deal, if there is one."""
    if state.closing is not None:
        return _CLOSED
    least = int(state.setup.options["min_talon"])
    if not state.stock:
        return _EXHAUSTED
    return _talon_low(least) if state.stock < least else None


def _why_not_claim(state: State) -> Obstacle | None:
    if not state.manual:
        return _COUNTED
    return _NOT_CLAIMING if state.trick else None


def _why_not_pass(state: State) -> Obstacle | None:
    if state.manual and not state.trick and not state.hands[state.leader]:
        return None
    return _PASS_AT_END


_WITHOUT_CARD = {
    EXCHANGE: _why_not_exchange,
    CLOSE: _why_not_close,
    CLAIM: _why_not_claim,
    PASS: _why_not_pass,
}


def why_not(state: State, verb: str, card: Card) -> Obstacle | None:
    """The obstacle that keeps the player to move from this move; None if it is legal."""
    if verb == "play":
        return why_not_play(state, card)
    if verb == "marry":
        return why_not_marry(state, card)
    return _WITHOUT_CARD[verb](state)
