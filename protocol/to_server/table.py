"""What a client says to a table apart from play: seats, bots, settings, start, rematch."""

from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from protocol.table_settings import TableSettings
from protocol.to_server.command import (
    MAX_ID,
    AtTable,
    OptionName,
    OptionValue,
    SeatNumber,
    Strength,
)


class Configure(AtTable):
    """The host changes the game's options or the settings before the match."""

    type: Literal["configure"] = "configure"
    price: ClassVar[int] = 2
    options: dict[OptionName, OptionValue] | None = Field(default=None, max_length=64)
    settings: TableSettings | None = None


class Join(AtTable):
    """Sit down at a table: at `seat`, or at the first free seat; in a match, in a bot's place.

    In a running match the host may have to be asked first; then the answer is `asked`. A client
    that asks for `join.seeded` is refused at a table with a chosen seed, unless it says with
    `seeded` that its player knows.
    """

    type: Literal["join"] = "join"
    price: ClassVar[int] = 5
    seat: SeatNumber | None = None
    seeded: bool = False


class Admit(AtTable):
    """The host answers a player who asks to join the running match."""

    type: Literal["admit"] = "admit"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 2
    request: int = Field(ge=1, le=MAX_ID, description="the number from the notice")
    admit: bool = Field(default=True, description="false: refuse")


class Sit(AtTable):
    """Move to another free seat before the match."""

    type: Literal["sit"] = "sit"
    price: ClassVar[int] = 2
    seat: SeatNumber


class Leave(AtTable):
    """Give up your seat, stop watching, or withdraw a request; in a match a bot plays on."""

    type: Literal["leave"] = "leave"
    price: ClassVar[int] = 2


class Ready(AtTable):
    """Say that you are ready; a full table whose players are all ready starts."""

    type: Literal["ready"] = "ready"
    ready: bool = True


class AddBot(AtTable):
    """The host adds a bot: at `seat`, or at the first free seat."""

    type: Literal["add_bot"] = "add_bot"
    price: ClassVar[int] = 2
    strength: Strength
    seat: SeatNumber | None = None


class RemoveBot(AtTable):
    """The host removes a bot."""

    type: Literal["remove_bot"] = "remove_bot"
    price: ClassVar[int] = 2
    seat: SeatNumber


class Kick(AtTable):
    """The host empties another player's seat; that player may not come back to this table."""

    type: Literal["kick"] = "kick"
    price: ClassVar[int] = 2
    seat: SeatNumber


class MakeHost(AtTable):
    """The host hands the table to another player, who is the host from then on."""

    type: Literal["make_host"] = "make_host"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 2
    seat: SeatNumber


class StandIn(AtTable):
    """The host has a bot play for a player whose time is up; anybody may if the host is away."""

    type: Literal["stand_in"] = "stand_in"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 2
    seat: SeatNumber


class Back(AtTable):
    """Play your seat yourself again."""

    type: Literal["back"] = "back"
    later: ClassVar[bool] = True
    price: ClassVar[int] = 2


class Start(AtTable):
    """The host starts the match; with `fill`, bots of that strength take the free seats."""

    type: Literal["start"] = "start"
    price: ClassVar[int] = 5
    fill: Strength | None = None


class Rematch(AtTable):
    """The host opens the table again after a match, everybody in their seats."""

    type: Literal["rematch"] = "rematch"
    price: ClassVar[int] = 5


SeatCommand: TypeAlias = (
    Configure
    | Join
    | Admit
    | Sit
    | Leave
    | Ready
    | AddBot
    | RemoveBot
    | Kick
    | MakeHost
    | StandIn
    | Back
    | Start
    | Rematch
)
