"""What the strong bot thinks of the decisions of a match that is over."""

from typing import Literal

from pydantic import Field

from engine.cards import LegendCard
from engine.choices import Action
from engine.facts import Seat
from engine.labels import Label
from engine.phrases import Phrase
from protocol.message import Message


class Points(Message):
    """A number of points, and its standard error: 0 if it is exact."""

    points: float
    error: float = 0.0


class Odds(Message):
    """What one could know of a decision: in how many of the deals that looked the same from the
    seat its moves were best.
    """

    share: float = Field(description="of the deals in which no move was better, from 0 to 1")
    best_share: float = Field(description="that of the bot's move")
    phrase: Phrase = Field(description="all this in a sentence")


class OpenDeal(Message):
    """How the cards lay: where the moves of a decision stand in the deal as it was.

    Places count from 1, and equal moves share one.
    """

    place: int
    best_place: int = Field(description="that of the bot's move")
    moves: int = Field(description="how many moves were compared")
    best: Action = Field(description="a move in the first place")
    best_text: str = Field(default="", description="that move in words, if the game has any")
    phrase: Phrase = Field(description="all this in a sentence")


class ReviewedMove(Message):
    """A decision, and what the bot would have played with what the seat knew then.

    `worth` is the expected score of the deal after `best`. `given_away` is by how many points the
    move is worse than `best`, and `ahead` by how many the best move is better than all others.
    Values that the bot does not give are left out, and `known` and `lay` unless you may see what
    all seats were shown.
    """

    entry: int = Field(description="the number of the move in the table's log")
    deal: int
    move: int = Field(description="of the seat in the deal, from 1")
    trick: int = Field(default=0, description="of the deal, from 1; 0: not known")
    action: Action
    best: Action
    text: str = Field(default="", description="the move in words, if the game has any")
    best_text: str = Field(default="", description="the bot's move in words, if the game has any")
    phrase: Phrase = Field(description="all this in a sentence")
    equal: bool = Field(default=False, description="the bot finds this move as good as its own")
    worth: Points | None = None
    given_away: Points | None = None
    ahead: Points | None = None
    known: Odds | None = None
    lay: OpenDeal | None = None


class TurningPoint(Message):
    """The change of the deal's expected score up to decision `at`."""

    at: int = Field(description="the number of the decision in the review, from 0")
    change: Points


class ReviewSummary(Message):
    """The summary of a whole review, in which decisions are numbered from 0.

    `given_away` is left out if the bot does not weigh moves by points.
    """

    decisions: int
    agreed: int = Field(description="decisions as the bot would have made them")
    weighed: int = Field(default=0, description="decisions whose points are known")
    left_out: int = Field(default=0, description="decisions that the bot came to no end with")
    given_away: Points | None = None
    worst: int | None = None
    best: int | None = None
    turns: tuple[TurningPoint, ...] = ()
    phrases: tuple[Phrase, ...] = Field(default=(), description="all this in sentences")


class ReviewPage(Message):
    """The answer to `review`: the decisions judged so far, after those that you have.

    With a `summary` the review is complete, and `more` of its decisions are still to be requested.
    """

    type: Literal["review"] = "review"
    id: int
    table: str
    match: int
    seat: Seat
    game: str
    strength: int = Field(description="of the bot that judges")
    decisions: tuple[ReviewedMove, ...] = ()
    more: int = Field(default=0, description="decisions judged by now behind these")
    done: int = Field(default=0, description="how many moves of the match have been looked at")
    of: int = Field(default=0, description="how many moves the match has")
    seconds: int | None = Field(
        default=None, description="about how long until the bot is ready, if it is being prepared"
    )
    summary: ReviewSummary | None = None
    legend: tuple[LegendCard, ...] = Field(default=(), description="on the first page alone")
    labels: tuple[Label, ...] = Field(default=(), description="on the first page alone")
