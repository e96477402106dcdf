"""Sends the spans of this process to a collector, in a thread of its own that nobody waits for."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Event, Thread

import structlog

from server.ops.metrics import Metrics
from server.ops.settings import Settings, SettingsError
from server.ops.spans import Span, SpanRecorder, recording

log = structlog.get_logger()

STANDARD = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""The environment variables that name the collector to every program."""
PACKAGE = "opentelemetry"
MISSING = "spans need OpenTelemetry, which `pip install 'blackqueen[otel]'` installs"
BATCH = 512
PAUSE_SECONDS = 1.0
LAST_SHARE = 0.05
"""The share of the time to stop that the last spans have to be sent."""


class SpanExport:
    """Sends what `recorder` keeps with `send`, which says whether the collector has taken it."""

    def __init__(
        self,
        recorder: SpanRecorder,
        send: Callable[[Sequence[Span]], bool],
        pause: float | None = None,
    ) -> None:
        self._recorder = recorder
        self._send = send
        self._pause = PAUSE_SECONDS if pause is None else pause
        self._closing = Event()
        self._failing = False
        # Whoever stops the process waits for it for a moment only.
        self._thread = Thread(target=self._run, name="spans", daemon=True)
        self._thread.start()

    def close(self, seconds: float) -> None:
        """Send what waits, for at most so long."""
        self._closing.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while not self._closing.wait(self._pause):
            self._send_all()
        self._send_all()

    def _send_all(self) -> None:
        while batch := self._recorder.take(BATCH):
            try:
                taken = self._send(batch)
            except Exception:
                log.exception("spans_not_exported", count=len(batch))
                taken, self._failing = False, True
            if taken:
                self._recorder.exported += len(batch)
            else:
                self._recorder.failed += len(batch)
                if not self._failing:
                    reason = "the collector did not take them; those that follow are tried again"
                    log.warning("spans_not_exported", count=len(batch), reason=reason)
            self._failing = not taken


def check_spans(settings: Settings) -> None:
    """`SettingsError` if spans are to be exported and cannot be."""
    if settings.trace_endpoint is not None and find_spec(PACKAGE) is None:
        raise SettingsError(f"--trace-endpoint: {MISSING}")


def wants_spans(settings: Settings, environment: Mapping[str, str]) -> bool:
    """Whether spans are to be exported, as far as settings and environment say."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    return settings.trace_endpoint is not None or any(map(environment.get, STANDARD))


@contextmanager
def exporting(settings: Settings, metrics: Metrics) -> Iterator[None]:
    """Have a collector told of commands while the context lasts, if somebody wants that."""
    wanted = wants_spans(settings, os.environ)
    if wanted and find_spec(PACKAGE) is None:
        # Every program on the machine is told of the collector, whether it has anything to tell.
        log.warning("spans_not_exported", reason=MISSING)
        wanted = False
    if not wanted:
        yield
        return
    # It takes a third of a second to load.
    from server.ops.otlp import OtlpSender

    sender = OtlpSender(settings.trace_endpoint, settings.roles, settings.node)
    with recording(SpanRecorder(settings.trace_share)) as recorder:
        metrics.watch_spans(recorder.counts)
        export = SpanExport(recorder, sender.send)
        try:
            yield
        finally:
            export.close(LAST_SHARE * settings.drain_seconds)
            sender.close()
