"""Limits on bytes and frames of one connection, and on connections and messages of an address.

Everything counts: control frames, fragments, and bytes that are no WebSocket at all. Before `hello`
a connection has a small allowance that is not refilled; after it, a rate per second. These limits
lie above those of messages, so that a client that sends too many messages is first answered
`rate_limited`; a client over a limit here is cut off.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from server.ops.settings import Settings
from server.rate_limit import Allowances
from server.shares import Places

FRAMES_BEFORE_HELLO = 64
BYTES_BEFORE_HELLO = 16_384
"""For the HTTP request, beside a `hello` of any size."""
PROMPT_SHARE = 0.2
"""The share of its allowed messages for which a connection never waits for its turn."""
PROMPT_BURST_SHARE = 0.02
LONGEST_WAIT_SECONDS = 3.0
"""How long a new connection may be kept waiting before its request is read."""
PENALTY_SECONDS = 1.0
"""How long new connections of an address wait after one of its connections was cut off."""
REMEMBERED = 1024
"""Addresses that are kept though nothing is known against them."""
SOCKETS_BESIDE = 256
"""Sockets over `max_connections` that may be open: handshakes, and pages over plain HTTP."""
BESIDE_PER_ADDRESS = 40
"""Those of one address, if the settings say how many connections it may have."""


@dataclass(frozen=True, slots=True)
class TrafficLimits:
    """The limits on bytes and frames of one connection: a burst, and a rate per second.

    `prompt` is the number of small messages that never wait for their turn.
    """

    byte_rate: float
    byte_burst: float
    frame_rate: float
    frame_burst: float
    prompt_rate: float
    prompt_burst: float

    @classmethod
    def before_hello(cls, settings: Settings) -> "TrafficLimits":
        """Return the allowance of a new connection, which is never refilled."""
        return cls(
            byte_rate=0.0,
            byte_burst=settings.message_bytes + BYTES_BEFORE_HELLO,
            frame_rate=0.0,
            frame_burst=FRAMES_BEFORE_HELLO,
            prompt_rate=0.0,
            prompt_burst=0.0,
        )

    @classmethod
    def of(cls, settings: Settings) -> "TrafficLimits":
        """Return the limits for welcomed clients from the settings."""
        rate, burst = settings.messages_per_second, settings.message_burst
        largest = settings.message_bytes
        return cls(
            byte_rate=settings.bytes_per_second or max(131_072, 1024 * rate),
            byte_burst=settings.byte_burst or max(524_288, 4 * largest, 1024 * burst),
            frame_rate=settings.frames_per_second or 2 * rate,
            frame_burst=settings.frame_burst or 2 * burst + FRAMES_BEFORE_HELLO,
            prompt_rate=PROMPT_SHARE * rate,
            prompt_burst=max(2.0, PROMPT_BURST_SHARE * burst),
        )


class TrafficBudget:
    """The remaining allowance of one connection. `now` is any clock in seconds.

    Every connection has one, so it is three numbers and a time instead of three buckets.
    """

    __slots__ = ("_bytes", "_filled_at", "_frames", "_limits", "_prompt")

    def __init__(self, limits: TrafficLimits, now: float) -> None:
        self.grant(limits, now)

    def grant(self, limits: TrafficLimits, now: float) -> None:
        """Apply these limits from now on, with a full burst."""
        self._limits = limits
        self._bytes = limits.byte_burst
        self._frames = limits.frame_burst
        self._prompt = limits.prompt_burst
        self._filled_at = now

    def take_bytes(self, count: int, now: float) -> bool:
        """Count bytes that have arrived; return False if they are too many."""
        self._fill(now)
        if self._bytes < count:
            return False
        self._bytes -= count
        return True

    def take_frames(self, count: int, now: float) -> bool:
        """Count frames that have arrived; return False if they are too many."""
        self._fill(now)
        if self._frames < count:
            return False
        self._frames -= count
        return True

    def is_prompt(self, now: float) -> bool:
        """Whether the connection has sent so little that it need not wait for its turn."""
        self._fill(now)
        if self._prompt < 1:
            return False
        self._prompt -= 1
        return True

    def _fill(self, now: float) -> None:
        limits, seconds = self._limits, now - self._filled_at
        if not seconds:
            return
        self._filled_at = now
        self._bytes = min(limits.byte_burst, self._bytes + seconds * limits.byte_rate)
        self._frames = min(limits.frame_burst, self._frames + seconds * limits.frame_rate)
        self._prompt = min(limits.prompt_burst, self._prompt + seconds * limits.prompt_rate)


class Arrivals:
    """Limits new connections by address: a `burst`, then `rate` a second; unlimited if it is 0.

    A connection that comes too fast is not refused at once but has to wait, so that many honest
    clients behind one address connect one after the other. It is refused if the wait is too long.
    At most `most` sockets are open at once, and of an address its share, or `per_address`.
    """

    def __init__(
        self, rate: float, burst: float, most: int, per_address: int | None = None
    ) -> None:
        self.rate = rate
        self._burst, self._most = burst, most
        self._paid_until: dict[str, float] = {}
        self._open = 0
        self._sockets = Places(most, per_address)
        self._forget_at = REMEMBERED

    @classmethod
    def of(cls, settings: Settings) -> "Arrivals":
        """Return the settings' limits on new connections."""
        most = settings.max_connections_per_address
        return cls(
            settings.address_connections_per_second,
            settings.address_connection_burst,
            settings.max_connections + SOCKETS_BESIDE,
            most + BESIDE_PER_ADDRESS if most else most,
        )

    def wait(self, address: str, now: float) -> float:
        """Return the seconds that a new connection has to wait; `inf` if it is refused."""
        if not self.rate:
            return 0.0
        # Every connection pays for 1 / rate seconds; the burst is what may be paid later.
        until = max(self._paid_until.get(address, 0.0), now) + 1 / self.rate
        wait = max(0.0, until - now - self._burst / self.rate)
        if wait > LONGEST_WAIT_SECONDS:
            return inf
        self._pay(address, until, now)
        return wait

    def punish(self, address: str, now: float) -> None:
        """Make new connections of a cut off connection's address wait, without a burst."""
        if self.rate:
            paid = max(self._paid_until.get(address, 0.0), now)
            penalty = now + self._burst / self.rate + PENALTY_SECONDS
            self._paid_until[address] = max(paid, penalty)

    def _pay(self, address: str, until: float, now: float) -> None:
        self._paid_until[address] = until
        if len(self._paid_until) > self._forget_at:
            self._paid_until = {a: at for a, at in self._paid_until.items() if at > now}
            self._forget_at = REMEMBERED + 2 * len(self._paid_until)

    def opened(self, address: str) -> bool:
        """Count an opened socket; return False, without counting it, if there are too many.

        Its `address` is "" if it is not known yet, and is then given to `named`.
        """
        if self._open >= self._most or not self.named(address):
            return False
        self._open += 1
        return True

    def named(self, address: str) -> bool:
        """Count a socket to its address; return False, without counting it, if it has too many."""
        if address:
            if self._sockets.lack(address):
                return False
            self._sockets.take(address)
        return True

    def closed(self, address: str) -> None:
        """Remove a socket from the counts of `address`."""
        self._open -= 1
        if address:
            self._sockets.leave(address)


class AddressBudgets(Allowances):
    """The shared message limits of all connections of an address; none if `rate` is 0."""

    __slots__ = ()

    def __init__(self, rate: float, burst: float) -> None:
        super().__init__(rate, burst, REMEMBERED)

    def of(self, address: str) -> Callable[[float, float], float] | None:
        """Return a function of a price: the seconds to wait if too little is left, else 0."""
        if not self.rate:
            return None
        return lambda price, now: self.take(address, now, price)
