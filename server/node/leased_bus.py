"""The bus of a node that shares its database: what it sends and does while its lease is not sure.

From then on another node may have its tables. What their players were to be told waits until the
lease is sure again, and is lost with the lease; commands are refused, so that they are sent again.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from functools import partial

from server.bus.bus import Bus, Handler
from server.crossing.names import READS
from server.crossing.parcels import Answered as AnsweredCommand
from server.crossing.parcels import Batch, Failed, Message, Parcel, Told
from server.crossing.refusals import refusal, refused
from server.crossing.requests import COMMANDS, DONE, Asked
from server.store import LeaseState
from server.store.membership import Membership
from server.tables.links import Links
from server.tables.mail import Mail

MOST_HELD = 10_000
"""Messages that wait for a gateway; after more of them its connections have to reconnect."""
MOST_HELD_BYTES = 16 * 1024 * 1024
"""The same for all that these messages have together."""


class LeasedBus:
    """`bus`, as far as the lease of `node` allows; `links` are told of refused commands."""

    def __init__(self, bus: Bus[Message], node: Membership, links: Links) -> None:
        self._bus = bus
        self._node = node
        self._links = links
        self._held: defaultdict[str, list[Parcel]] = defaultdict(list)
        self._held_bytes: Counter[str] = Counter()
        self._streams: set[str] = set()
        self.send = bus.send
        self.follow = bus.follow
        self.unfollow = bus.unfollow
        self.on_presence = bus.on_presence

    @property
    def name(self) -> str:
        """What others call this peer."""
        return self._bus.name

    @property
    def alive(self) -> Collection[str]:
        """The names of the other peers that are there."""
        return self._bus.alive

    def handle(self, port: str, handler: Handler[Message]) -> None:
        """Carry out the requests to `port`; commands only while the lease is sure."""
        self._bus.handle(port, partial(self._take, handler) if port == COMMANDS else handler)

    def open_stream(self, stream: str, last: int = 0, reader: str = "") -> None:
        """Own a stream, perhaps for one `reader`."""
        self._streams.add(stream)
        self._bus.open_stream(stream, last, reader)

    def close_stream(self, stream: str) -> None:
        """End a stream; what waited for its followers is lost."""
        self._streams.discard(stream)
        self._held.pop(stream, None)
        del self._held_bytes[stream]
        self._bus.close_stream(stream)

    def publish(self, stream: str, payload: Message) -> int:
        """Give an event to the followers of a stream, as far as the lease allows; 0 if not now."""
        state = self._node.state
        if state is LeaseState.HELD:
            if self._held:
                self.go_on()
            return self._bus.publish(stream, payload)
        if state is LeaseState.OVER or stream not in self._streams:
            return 0
        assert isinstance(payload, Batch)
        passing: list[Parcel] = [
            parcel for parcel in payload.parcels if not isinstance(parcel, Told)
        ]
        self._hold(stream, [parcel for parcel in payload.parcels if isinstance(parcel, Told)])
        return self._bus.publish(stream, Batch(passing)) if passing else 0

    def tell(self, *, pauses: bool) -> None:
        """Tell the gateways that the lease is not sure, or that it is again."""
        self._links.pause(pauses=pauses)
        self._links.flush()

    def go_on(self) -> None:
        """The lease is sure again: send what was held back."""
        held, self._held = self._held, defaultdict(list)
        self._held_bytes.clear()
        for stream, parcels in held.items():
            # Together they may be too large, and one of them by itself: that costs no other.
            mail = Mail(stream, partial(self._bus.publish, stream))
            mail.parcels += parcels
            mail.flush()

    def end(self) -> None:
        """The lease is over: nobody is to wait for anything from here."""
        for stream in tuple(self._streams):
            self.close_stream(stream)

    def _hold(self, stream: str, told: list[Told]) -> None:
        held = self._held[stream]
        held += told
        self._held_bytes[stream] += sum(len(parcel.message) for parcel in told)
        if len(held) > MOST_HELD or self._held_bytes[stream] > MOST_HELD_BYTES:
            lost = {
                link for parcel in held if isinstance(parcel, Told | Failed) for link in parcel[0]
            }
            self._held[stream] = [Failed(sorted(lost))]
            self._held_bytes[stream] = 0

    def _take(
        self,
        handler: Handler[Message],
        sender: str,
        request: Message,
        reply: Callable[[Message], None],
    ) -> None:
        state = self._node.state
        if state is LeaseState.HELD:
            handler(sender, request, reply)
        elif state is LeaseState.UNSURE:
            assert isinstance(request, Asked)
            error = refusal("try_again", "refused_unsure")
            answer = refused(request.command.id, error)
            link = request.link if type(request.command) in READS else 0
            self._links.tell_gateway(sender, AnsweredCommand(request.key, answer, link))
            self._links.flush()
            reply(DONE)
