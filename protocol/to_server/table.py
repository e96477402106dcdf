"""What a client says to a table apart from play: seats, bots, settings, start, rematch."""

from typing import ClassVar, Literal

from pydantic import Field

from protocol.table_settings import TableSettings
from protocol.to_server.command import (
    MAX_ID,
    Code,
    Command,
    OptionName,
    OptionValue,
    SeatNumber,
    Strength,
)


class Configure(Command):
    """The host changes the game's options or the settings before the match."""

    type: Literal["configure"] = "configure"
    price: ClassVar[int] = 2
    table: Code
    options: dict[OptionName, OptionValue] | None = Field(default=None, max_length=64)
    settings: TableSettings | None = None


class Join(Command):
    """Sit down at a table: at `seat`, or at the first free seat; in a match, in a bot's place.

    In a running match the host may have to be asked first; then the answer is `asked`. A client
    that asks for `join.seeded` is refused at a table with a chosen seed, unless it says with
    `seeded` that its player knows.
    """

    type: Literal["join"] = "join"
    price: ClassVar[int] = 5
    table: Code
    seat: SeatNumber | None = None
    seeded: bool = False


class Admit(Command):
    """The host answers a player who asks to join the running match."""

    type: Literal["admit"] = "admit"
    price: ClassVar[int] = 2
    table: Code
    request: int = Field(ge=1, le=MAX_ID, description="the number from the notice")
    admit: bool = Field(default=True, description="false: refuse")


class Sit(Command):
    """Move to another free seat before the match."""

    type: Literal["sit"] = "sit"
    price: ClassVar[int] = 2
    table: Code
    seat: SeatNumber


class Leave(Command):
    """Give up your seat, stop watching, or withdraw a request; in a match a bot plays on."""

    type: Literal["leave"] = "leave"
    price: ClassVar[int] = 2
    table: Code


class Ready(Command):
    """Say that you are ready; a full table whose players are all ready starts."""

    type: Literal["ready"] = "ready"
    table: Code
    ready: bool = True


class AddBot(Command):
    """The host adds a bot: at `seat`, or at the first free seat."""

    type: Literal["add_bot"] = "add_bot"
    price: ClassVar[int] = 2
    table: Code
    strength: Strength
    seat: SeatNumber | None = None


class RemoveBot(Command):
    """The host removes a bot."""

    type: Literal["remove_bot"] = "remove_bot"
    price: ClassVar[int] = 2
    table: Code
    seat: SeatNumber


class Kick(Command):
    """The host empties another player's seat; that player may not come back to this table."""

    type: Literal["kick"] = "kick"
    price: ClassVar[int] = 2
    table: Code
    seat: SeatNumber


class MakeHost(Command):
    """The host hands the table to another player, who is the host from then on."""

    type: Literal["make_host"] = "make_host"
    price: ClassVar[int] = 2
    table: Code
    seat: SeatNumber


class StandIn(Command):
    """The host has a bot play for a player whose time is up; anybody may if the host is away."""

    type: Literal["stand_in"] = "stand_in"
    price: ClassVar[int] = 2
    table: Code
    seat: SeatNumber


class Back(Command):
    """Play your seat yourself again."""

    type: Literal["back"] = "back"
    price: ClassVar[int] = 2
    table: Code


class Start(Command):
    """The host starts the match; with `fill`, bots of that strength take the free seats."""

    type: Literal["start"] = "start"
    price: ClassVar[int] = 5
    table: Code
    fill: Strength | None = None


class Rematch(Command):
    """The host opens the table again after a match, everybody in their seats."""

    type: Literal["rematch"] = "rematch"
    price: ClassVar[int] = 5
    table: Code
