"""Requests between two peers over a courier: answered once, and carried out at most once.

The sender repeats a request until it is answered. The receiver keeps each answer until the sender
no longer waits for it, and so carries out no repetition. It takes only requests that show its
token, which it draws when it first hears of a sender and whenever it has forgotten one: so not
even a copy that a broker held for an hour is carried out a second time.

A request may take long without holding up others: now and then the sender says which of its older
ones are open still, and the receiver forgets the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from server.bus.bus import Answered, Failure, Handler, result_of
from server.bus.packets import HEAD, LARGEST, Answer, Ask, Item, Renew, Still, numbers_of, still
from server.ops.isolation import isolated

WINDOW = 1024
"""A sender has no more requests open at once."""
OPEN_BYTES = 4 * 1024 * 1024
"""Nor more bytes of them."""
STILL_EVERY = 256
"""After so many requests a sender says which are open still, if one of them is as old."""
MOST_KEPT = 4 * WINDOW
"""A receiver keeps answers to no more requests, and hears no more until it may forget some."""
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 2.0
"""Seconds until a request is repeated; the pause doubles."""
ANSWER_BYTES = 4 * 1024 * 1024
"""How much of the answers to one peer is kept; the sender of one that is not hears `LOST`."""

Put = Callable[[Item], None]
"""Lets an item wait for the next packet to the peer."""


@dataclass(slots=True)
class OpenRequest:
    """A request that has no answer yet; `token` is the last it was sent with, `due` when again."""

    port: str
    request: bytes
    answered: Answered[bytes]
    deadline: float
    due: float = 0.0
    pause: float = FIRST_PAUSE
    token: int = 0


class Sender:
    """The requests of this peer to one other."""

    def __init__(self, put: Put, first: int) -> None:
        self._put = put
        self._open: dict[int, OpenRequest] = {}
        self._bytes = 0
        self.next = first
        """The number of the next request; in one life of a peer no number is used twice."""
        self._token = 0
        self.repeated = 0

    def __len__(self) -> int:
        return len(self._open)

    def send(self, request: OpenRequest, now: float) -> None:
        """Send a request until it is answered, the deadline has passed, or the peer is gone."""
        number, size = self.next, len(request.request)
        if size > LARGEST - HEAD:
            request.answered(Failure.TOO_LARGE)
            return
        if len(self._open) >= WINDOW or self._bytes + size > OPEN_BYTES:
            request.answered(Failure.FULL)
            return
        self.next += 1
        self._open[number] = request
        self._bytes += size
        self._write(number, request, now)
        if number % STILL_EVERY == 0:
            self._say_still()

    def answer(self, item: Answer) -> None:
        """Take an answer; one that nobody waits for any more is a repetition."""
        if item.number in self._open and item.token == self._token:
            _tell(self._close(item.number), result_of(item.answer, item.failure))

    def renew(self, token: int, now: float) -> None:
        """Use a new token. What was sent with an earlier one may have been carried out: `LOST`."""
        if token <= self._token:
            return
        self._token = token
        self._lose_sent()
        for number, request in self._open.items():
            self._write(number, request, now)

    def restart(self, now: float) -> None:
        """Begin anew with a peer that has begun a new life."""
        self._token = 0
        self._lose_sent()
        self.repeat(now)

    def repeat(self, now: float) -> None:
        """Send again what has no answer, now."""
        for number, request in self._open.items():
            request.pause = FIRST_PAUSE
            self._write(number, request, now)

    def tick(self, now: float) -> None:
        """Send again what is due, and give up what is too late."""
        late: list[int] = []
        before = self.repeated
        for number, request in self._open.items():
            if now >= request.deadline:
                late.append(number)
            elif now >= request.due:
                self.repeated += 1
                request.pause = min(LONGEST_PAUSE, 2 * request.pause)
                self._write(number, request, now)
        if self.repeated > before:
            self._say_still()
        for number in late:
            _tell(self._close(number), Failure.UNANSWERED)

    def end(self) -> None:
        """Give up everything: the peer is gone."""
        given_up, self._open = self._open, {}
        self._bytes = 0
        for request in given_up.values():
            _tell(request, Failure.LOST)

    def _write(self, number: int, request: OpenRequest, now: float) -> None:
        request.due = now + request.pause
        oldest = next(iter(self._open))
        if not self._token:
            # Only to hear the token: without one it will not be carried out.
            self._put(Ask(number, 0, oldest, request.port, b""))
            return
        request.token = self._token
        self._put(Ask(number, self._token, oldest, request.port, request.request))

    def _say_still(self) -> None:
        """Say which requests are open, if the number of the oldest does not say enough."""
        if self.next - next(iter(self._open)) > STILL_EVERY:
            self._put(still(self.next, self._open))

    def _close(self, number: int) -> OpenRequest:
        request = self._open.pop(number)
        self._bytes -= len(request.request)
        return request

    def _lose_sent(self) -> None:
        lost = [number for number, request in self._open.items() if request.token]
        for request in [self._close(number) for number in lost]:
            _tell(request, Failure.LOST)


class Receiver:
    """What one other peer asked this one to do, in one of its lives."""

    def __init__(
        self, sender: str, put: Put, token: int, handlers: Mapping[str, Handler[bytes]]
    ) -> None:
        self._sender = sender
        self._put = put
        self._token = token
        self._handlers = handlers
        self._answers: dict[int, Answer | None] = {}
        self._floor = self._oldest = 0
        # Those below it that may still come, or whose answers may have been lost.
        self._late: set[int] = set()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._answers)

    def ask(self, item: Ask) -> None:
        """Carry a request out, or answer it again."""
        if item.token != self._token:
            self._put(Renew(self._token))
            return
        self._forget_before(item.oldest)
        number = item.number
        if number < self._floor and number not in self._late:
            return
        if number in self._answers:
            known = self._answers[number]
            if known is not None:
                self._put(known)
            return
        if len(self._answers) >= MOST_KEPT:
            # It will be repeated.
            return
        self._answers[number] = None
        handler = self._handlers.get(item.port)
        if handler is None:
            self._reply(number, b"", Failure.FAULT)
            return
        with isolated("request_failed") as attempt:
            handler(self._sender, item.request, lambda answer: self._reply(number, answer))
        if attempt.raised:
            self._reply(number, b"", Failure.FAULT)

    def forget_but(self, item: Still) -> None:
        """Forget all requests below a number but those that its sender still waits for."""
        if item.below > self._floor:
            self._floor = item.below
            self._late = set(numbers_of(item))
            self._forget(item.below)

    def _reply(self, number: int, answer: bytes, failure: Failure | None = None) -> None:
        if self._answers.get(number, ...) is not None:
            return  # answered already, or its sender no longer waits
        if len(answer) > LARGEST - HEAD:
            answer, failure = b"", Failure.TOO_LARGE
        written = Answer(number, self._token, answer, failure.value if failure else "")
        self._answers[number] = written
        self._bytes += len(answer)
        self._put(written)
        if self._bytes > ANSWER_BYTES:
            self._shorten()

    def _forget_before(self, oldest: int) -> None:
        if oldest <= self._oldest:
            return
        self._oldest = oldest
        self._floor = max(self._floor, oldest)
        self._late = {number for number in self._late if number >= oldest}
        self._forget(oldest)

    def _forget(self, below: int) -> None:
        """Forget what is below a number and not late."""
        late = self._late
        gone = [number for number in self._answers if number < below and number not in late]
        for number in gone:
            answer = self._answers.pop(number)
            self._bytes -= len(answer.answer) if answer is not None else 0

    def _shorten(self) -> None:
        """Forget the answers given first, but not that the requests were carried out."""
        for number, answer in self._answers.items():
            if self._bytes <= ANSWER_BYTES // 2:
                return
            if answer is not None and answer.answer:
                self._bytes -= len(answer.answer)
                self._answers[number] = Answer(number, self._token, b"", Failure.LOST.value)


def _tell(request: OpenRequest, result: bytes | Failure) -> None:
    with isolated("answer_failed"):
        request.answered(result)
