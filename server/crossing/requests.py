"""What a gateway asks of a node with tables, port by port.

Connections are named by their gateway and their number there, which no other ever had.
"""

from typing import NamedTuple, TypeAlias

from engine.phrases import Phrase
from protocol.errors import ErrorCode
from protocol.to_server import FollowTables, ToServer
from server.crossing.names import Key, Player
from server.store import PlayerRow

COMMANDS = "commands"
"""Carry out an `Asked`. Acknowledged when the next command of this connection may come; the answer
to the player is a parcel, so that it keeps its place among the events."""
PLAYERS = "players"
"""Say who it is for an `Introduced`; answered with `Identified` or `Refused`."""
ARRIVALS = "arrivals"
"""Get ready for an `Arriving`; answered with `Known` or `Refused`."""
LINKS = "links"
"""Which connections there are, and what they follow: `Attach`, `Resumed`, `Gone`, `CaughtUp`,
`Follow` and `Follows`; and which bans, for a `Banning`."""
SECONDS = 30.0
"""How long a request may take, a table's loading included."""


class Asked(NamedTuple):
    """A command of the player on connection `link` of `gateway`.

    `fresh`: it cannot have been answered before, as far as the gateway knows.
    """

    gateway: str
    link: int
    key: Key
    command: ToServer
    fresh: bool


class Attach(NamedTuple):
    """The gateway begins, or has lost track: forget its connections and open it a new stream."""

    gateway: str
    turn: int


class Banning(NamedTuple):
    """The gateway follows its stream now: tell it all bans there."""

    gateway: str


class Introduced(NamedTuple):
    """A program says hello: by a token that is `known`, by a one-time code, or as a new player.

    `token` and `code` are hashes; `token` is that of the token which the program has from now on.
    """

    address: str
    token: str
    known: bool
    code: str = ""
    name: str | None = None
    device: str = ""
    trace: str = ""
    """As in `server.ops.tracing`, as with all that begins with the same hello."""


class Identified(NamedTuple):
    """The player whose program says hello; a `guest` has no row in the store yet."""

    player: str
    name: str
    guest: PlayerRow | None = None


class Refused(NamedTuple):
    """Why somebody may not come in, or why that could not be found out.

    The latter is `try_again`, or `internal` for a fault of ours.
    """

    code: ErrorCode
    reason: str = ""
    retry_after: float | None = None
    phrase: Phrase | None = None


class Arriving(NamedTuple):
    """A player has shown their token on a connection, and wants to resume these tables."""

    gateway: str
    link: int
    player: str
    client: str
    token: str
    address: str
    resume: tuple[str, ...]
    known: bool
    """Whether the player was here before."""
    trace: str = ""


class Known(NamedTuple):
    """What is known of an arriving client: the highest number of a command with an answer."""

    highest: int


class Resumed(NamedTuple):
    """A player was welcomed: `link` is their connection now, and follows their tables.

    `resume` has the tables the client knows, each with the last entry it has seen; `features` what
    it has asked to be sent, with at most so many `facts` in a snapshot; `legends` those it has.
    A `guest` is a player without a row in the store.
    """

    gateway: str
    link: int
    player: Player
    client: str
    token: str
    device: str
    subprotocol: str
    address: str
    resume: dict[str, int]
    features: frozenset[str]
    facts: int | None = None
    legends: tuple[str, ...] = ()
    alongside: bool = False
    """Whether it leaves the player's other programs their connections."""
    trace: str = ""
    home: bool = True
    """Whether this node is the player's home: it closes older connections, and says which of the
    tables in `resume` are closed."""
    guest: PlayerRow | None = None
    heard: dict[str, list[int]] = {}  # noqa: RUF012 - nobody changes it
    """Of tables the client knows, the last lines of chat that it was told."""


class Gone(NamedTuple):
    """A connection is closed."""

    gateway: str
    link: int


class CaughtUp(NamedTuple):
    """A connection was left out of events for a while: show it its tables anew."""

    gateway: str
    link: int


class Follow(NamedTuple):
    """A connection watches a table that this node has had for a moment: let it go on with that."""

    gateway: str
    link: int
    table: str


class Follows(NamedTuple):
    """The list of tables that a connection follows, which another node has told it; None: none."""

    gateway: str
    link: int
    command: FollowTables | None


class Done(NamedTuple):
    """The request was carried out, as far as there is anything to wait for."""


class Unknown(NamedTuple):
    """The tables know no such connection, or not its gateway: it has to come in again."""


class Elsewhere(NamedTuple):
    """This node does not have the table, and has done nothing: `node` has it, "" if none just now.

    Nodes are called as in the store: the name of their peer on the bus without its role.
    """

    node: str


DONE = Done()
UNKNOWN = Unknown()
Request: TypeAlias = (
    Asked | Attach | Introduced | Arriving | Resumed | Gone | CaughtUp | Follow | Follows | Banning
)
Answer: TypeAlias = Identified | Known | Refused | Done | Unknown | Elsewhere
