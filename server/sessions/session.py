"""A session: the server's state of one connection, which filters its messages.

    raw ─▶ rate limit ─▶ (decoded) ─▶ its price ─▶ hello first? ─▶ new? ─▶ a command

A command with an id above every id used before, including that of `hello`, cannot be a repetition.
A lower one has to be looked up in the store.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from protocol.codec import Codec
from protocol.errors import ProtocolError
from protocol.features import FIRST_FORM
from protocol.to_server import Hello, ToServer
from server.names import CommandKey, Player
from server.rate_limit import TokenBucket
from server.refusals import refusal

PATIENCE = 20
"""Refused messages after which a flood is cut off; forgiven at the rate of allowed messages."""


class Flooded(Exception):
    """The client goes on sending too much after a warning; the connection is to be closed."""


@dataclass(frozen=True, slots=True)
class SessionIdentity:
    """The player of a connection, and its client program."""

    player: Player
    client: str
    token: str = ""
    """The hash of the token by which it came in."""
    device: str = ""
    """What the program is called in the list of the player's devices."""
    features: frozenset[str] = FIRST_FORM
    """What the program has asked to be sent (`features.ON_REQUEST`)."""
    alongside: bool = False
    """Whether it leaves the player's other programs their connections."""
    facts: int | None = None
    """How many facts of a deal a snapshot has at most, as the program wants it; None: all."""

    def excludes(self, older: "SessionIdentity") -> bool:
        """Whether this connection replaces an older one of its player.

        It does if its program has reconnected, or if both programs expect one connection per
        player.
        """
        return older.client == self.client or not (self.alongside or older.alongside)


class Session:
    """A session; its `identity` is None until `hello` has been answered with `welcome`.

    `shared` takes a price from the limit of all connections of an address; it returns the seconds
    to wait if too little is left, and 0 otherwise.
    """

    # Every connection has one; slots take less memory than a dictionary.
    __slots__ = (
        "_bucket",
        "_highest",
        "_patience",
        "_shared",
        "codec",
        "identity",
    )

    def __init__(
        self,
        codec: Codec,
        rate: float,
        burst: float,
        now: float,
        shared: Callable[[float, float], float] | None = None,
    ) -> None:
        self.codec = codec
        self.identity: SessionIdentity | None = None
        self._shared = shared
        self._bucket = TokenBucket.full(rate, burst, now)
        self._patience: TokenBucket | None = None
        self._highest = 0

    def throttle(self, raw: bytes | str, now: float) -> None:
        """Count a message that has come, before it is read.

        If it came too soon, `ProtocolError` to be answered, or `Flooded` to hang up.
        """
        if not self._bucket.take(now):
            raise self._over_limit(raw, now)

    def check(self, command: ToServer, now: float) -> None:
        """Return a message's command; raise `ProtocolError` if it is not allowed now."""
        price = command.price
        if price > 1 and not self._bucket.take(now, min(price, self._bucket.burst) - 1):
            raise self._too_fast(command.id, price, now)
        if self._shared is not None and (wait := self._shared(price, now)):
            raise _limited("refused_address_fast", command.id, wait)
        if isinstance(command, Hello) != (self.identity is None):
            raise refusal("hello_first", "refused_hello", id=command.id)
        if self.identity is None:
            # What was sent before it may just be being committed, so the store cannot tell yet.
            self._highest = command.id

    def welcome(self, identity: SessionIdentity, highest: int) -> None:
        """Record a welcome; `highest` is the last id that this client has an answer for."""
        self.identity = identity
        self._highest = max(self._highest, highest)

    def key(self, command: ToServer) -> CommandKey:
        """Return the permanent name of a command; only after `welcome`."""
        assert self.identity is not None, "commands are named after hello"
        return CommandKey(self.identity.player.id, self.identity.client, command.id)

    def is_new(self, command: ToServer) -> bool:
        """Whether the command cannot have been answered before."""
        if command.reads:
            return True
        if command.id <= self._highest:
            return False
        self._highest = command.id
        return True

    def share(self, other: "Session", now: float) -> None:
        """Share one message limit with another connection of the player, from now on."""
        other._bucket.charge(now, self._bucket.spent(now))
        self._bucket = other._bucket

    def charge(self, price: float, now: float) -> None:
        """Take `price` for work that was done already, for which later messages wait."""
        self._bucket.charge(now, price)
        if self._shared is not None:
            self._shared(price, now)

    def _over_limit(self, raw: bytes | str, now: float) -> ProtocolError:
        """Return the answer to a message over the limit."""
        try:
            command = self.codec.decode_command(raw)
        except ProtocolError as error:
            return self._too_fast(error.id, 1, now)
        return self._too_fast(command.id, command.price, now)

    def _too_fast(self, number: int | None, price: float, now: float) -> ProtocolError:
        if self._patience is None:
            self._patience = TokenBucket.full(self._bucket.rate, PATIENCE, now)
        if not self._patience.take(now):
            raise Flooded
        # Who may not send so many at once pays all that there can be.
        wait = self._bucket.seconds_until(now, price)
        return _limited("refused_too_fast", number, wait)


def _limited(phrase: str, id: int | None, seconds: float) -> ProtocolError:
    """Return the error for an early message, with the wait rounded up to hundredths."""
    return refusal("rate_limited", phrase, id=id, retry_after=ceil(seconds * 100) / 100)
