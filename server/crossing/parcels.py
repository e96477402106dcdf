"""What tables send to a gateway for its connections, in order, on one stream for each gateway.

What gathers while something is done is one event of that stream.
"""

from typing import NamedTuple, TypeAlias

from engine.phrases import Phrase
from protocol.wire_form import WireForm
from server.crossing.names import Key
from server.crossing.requests import Answer, Request
from server.store import BanKey, BanRow


def stream_for(gateway: str, turn: int) -> str:
    """The name of the stream with the parcels for a gateway, each time it begins another."""
    return f"for/{gateway}/{turn}"


class Told(NamedTuple):
    """A message, encoded, for these connections.

    `passing`: where a client reads too slowly it is left out, and a snapshot comes later.
    """

    links: list[int]
    message: bytes
    passing: bool


class Answered(NamedTuple):
    """The answer to a command; with a `link` for that connection alone."""

    key: Key
    message: WireForm
    link: int = 0


class Charged(NamedTuple):
    """What a player did has cost more than its command did."""

    player: str
    price: float


class Failed(NamedTuple):
    """A fault of ours has lost these connections a message: they have to reconnect for it."""

    links: list[int]


class Replaced(NamedTuple):
    """The players of these connections have come in on newer ones, at other gateways."""

    links: list[int]


class Expelled(NamedTuple):
    """A player may not be here: close these connections of theirs; all of them if none is named."""

    player: str
    links: list[int]
    reason: str
    phrase: Phrase | None = None


class Banned(NamedTuple):
    """These bans hold from now on."""

    bans: list[BanRow]


class Unbanned(NamedTuple):
    """These bans hold no longer."""

    keys: list[BanKey]


class Leaving(NamedTuple):
    """This node opens no more tables and gives away those it has; or it takes tables again."""

    leaves: bool = True


class Pausing(NamedTuple):
    """This node's lease is not sure, so nothing happens at its tables; or it is sure again."""

    pauses: bool


OtherParcel: TypeAlias = (
    Answered | Charged | Failed | Replaced | Expelled | Banned | Unbanned | Leaving | Pausing
)
Parcel: TypeAlias = Told | OtherParcel


class Batch(NamedTuple):
    """What has gathered for one gateway."""

    parcels: list[Parcel]


Message: TypeAlias = Request | Answer | Batch
"""All that crosses the bus."""
