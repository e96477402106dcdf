"""Requests that any worker of a group may take: offered twice at most, and the first answer counts.

All workers of a group may read what it is offered, and a request can hold a seat's cards. So an
offer is a number and no more: a worker claims it, and the request goes to that worker alone, as
what one peer has to say to another. The number cannot be guessed, and who was not given the request
cannot answer it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import randbits

from server.bus.bus import Answered, Failure, Worker, result_of
from server.bus.packets import Done, Work
from server.ops.isolation import isolated

REPEAT_AFTER = 1 / 3
"""The share of its time after which a request is offered once more, perhaps to another worker."""
CLAIM_SECONDS = 10.0
"""How long a claim is remembered: the request comes at once, or another worker has it."""
MOST_CLAIMS = 1024
"""Claims that are remembered of all askers together; then the oldest are forgotten."""


@dataclass(slots=True)
class OpenWork:
    """A request to a group that has no answer yet; `offers` are those that nobody has claimed."""

    group: str
    request: bytes
    answered: Answered[bytes]
    repeat_at: float
    deadline: float
    offers: int = 1
    workers: set[str] = field(default_factory=set)
    """Who was given it."""


class WorkSender:
    """The requests of this peer to groups; `offer` tells a group a number."""

    def __init__(self, offer: Callable[[str, int], None]) -> None:
        self._offer = offer
        self._open: dict[int, OpenWork] = {}

    def __len__(self) -> int:
        return len(self._open)

    def send(
        self, group: str, request: bytes, answered: Answered[bytes], now: float, seconds: float
    ) -> None:
        """Offer a request, which has `seconds` to be answered."""
        number = randbits(62)
        self._open[number] = OpenWork(
            group, request, answered, now + REPEAT_AFTER * seconds, now + seconds
        )
        self._offer(group, number)

    def claimed(self, worker: str, number: int) -> Work | None:
        """The request for the worker that claims it; None if it has one, or has its answer."""
        work = self._open.get(number)
        if work is None or not work.offers:
            return None
        work.offers -= 1
        work.workers.add(worker)
        return Work(number, work.request)

    def done(self, worker: str, item: Done) -> None:
        """Take the answer of a worker that was given the request, if it is the first."""
        work = self._open.get(item.number)
        if work is not None and worker in work.workers:
            del self._open[item.number]
            _tell(work, result_of(item.answer, item.failure))

    def tick(self, now: float) -> None:
        """Offer again what is due, and give up what is too late."""
        late: list[int] = []
        for number, work in self._open.items():
            if now >= work.deadline:
                late.append(number)
            elif now >= work.repeat_at:
                work.repeat_at = work.deadline
                # Nobody may have heard of the first offer.
                work.offers = 1
                self._offer(work.group, number)
        for number in late:
            _tell(self._open.pop(number), Failure.UNANSWERED)


class Claims:
    """The requests that this peer has claimed as a worker, and has not been given yet."""

    def __init__(self) -> None:
        self._claims: dict[tuple[str, int], tuple[Worker[bytes], float]] = {}

    def __len__(self) -> int:
        return len(self._claims)

    def add(self, asker: str, number: int, worker: Worker[bytes], now: float) -> None:
        """Remember who is to carry out a request of `asker`."""
        self._claims[asker, number] = worker, now + CLAIM_SECONDS
        if len(self._claims) > MOST_CLAIMS:
            del self._claims[next(iter(self._claims))]

    def take(self, asker: str, number: int) -> Worker[bytes] | None:
        """Who carries the request out that has come; None for one that was not claimed."""
        return self._claims.pop((asker, number), (None, 0.0))[0]

    def tick(self, now: float) -> None:
        """Forget what others were given."""
        late = [claim for claim, (_, until) in self._claims.items() if now >= until]
        for claim in late:
            del self._claims[claim]


def _tell(work: OpenWork, result: bytes | Failure) -> None:
    with isolated("answer_failed"):
        work.answered(result)
