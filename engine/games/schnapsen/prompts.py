"""The questions of Schnapsen: to play a card, and what may be done before a lead."""

from engine.cards import card_text, suit_of, suit_text
from engine.games.schnapsen.cards import value_of
from engine.games.schnapsen.moves import CLOSE, EXCHANGE, legal, playable
from engine.games.schnapsen.state import EMPTY, State
from engine.games.trick_games import ASK_LEAD
from engine.phrases import Phrase

_ANY, _LAST = Phrase("ask_play"), Phrase("claim_or_pass")


def prompt(state: State) -> Phrase:
    """The question for the player to move; `state` is not over."""
    if state.trick:
        return _answer(state) if state.strict else _ANY
    if state.announced != EMPTY:
        return Phrase("must_lead_announced", {"card": card_text(state.announced)})
    moves = tuple(legal(state))
    if not state.hands[state.turn]:
        return _LAST
    marriage = any(move.startswith("marry") for move in moves)
    if CLOSE in moves:
        may = {"marriage": marriage, "exchange": EXCHANGE in moves}
        return Phrase("ask_lead_open", may)
    return Phrase("ask_lead_marriage") if marriage else ASK_LEAD


def _answer(state: State) -> Phrase:
    """The question that a lead puts once the talon is closed or exhausted."""
    led, allowed = state.trick[0], playable(state)
    suit = {"suit": suit_text(led)}
    if suit_of(allowed[0]) == suit_of(led):
        beats = value_of(allowed[0]) > value_of(led)
        return Phrase("ask_beat", {"card": card_text(led)}) if beats else Phrase("ask_follow", suit)
    if suit_of(allowed[0]) == state.trump:
        return Phrase("ask_trump", suit)
    return Phrase("ask_void", suit)
