"""The one module that knows OpenTelemetry: it sends spans to a collector, by OTLP over HTTP."""

from collections.abc import Sequence
from importlib.metadata import version
from urllib.parse import urlsplit

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from server.ops.spans import Span

SECONDS = 5.0
"""How long a batch may take, repetitions included."""
PATH = "/v1/traces"
"""Where collectors listen, if the address names no other place."""


class OtlpSender:
    """Sends to `endpoint`, or to where OpenTelemetry's own environment variables say.

    These say also what is sent along (`OTEL_EXPORTER_OTLP_HEADERS`), and more of what this process
    is (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`).
    """

    def __init__(self, endpoint: str | None, roles: Sequence[str], node: str | None) -> None:
        self._scope = InstrumentationScope("blackqueen", version("blackqueen"))
        told = {"service.name": "blackqueen", "service.version": version("blackqueen")}
        told["blackqueen.roles"] = ",".join(roles)
        if node is not None:
            told["service.instance.id"] = node
        self._resource = Resource(told).merge(OTELResourceDetector().detect())
        if endpoint is not None and urlsplit(endpoint).path in ("", "/"):
            endpoint = endpoint.rstrip("/") + PATH
        self._exporter = OTLPSpanExporter(endpoint, timeout=SECONDS)

    def send(self, spans: Sequence[Span]) -> bool:
        """Whether the collector has taken these."""
        result = self._exporter.export([self._readable(span) for span in spans])
        return result is SpanExportResult.SUCCESS

    def close(self) -> None:
        """Wait for nothing any more."""
        self._exporter.shutdown()  # type: ignore[no-untyped-call]  # the library has no type for it

    def _readable(self, span: Span) -> ReadableSpan:
        parent = _context(span.trace, span.parent) if span.parent else None
        return ReadableSpan(
            span.name,
            _context(span.trace, span.id),
            parent,
            self._resource,
            {f"blackqueen.{name}": value for name, value in span.attributes.items()},
            kind=SpanKind.SERVER if parent is None else SpanKind.INTERNAL,
            status=Status(StatusCode.ERROR if span.failed else StatusCode.UNSET),
            start_time=span.start,
            end_time=span.end,
            instrumentation_scope=self._scope,
        )


def _context(trace: str, span: str) -> SpanContext:
    sampled = TraceFlags(TraceFlags.SAMPLED)
    return SpanContext(int(trace, 16), int(span, 16), is_remote=False, trace_flags=sampled)
