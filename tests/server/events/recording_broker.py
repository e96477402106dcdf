"""A broker in a few lines, which keeps what it is given."""

import json
from collections.abc import Callable
from typing import Any


class RecordingBroker:
    """Connected from the beginning; `sent` is all that was published, `retained` what stands."""

    def __init__(self) -> None:
        self.connected = True
        self.sent: list[tuple[str, bytes]] = []
        self.retained: dict[str, bytes] = {}
        self.observer: Callable[[str, bytes], None] = lambda topic, payload: None

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        self.sent.append((topic, payload))
        self.observer(topic, payload)
        if retain and payload:
            self.retained[topic] = payload
        elif retain:
            self.retained.pop(topic, None)

    def messages(self, *types: str) -> list[dict[str, Any]]:
        """What was said, of these types; removals are left out."""
        said = [json.loads(payload) for _, payload in self.sent if payload]
        return [each for each in said if not types or each["type"] in types]
