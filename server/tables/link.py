"""A link: a connection at a gateway, in this process or another, as tables know it."""

from collections.abc import Iterable

import structlog

from protocol.codec import Codec
from protocol.wire_form import WireForm
from server.crossing.names import Key, Player
from server.crossing.parcels import Failed, Told
from server.tables.mail import Mail

log = structlog.get_logger()


class Link:
    """A connection, `number` at its gateway; `codec` is how its messages are encoded.

    `features` are what its program has asked to be sent, with at most so many `facts` of a deal in
    a snapshot; `legends` the digests of those it has, `reads` the commands that change nothing and
    have no answer yet. `token` is the hash of the token by which its program came in, and
    `device` what that is called in the list of the player's devices.
    """

    __slots__ = (
        "address",
        "alongside",
        "client",
        "codec",
        "device",
        "facts",
        "features",
        "leaving",
        "legends",
        "mail",
        "number",
        "player",
        "reads",
        "token",
    )

    def __init__(
        self,
        mail: Mail,
        number: int,
        player: Player,
        client: str,
        token: str,
        device: str,
        codec: Codec,
        address: str,
        features: frozenset[str],
        facts: int | None,
        legends: Iterable[str],
        alongside: bool,
    ) -> None:
        self.mail = mail
        self.number = number
        self.player = player
        self.client = client
        self.alongside = alongside
        self.token = token
        self.device = device
        self.codec = codec
        self.address = address
        self.features = features
        self.facts = facts
        self.legends = set(legends)
        self.reads: set[Key] = set()
        self.leaving = False
        """Whether its gateway was told to close it."""

    def send(self, message: bytes) -> None:
        """Let an encoded message wait for this connection."""
        self.mail.put(Told([self.number], message, passing=False))

    def put(self, message: WireForm) -> None:
        """Let a message wait for this connection."""
        self.send(self.codec.encode_message(message))

    def fail(self, error: Exception) -> None:
        """A fault of ours has lost the client a message: it has to reconnect for it."""
        log.error("connection_failed", exc_info=error)
        self.mail.put(Failed([self.number]))


def put_to_all(links: Iterable[Link], message: WireForm) -> None:
    """Let a message wait for each of these, encoded once for each encoding.

    Slow readers are left out. A connection that a fault of ours keeps it from has missed it, and
    reconnects.
    """
    told: dict[tuple[Mail, str], list[int]] = {}
    for link in links:
        where = (link.mail, link.codec.subprotocol)
        if where in told:
            told[where].append(link.number)
            continue
        try:
            encoded = link.codec.encode_message(message)
            told[where] = [link.number]
            link.mail.put(Told(told[where], encoded, passing=True))
        except Exception as error:
            link.fail(error)
