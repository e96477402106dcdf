"""What waits to be sent to a gateway: many parcels, and one event of its stream after a `flush`."""

from collections.abc import Callable

import structlog

from server.crossing.parcels import Answered, Batch, Failed, Parcel, Told
from server.crossing.refusals import refusal, refused

log = structlog.get_logger()

BATCH_BYTES = 128 * 1024
"""The messages of a batch of many have no more bytes, unless it is a single one."""
OTHER_BYTES = 512
"""What a parcel that is no encoded message is reckoned at."""
FEW = 4


class Mail:
    """What waits for a gateway; `publish` sends a batch.

    `put` lets a parcel wait. Until `flush`, the links of a message may still get more.
    """

    __slots__ = ("_publish", "gateway", "parcels", "put")

    def __init__(self, gateway: str, publish: Callable[[Batch], object]) -> None:
        self.gateway = gateway
        self._publish = publish
        self.parcels: list[Parcel] = []
        self.put: Callable[[Parcel], None] = self.parcels.append

    def flush(self) -> None:
        """Send what waits: as one batch, unless it is very large."""
        parcels = self.parcels.copy()
        self.parcels.clear()
        if len(parcels) < FEW:
            # After every move: no call of our own lies in between.
            try:
                self._publish(Batch(parcels))
            except Exception as error:
                self._send_apart(parcels, error)
            return
        size, start = 0, 0
        for place, parcel in enumerate(parcels):
            more = len(parcel.message) if isinstance(parcel, Told) else OTHER_BYTES
            size += more
            if size > BATCH_BYTES and place > start:
                self._send(parcels[start:place])
                size, start = more, place
        self._send(parcels[start:] if start else parcels)

    def _send(self, parcels: list[Parcel]) -> None:
        try:
            self._publish(Batch(parcels))
        except Exception as error:
            self._send_apart(parcels, error)

    def _send_apart(self, parcels: list[Parcel], error: Exception) -> None:
        """Send in smaller batches what cannot be sent in one, because it is too large.

        A single parcel that cannot be sent costs those that it is for, and nobody else.
        """
        if len(parcels) > 1:
            half = len(parcels) // 2
            self._send(parcels[:half])
            self._send(parcels[half:])
            return
        log.error("parcel_unsent", kind=type(parcels[0]).__name__, exc_info=error)
        self._give_up(parcels[0])

    def _give_up(self, parcel: Parcel) -> None:
        """Tell those who do not get a parcel that something is missing."""
        match parcel:
            case Told(links=links):
                self._publish(Batch([Failed(links)]))
            case Answered(key=key, link=link):
                error = refusal("internal", "refused_unsent")
                self._publish(Batch([Answered(key, refused(key.command, error), link)]))
            case _:
                pass

    def close(self) -> None:
        """Nothing can be sent to the gateway any more, and nothing waits for it."""
        self.parcels.clear()
        self.put = _drop


def _drop(parcel: Parcel) -> None:
    """The gateway that this was for is gone."""
