"""The games on offer, their options and their bots, in words."""

from typing import Annotated, Literal

from pydantic import Field

from engine.cards import LegendCard
from engine.facts import Seat
from engine.labels import Label
from engine.layout import NO_LAYOUT, Layout
from engine.phrases import Phrase
from protocol.message import Level, Message, words
from protocol.to_server.command import OptionValue


class OptionBounds(Message):
    """What an option takes with this number of players, and what it is if nobody sets it."""

    seats: int
    default: OptionValue
    low: int | None = None
    high: int | None = None


class OptionInfo(Message):
    """An option of a game: a number within bounds, a yes or no, or one word of a list.

    It has no effect unless each option in `depends` has one of the values named there.
    """

    name: str
    title: str
    default: OptionValue
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    phrase: Phrase | None = Field(default=None, description="what the title says, to be worded")
    help: str = Field(default="", description="a sentence or two more than the title")
    titles: dict[str, str] = Field(default={}, description="what its words mean, by word")
    depends: dict[str, tuple[OptionValue, ...]] = Field(
        default={}, description="the values of other options with which it has an effect"
    )
    by_seats: tuple[OptionBounds, ...] = Field(
        default=(), description="numbers of players for which default or bounds are others"
    )

    def for_seats(self, seats: int) -> "OptionInfo":
        """This option with the default and the bounds that it has with so many players."""
        other = next((each for each in self.by_seats if each.seats == seats), None)
        if other is None:
            return self
        bounds = {"default": other.default, "low": other.low, "high": other.high}
        return self.model_copy(update=bounds)


class SettingText(Message):
    """A setting of tables in words."""

    name: str
    title: str
    help: str
    titles: dict[str, str] = Field(
        default={}, description="what its words mean, by word; `default` is null"
    )


class StrengthInfo(Message):
    """A strength of a game's bots: the words that name it, and how it plays.

    Some strengths have no word, and some have two.
    """

    strength: int
    levels: tuple[Annotated[str, words(Level)], ...] = ()
    how: str = Field(default="", description="one sentence")
    ahead: float | None = Field(
        default=None, description="points a deal ahead of the next weaker one, if measured"
    )


class GameFigures(Message):
    """What was measured of a game with its usual options, as far as it was."""

    choices: int | None = Field(
        default=None, description="the choices of all players in a match, the median"
    )
    skill: float | None = Field(
        default=None,
        description="how much more often than by chance a searching player wins a deal among "
        "random ones: 0 for no more, 1 for always",
    )


class GameCard(Message):
    """A game on offer.

    Only if it was asked for: `rules`, `description`, `legend`, `labels`, `layout` and their
    `digest`, and `teams`.
    `described` marks a game that a file on the server describes.
    """

    id: str
    version: int
    title: str
    seats: tuple[int, ...]
    usual_seats: int
    options: tuple[OptionInfo, ...] = Field(description="for the usual number of seats")
    strengths: tuple[int, ...]
    bots: tuple[StrengthInfo, ...] = Field(default=(), description="these strengths, in words")
    lowered: tuple[Annotated[str, words(Level)], ...] = Field(
        default=(),
        description="words that name a weaker bot here, because Numba is not installed",
    )
    teams: tuple[tuple[Seat, ...], ...] = Field(
        default=(), description="who plays with whom, for the usual number of seats"
    )
    rules: str | None = None
    legend: tuple[LegendCard, ...] | None = None
    labels: tuple[Label, ...] = ()
    layout: Layout = NO_LAYOUT
    digest: str = ""
    described: bool = False
    description: str | None = Field(default=None, description="the text of the file")
    about: str = Field(
        default="", description="what a described game is, in the first sentence of its page"
    )
    figures: GameFigures | None = None


class GameList(Message):
    """The answer to `games`."""

    type: Literal["games"] = "games"
    id: int
    games: tuple[GameCard, ...]
    settings: tuple[SettingText, ...] = Field(
        default=(), description="those of tables in words, if a game was asked for"
    )
