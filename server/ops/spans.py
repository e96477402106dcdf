"""Spans: how long each part of the work for a command took, for a collector of such things.

Like the log, a process has one place for them: `RECORDER`. It is None unless somebody wants spans,
and then a move pays for looking whether it is. A span tells what kind of work was done, in which
trace, when, and how it ended: no player, name, table, card, word or token. What it may tell more is
in `ATTRIBUTES`, and each is one of a few words or a small number.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import time_ns
from typing import Final, Literal, NamedTuple, TypeAlias

from protocol.wire_form import WireForm
from server.crossing.names import Key
from server.crossing.requests import Asked
from server.games.descriptions import digest_in
from server.ops.isolation import isolated
from server.ops.tracing import TABLE, Cause, Trace, new_id, span_id, trace_id

GATEWAY: Final = "gateway"
MOST_WAITING = 4096
"""Spans that wait to be exported, and commands whose spans are remembered; more are dropped."""
ATTRIBUTES = frozenset({"command", "result", "game", "strength", "lateness", "entries", "hint"})
DESCRIBED = "described"
"""What is told of the name of a described game, which is its host's."""

Part: TypeAlias = Literal["gateway", "table"]
Value: TypeAlias = str | int | bool


class SpanRefused(Exception):
    """A span was to tell something that is not in `ATTRIBUTES`."""


class Span(NamedTuple):
    """One part of the work for a command; ids in hexadecimal, times in nanoseconds since 1970."""

    name: str
    trace: str
    id: str
    parent: str
    """The id of the span that this is part of; "" for the first of its trace."""
    start: int
    end: int
    attributes: Mapping[str, Value]
    failed: bool = False


class SpanRecorder:
    """Keeps spans until they are exported: those of a `share` of all traces, the same everywhere.

    What is too much is dropped and counted, and what fails here is logged: the work goes on. `now`
    gives the time as in `Span`.
    """

    def __init__(
        self, share: float = 1.0, most: int | None = None, now: Callable[[], int] = time_ns
    ) -> None:
        self.waiting: deque[Span] = deque()
        self.exported = self.dropped = self.failed = 0
        # As OpenTelemetry's own sampler by ratio does it.
        self._bound = round(share * 2**64)
        self._most = MOST_WAITING if most is None else most
        self._now = now
        self._open: OrderedDict[tuple[Part, Key], Span] = OrderedDict()
        self._tables: OrderedDict[Cause, str] = OrderedDict()

    def counts(self) -> dict[str, int]:
        """How many spans have ended in what way."""
        return {"exported": self.exported, "dropped": self.dropped, "failed": self.failed}

    def wants(self, cause: Cause) -> bool:
        """Whether a trace is one of those that are exported."""
        if isinstance(cause, Trace) and not cause.sampled:
            return False
        return int(trace_id(cause)[16:], 16) < self._bound

    def begin_command(self, asked: Asked) -> None:
        """A gateway asks the tables to carry a command out."""
        with isolated("span_failed"):
            if self.wants(asked.key):
                self._begin(GATEWAY, asked, _of_gateway(asked), "")

    def begin_handling(self, asked: Asked) -> None:
        """The tables carry a command out, perhaps for the second time, or beside another node."""
        with isolated("span_failed"):
            if self.wants(asked.key):
                self._tables[asked.key] = number = new_id(8)
                if len(self._tables) > self._most:
                    self._tables.popitem(last=False)
                self._begin(TABLE, asked, number, _of_gateway(asked))

    def end(self, part: Part, key: Key, answer: WireForm) -> None:
        """A command is answered."""
        with isolated("span_failed"):
            begun = self._open.pop((part, key), None)
            if begun is not None:
                failed = answer["type"] == "error"
                result = str(answer["code"]) if failed else "ok"
                attributes = {**begun.attributes, "result": result}
                self._put(begun._replace(end=self._now(), attributes=attributes, failed=failed))

    def add(
        self,
        name: str,
        cause: Cause | None,
        seconds: float,
        *,
        id: str = "",
        parent: str | None = None,
        failed: bool = False,
        **attributes: Value,
    ) -> None:
        """Something was done for a command that has taken so long, as part of what a table did."""
        with isolated("span_failed"):
            if cause is None or not self.wants(cause):
                return
            end = self._now()
            self._put(
                Span(
                    name,
                    trace_id(cause),
                    id or new_id(8),
                    self.parent(cause) if parent is None else parent,
                    end - round(max(0.0, seconds) * 1e9),
                    end,
                    _allowed(attributes),
                    failed,
                )
            )

    def parent(self, cause: Cause) -> str:
        """The span that what is done for a command now is part of."""
        if isinstance(cause, Trace):
            return cause.span
        return self._tables.get(cause) or span_id(cause, TABLE)

    def take(self, most: int) -> list[Span]:
        """So many of the spans that wait; called in another thread."""
        return [self.waiting.popleft() for _ in range(min(most, len(self.waiting)))]

    def _begin(self, part: Part, asked: Asked, id: str, parent: str) -> None:
        word, now = asked.command.type, self._now()
        name = f"command {word}" if part == GATEWAY else f"tables {word}"
        self._open[part, asked.key] = Span(
            name, trace_id(asked.key), id, parent, now, now, {"command": word}
        )
        if len(self._open) > self._most:
            # Its answer was lost with the tables, or the client with its connection.
            self._open.popitem(last=False)

    def _put(self, span: Span) -> None:
        if len(self.waiting) < self._most:
            self.waiting.append(span)
        else:
            self.dropped += 1


def _of_gateway(asked: Asked) -> str:
    return span_id(asked.key, GATEWAY, asked.gateway, asked.link)


def _allowed(attributes: dict[str, Value]) -> dict[str, Value]:
    """What may be told; `SpanRefused` if anything may not."""
    if not attributes.keys() <= ATTRIBUTES:
        raise SpanRefused(f"a span may not tell {', '.join(attributes)}")
    game = attributes.get("game")
    if isinstance(game, str) and digest_in(game) is not None:
        attributes["game"] = DESCRIBED
    return attributes


RECORDER: SpanRecorder | None = None


@contextmanager
def recording(recorder: SpanRecorder) -> Iterator[SpanRecorder]:
    """Have the spans of this process recorded while the context lasts."""
    global RECORDER
    before, RECORDER = RECORDER, recorder
    try:
        yield recorder
    finally:
        RECORDER = before
