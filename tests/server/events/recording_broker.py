"""A broker in a few lines that records what it is given."""

import json
from collections.abc import Callable
from typing import Any


class RecordingBroker:
    """A connected broker; `sent` is everything published, `retained` what is retained."""

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
        """The published messages of these types, without removals."""
        said = [json.loads(payload) for _, payload in self.sent if payload]
        return [each for each in said if not types or each["type"] in types]
