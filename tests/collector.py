"""A collector of OpenTelemetry spans in a thread: real sockets, and what programs really send."""

import asyncio
import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Event, Thread
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Received(NamedTuple):
    """A span as it arrived; `resource` says which process has sent it."""

    name: str
    trace: str
    id: str
    parent: str
    seconds: float
    failed: bool
    attributes: dict[str, Any]
    resource: dict[str, Any]


@dataclass
class Collector:
    """What was received. It answers with `status`, once `open` is set."""

    url: str = ""
    status: int = 200
    open: Event = field(default_factory=Event)
    spans: list[Received] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    asked: int = 0
    news: Condition = field(default_factory=Condition)

    async def until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Return when what was received is as it should be."""

        def wait() -> bool:
            with self.news:
                return self.news.wait_for(condition, seconds)

        assert await asyncio.to_thread(wait), self.spans

    def of(self, trace: str) -> list[Received]:
        """The spans of one trace."""
        return [span for span in self.spans if span.trace == trace]

    def take(self, body: bytes) -> None:
        """Read what a program has sent."""
        # The module is generated when it is loaded, so its types are not known.
        request: Any = ExportTraceServiceRequest()
        request.ParseFromString(body)
        self.bodies.append(body)
        for group in request.resource_spans:
            resource = _plain(group.resource.attributes)
            for scope in group.scope_spans:
                for span in scope.spans:
                    self.spans.append(
                        Received(
                            span.name,
                            span.trace_id.hex(),
                            span.span_id.hex(),
                            span.parent_span_id.hex(),
                            (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
                            span.status.code == span.status.STATUS_CODE_ERROR,
                            _plain(span.attributes),
                            resource,
                        )
                    )


def check_trees(spans: list[Received]) -> None:
    """Each trace is one tree: one span without a parent, and every other's is there."""
    for trace in {span.trace for span in spans}:
        parts = [span for span in spans if span.trace == trace]
        ids = [span.id for span in parts]
        assert len({*ids}) == len(ids), parts
        assert sum(not span.parent for span in parts) == 1, parts
        assert {span.parent for span in parts} <= {"", *ids}, parts


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that listens on a port of its own."""
    collector = Collector()
    collector.open.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            collector.asked += 1
            collector.open.wait()
            if collector.status == 200 and self.path == "/v1/traces":
                with collector.news:
                    collector.take(body)
                    collector.news.notify_all()
            try:
                self.send_response(collector.status)
                self.send_header("Content-Length", "0")
                self.end_headers()
            except OSError:
                pass  # whoever asked has not waited

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    collector.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield collector
    finally:
        collector.open.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _plain(attributes: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}
