"""What a bot would play in the receiver's place, and why."""

from typing import Literal

from pydantic import Field

from engine.choices import Action
from engine.phrases import Phrase
from protocol.message import Message

DEVIATION = "deviation"
"""The reason that says how certain a value is."""


class Candidate(Message):
    """A move that a bot considered, its value in the game's points, and the bot's reasons.

    A reason named `deviation` is the standard deviation of a value that was sampled.
    """

    action: Action
    value: float
    why: dict[str, float] = Field(default={})


class HintAnswer(Message):
    """The answer to `hint`: the move a bot would make, and the moves it considered."""

    type: Literal["hint"] = "hint"
    id: int
    table: str
    turn: int
    action: Action
    candidates: tuple[Candidate, ...] = ()
    strength: int | None = Field(default=None, description="of the bot that chose the move")
    weaker: bool = Field(
        default=False, description="this bot is weaker than the strong one of the game"
    )
    seconds: int | None = Field(
        default=None,
        description="about how long until the strong bot is ready, if it is being prepared",
    )
    phrase: Phrase | None = Field(
        default=None,
        description="why, in a sentence; with it the candidates come best first",
    )
    titles: dict[str, str] = Field(
        default={}, description="what the reasons mean, by the first part of their names"
    )
