"""What crosses the bus is the same after it was bytes, and what is none of it is refused."""

import msgpack
import pytest

from engine.phrases import Phrase
from protocol.to_server import Act, CreateTable, FollowTables
from server.crossing.encoding import BadMessage, Message, decode, encode
from server.crossing.names import Key, Player
from server.crossing.neighbours import (
    Announce,
    AtTables,
    AuditRead,
    Balance,
    Chatted,
    CloseTable,
    Drain,
    Draining,
    Ended,
    Handed,
    Meet,
    MoreTables,
    News,
    OpenTable,
    ReadAudit,
    Tables,
    Undrain,
    Unseat,
)
from server.crossing.parcels import (
    Answered,
    Banned,
    Batch,
    Charged,
    Expelled,
    Failed,
    Leaving,
    Moved,
    Pausing,
    Told,
    Unbanned,
)
from server.crossing.requests import (
    DONE,
    UNKNOWN,
    Arriving,
    Asked,
    Attach,
    Banning,
    CaughtUp,
    Elsewhere,
    Follow,
    Follows,
    Gone,
    Identified,
    Introduced,
    Known,
    Refused,
    Request,
    Resumed,
)
from server.store import BanKey, BanRow, PlayerRow

ANN = Player("ann", "Ann", "bot 1.0")
KEY = Key("ann", "laptop", 7)
GUEST = PlayerRow("ann", "Ann", "hash", 1.5, 2.5, sat=False)

TABLE = OpenTable("T", {"phase": "lobby"}, ("ann", "bea"), "hash")

MESSAGES: tuple[Message, ...] = (
    Asked("g", 3, KEY, Act(id=7, table="T", turn=4, action="play QS"), fresh=True),
    Asked("g", 3, KEY, CreateTable(id=7, game="hearts"), fresh=False),
    Attach("g", 2),
    Banning("g"),
    Introduced("::1", "hash", known=True),
    Introduced("::1", "hash", known=False, code="more", name="Ann", device="phone"),
    Arriving("g", 3, "ann", "laptop", "hash", "::1", ("T", "U"), known=True),
    Resumed(
        "g",
        3,
        ANN,
        "laptop",
        "hash",
        "phone",
        "blackqueen.v1.json",
        "::1",
        {"T": 5},
        frozenset({"more"}),
        9,
        ("abc",),
    ),
    Resumed("g", 3, ANN, "laptop", "hash", "", "blackqueen.v1.json", "::1", {}, frozenset()),
    Resumed(
        "g",
        3,
        ANN,
        "laptop",
        "hash",
        "",
        "blackqueen.v1.json",
        "::1",
        {},
        frozenset(),
        home=False,
        guest=GUEST,
        heard={"T": [5, 0]},
    ),
    Gone("g", 3),
    CaughtUp("g", 3),
    Follow("g", 3, "T"),
    Follows("g", 3, FollowTables(id=7)),
    Follows("g", 3, None),
    Identified("ann", "Ann"),
    Identified("ann", "Ann", GUEST),
    Known(9),
    Refused("try_again"),
    Refused("rate_limited", "too many", 1.5),
    Refused("rate_limited", "too many", 1.5, Phrase("refused_tables_held", {"most": 8})),
    DONE,
    UNKNOWN,
    Elsewhere("t2"),
    Batch(
        [
            Told([3, 4], b"\x81\x00", passing=True),
            Answered(KEY, {"type": "ok", "id": 7}),
            Answered(KEY, {"type": "pong", "id": 7}, 3),
            Charged("ann", 1.5),
            Failed([3]),
            Expelled("ann", [3], "enough"),
            Expelled("ann", [3], "removed", Phrase("refused_removed")),
            Banned([BanRow("player", "ann", None, "loud", 1.5)]),
            Unbanned([BanKey("player", "ann")]),
            Moved("T", "t2"),
            Leaving(),
            Leaving(leaves=False),
            Pausing(pauses=True),
        ]
    ),
    Meet(2),
    MoreTables("T"),
    Tables((TABLE,), more=True),
    News((TABLE,), ("U",), (BanRow("player", "ann", None, "loud", 1.5),), (BanKey("player", "x"),)),
    News(leaving=True),
    News(staying=True),
    News(revoked=("token",)),
    News(chatted=(Chatted("ann", 1.0), Chatted("bea", 2.5, True))),
    Drain(),
    Draining(3, 1),
    Unseat("ann"),
    CloseTable("T"),
    Ended("try_again", "the store does not answer"),
    Announce("The server restarts at noon."),
    AtTables({"gateway.g": [3, 4]}),
    ReadAudit(100),
    AuditRead(('{"act": "kick"}',), False, True),
    Balance(),
    Undrain(),
    Handed(("T", "U")),
)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_what_crosses_comes_out_as_it_went_in(message: Message) -> None:
    """Every kind, with all its fields, and as the same kind."""
    crossed = decode(encode(message))
    assert crossed == message
    assert type(crossed) is type(message)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_what_a_newer_version_adds_is_left_out(message: Message) -> None:
    """A field behind those of the kind."""
    assert decode(msgpack.packb([*msgpack.unpackb(encode(message)), "new"])) == message


@pytest.mark.parametrize(
    "message",
    [message for message in MESSAGES if isinstance(message, Request)],
    ids=lambda message: type(message).__name__,
)
def test_what_gateways_ask_has_values_of_the_right_types(message: Message) -> None:
    """One that is taken over leaves nothing at a node that others stumble over later."""
    number, *fields = msgpack.unpackb(encode(message))
    for place, value in enumerate(fields):
        if isinstance(value, str | int | float):
            wrong = [number, *fields[:place], {"a": 1}, *fields[place + 1 :]]
            with pytest.raises(BadMessage):
                decode(msgpack.packb(wrong))


def test_a_parcel_of_an_unknown_kind_is_left_out() -> None:
    """Also one of a kind that is gone; those beside it arrive."""
    number, parcels = msgpack.unpackb(encode(Batch([Moved("T", "t2"), Leaving()])))
    others = [99, "new"], [43, "gateway.g", []]
    written = msgpack.packb([number, [parcels[0], *others, [*parcels[1], "new"]]])
    assert decode(written) == Batch([Moved("T", "t2"), Leaving()])


def test_the_numbers_of_kinds_stay() -> None:
    """While a server is upgraded its processes are of two versions: new kinds come at the end."""
    message = Elsewhere("t2"), Moved("T", "t2"), Drain(), Unseat("ann")
    batch = Batch([message[1]])
    numbers = [msgpack.unpackb(encode(each))[0] for each in (message[0], batch, *message[2:])]
    assert numbers == [21, 12, 32, 34]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        msgpack.packb(7),
        msgpack.packb([]),
        msgpack.packb([99]),
        msgpack.packb([4, "g"]),
        msgpack.packb([0, "g", 3, ["ann", "laptop", 7], {"type": "no"}, True]),
        msgpack.packb([16, [3]]),
        msgpack.packb([24, "T", "t2"]),
        msgpack.packb([23, "g", 3, {"type": "games", "id": 7}]),
    ],
)
def test_what_nobody_encodes_is_refused(data: bytes) -> None:
    """With one kind of error: no bytes, no message, a field too few, a parcel by itself."""
    with pytest.raises(BadMessage):
        decode(data)
