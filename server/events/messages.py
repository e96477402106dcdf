"""The payloads of public events. They are the only list: docs/events.yaml is made from them.

Subscribers are to ignore fields and types that they do not know, so both may be added.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from engine.facts import Change, Seat, Value
from engine.game import OptionValue


class Payload(BaseModel):
    """The base of all payloads: frozen JSON objects."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Server(Payload):
    """Whether the server is there. Retained; when the connection is lost, the broker says it."""

    type: Literal["server"] = "server"
    online: bool
    version: str = Field(description="of the program")
    url: str | None = Field(default=None, description="where players join, if the server knows")


class TablePayload(Payload):
    """What all messages about a table have in common."""

    table: str = Field(description="its code; a private table has an alias, which opens nothing")
    game: str = Field(description="id of the game")
    number: int = Field(description="of the table's last event; a step by more than 1 is a gap")
    time: float = Field(description="when it was said, in seconds since 1970 (UTC)")


class PublicSeat(Payload):
    """One seat of a table. `stand_in`: a bot plays for the absent player."""

    seat: Seat
    kind: str = Field(description="`empty`, `human` or `bot`")
    name: str = ""
    strength: int | None = Field(default=None, description="of a bot")
    stand_in: bool = False
    program: str = Field(default="", description="name of the program that plays for the player")


class PlayerToAct(Payload):
    """A player whose turn it is."""

    seat: Seat
    name: str
    kind: str = Field(description="`human` or `bot`")


class PublicFact(Payload):
    """A fact as spectators are told it: docs/protocol.md lists the verbs and the changes."""

    verb: str
    args: Mapping[str, Value] = {}
    changes: tuple[Change, ...] = ()
    words: str = ""
    holds: bool = Field(
        default=False, description="people should see how the table lies before this happens"
    )


class Summary(TablePayload):
    """A table as it is now. Retained; an empty message takes the place of a closed table's."""

    type: Literal["summary"] = "summary"
    title: str = Field(description="of the game")
    private: bool
    phase: str = Field(description="`lobby`, `playing`, `paused`, `finished` or `closed`")
    host: Seat | None
    players: tuple[PublicSeat, ...] = Field(description="by seat")
    options: dict[str, OptionValue]
    match: int = Field(description="how many matches have been started here")
    seeded: bool = Field(description="whoever opened the table chose the seed of its cards")
    deal: int | None = Field(default=None, description="of this match; null: not known")
    totals: tuple[int, ...] | None = Field(
        default=None,
        description="by seat, after the last deal; null: none was played, as far as "
        "the server remembers",
    )


class Turn(TablePayload):
    """Whose turn it is. Retained; no players: nobody's."""

    type: Literal["turn"] = "turn"
    match: int
    turn: int = Field(description="number of the question; several players may be asked at once")
    players: tuple[PlayerToAct, ...]
    clock: float | None = Field(default=None, description="seconds they had left when it was said")


class Opened(TablePayload):
    """A table was opened."""

    type: Literal["opened"] = "opened"
    title: str
    private: bool
    text: str


class Changed(TablePayload):
    """Something happened at the table beside the cards: who sits down, leaves, is away."""

    type: Literal["changed"] = "changed"
    facts: tuple[PublicFact, ...]
    text: str = Field(description="the facts in English")


class Started(TablePayload):
    """A match begins."""

    type: Literal["started"] = "started"
    match: int
    players: tuple[PublicSeat, ...]
    text: str


class Play(TablePayload):
    """What spectators see of a deal or a move."""

    type: Literal["play"] = "play"
    match: int
    facts: tuple[PublicFact, ...]
    text: str = Field(description="the facts in English")


class PublicDealResult(TablePayload):
    """A deal is over. Numbers are by seat."""

    type: Literal["deal_result"] = "deal_result"
    match: int
    deal: int
    names: tuple[str, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    text: str


class PublicMatchResult(TablePayload):
    """A match is over. Numbers are by seat; players who share a rank have the same."""

    type: Literal["match_result"] = "match_result"
    match: int
    names: tuple[str, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    text: str


class Closed(TablePayload):
    """The table is closed."""

    type: Literal["closed"] = "closed"
    reason: str
    text: str


Event: TypeAlias = Opened | Changed | Started | Play | PublicDealResult | PublicMatchResult | Closed
"""What is said once and numbered. What was lost is not said again."""
Retained: TypeAlias = Summary | Turn
"""What the broker keeps for those who subscribe later, and what repairs a gap."""
