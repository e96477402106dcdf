"""Messages that wait to be sent, within bounds: the oldest is dropped for the newest."""

from collections import deque

from server.events.courier import Letter

OVERHEAD = 64
"""Bytes that a waiting message is counted for beside its topic and payload."""


class Outbox:
    """At most `messages` letters, of `size` bytes together."""

    def __init__(self, messages: int, size: int) -> None:
        self._messages = messages
        self._size = size
        self._letters: deque[Letter] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._letters)

    def put(self, letter: Letter) -> int:
        """Let a letter wait; return how many had to go for it, the oldest first."""
        dropped = 0
        self._letters.append(letter)
        self._bytes += _bytes_of(letter)
        while len(self._letters) > self._messages or self._bytes > self._size:
            self._bytes -= _bytes_of(self._letters.popleft())
            dropped += 1
        return dropped

    def take(self, most: int) -> list[Letter]:
        """The `most` oldest letters, which no longer wait."""
        taken = [self._letters.popleft() for _ in range(min(most, len(self._letters)))]
        self._bytes -= sum(map(_bytes_of, taken))
        return taken


def _bytes_of(letter: Letter) -> int:
    return OVERHEAD + len(letter.topic) + len(letter.payload)
