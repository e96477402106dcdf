"""The choices of a seat in their sent form: sorted, in the form that the client asked for."""

from collections.abc import Set
from dataclasses import replace
from typing import Any

from engine import AnyGame
from engine.choices import Choices
from engine.facts import Seat
from engine.parts import gathered
from protocol.features import PROMPTS
from server.table.choice_order import in_order, order_of
from server.table.guarded_game import GuardedGame


def choices_told(game: AnyGame, play: Any, seat: Seat, features: Set[str]) -> Choices:
    """Return the choices of `seat` in the match at state `play` in their sent form.

    With the feature ``choices.parts`` they come in parts, with ``pick.way`` long lists are picks,
    with ``choices.prompt`` they have a prompt.
    """
    choices = _told(game, play, seat, features)
    prompt = GuardedGame.of(game).prompt(play, seat) if PROMPTS in features else None
    return choices if prompt is None else replace(choices, prompt=prompt)


def _told(game: AnyGame, play: Any, seat: Seat, features: Set[str]) -> Choices:
    choices, info = game.choices(play, seat), game.info
    parts, picks = "choices.parts" in features, "pick.way" in features
    if parts or picks:
        choices = GuardedGame.of(game).in_parts(play, seat, choices)
    if choices.texts:
        choices = in_order(choices, info)
    if picks:
        choices = gathered(choices, order_of(info))
    if parts or not choices.ways:
        return choices
    return replace(choices, parts=(), ways=choices.ways if choices.picks else ())
