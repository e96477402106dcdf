"""A courier without a broker, and a broker in a few lines: it keeps what it is given."""

import json
from collections.abc import Callable
from typing import Any

from server.events.courier import Counters, Handler
from server.events.subscriptions import Handlers


class RecordingCourier:
    """Connected from the beginning; `sent` is all that was published, `retained` what stands."""

    def __init__(self) -> None:
        self.connected = True
        self.counters = Counters()
        self.sent: list[tuple[str, bytes]] = []
        self.retained: dict[str, bytes] = {}
        self.observer: Callable[[str, bytes], None] = lambda topic, payload: None
        self.handlers = Handlers()
        self._listeners: list[Callable[[], None]] = []

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        self.sent.append((topic, payload))
        self.observer(topic, payload)
        if retain and payload:
            self.retained[topic] = payload
        elif retain:
            self.retained.pop(topic, None)

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        self.handlers.add(topic_filter, handler)
        for topic, payload in tuple(self.retained.items()):
            for each in self.handlers.of(topic):
                each(topic, payload)

    def unsubscribe(self, topic_filter: str) -> None:
        self.handlers.remove(topic_filter)

    def on_connect(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def connect(self) -> None:
        """The broker is there (again)."""
        self.connected = True
        for listener in self._listeners:
            listener()

    async def run(self) -> None:
        raise AssertionError("it needs no task")

    def messages(self, *types: str) -> list[dict[str, Any]]:
        """What was said, of these types; removals are left out."""
        said = [json.loads(payload) for _, payload in self.sent if payload]
        return [each for each in said if not types or each["type"] in types]
