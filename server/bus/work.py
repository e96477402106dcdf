"""Requests that any worker of a group may take: repeated once, and the first answer counts.

Nobody knows beforehand who will answer, so a request has a number that cannot be guessed: only
peers that were able to read it can answer it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from secrets import randbits

from server.bus.bus import Answered, Failure, result_of
from server.bus.packets import Done
from server.ops.isolation import isolated

REPEAT_AFTER = 1 / 3
"""The share of its time after which a request is sent once more, perhaps to another worker."""


@dataclass(slots=True)
class OpenWork:
    """A request to a group that has no answer yet."""

    group: str
    request: bytes
    answered: Answered[bytes]
    repeat_at: float
    deadline: float


class WorkSender:
    """The requests of this peer to groups."""

    def __init__(self, publish: Callable[[str, int, bytes], None]) -> None:
        self._publish = publish
        self._open: dict[int, OpenWork] = {}

    def __len__(self) -> int:
        return len(self._open)

    def send(
        self, group: str, request: bytes, answered: Answered[bytes], now: float, seconds: float
    ) -> None:
        """Send a request, which has `seconds` to be answered."""
        number = randbits(62)
        self._open[number] = OpenWork(
            group, request, answered, now + REPEAT_AFTER * seconds, now + seconds
        )
        self._publish(group, number, request)

    def done(self, item: Done) -> None:
        """Take an answer, if it is the first."""
        work = self._open.pop(item.number, None)
        if work is not None:
            _tell(work, result_of(item.answer, item.failure))

    def tick(self, now: float) -> None:
        """Repeat what is due, and give up what is too late."""
        late: list[int] = []
        for number, work in self._open.items():
            if now >= work.deadline:
                late.append(number)
            elif now >= work.repeat_at:
                work.repeat_at = work.deadline
                self._publish(work.group, number, work.request)
        for number in late:
            _tell(self._open.pop(number), Failure.UNANSWERED)


def _tell(work: OpenWork, result: bytes | Failure) -> None:
    with isolated("answer_failed"):
        work.answered(result)
