"""What the measures stand on: other processes, and a steady pace."""

import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import measure_echo
from bench.load import next_slot
from bench.processes import BenchError, Listener, listening

ECHO = [sys.executable, "-m", "bench.echo_server"]


def test_processor_time_grows_with_work() -> None:
    """A process's processor time is read in seconds, and work shows in it."""
    this = Listener(os.getpid(), "")
    before, own = this.cpu_seconds(), sum(os.times()[:2])
    assert before == pytest.approx(own, abs=0.05)
    while sum(os.times()[:2]) < own + 0.1:
        sum(range(10_000))
    assert this.cpu_seconds() - before == pytest.approx(0.1, abs=0.05)


def test_memory_is_read_in_kib() -> None:
    """A process that holds 20 MiB more shows 20,480 KiB more."""
    this = Listener(os.getpid(), "")
    before = this.resident_kib()
    held = os.urandom(20 << 20)
    assert 19_000 < this.resident_kib() - before < 22_000
    assert len(held) == 20 << 20


def test_a_listener_ends_with_the_measure() -> None:
    """The process runs inside the block only."""
    with listening(ECHO) as server:
        assert server.url.startswith("ws://127.0.0.1:")
        os.kill(server.pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(server.pid, 0)


def test_a_server_that_does_not_start_is_explained() -> None:
    """What it wrote to standard error is in the error."""
    broken = [sys.executable, "-c", "raise SystemExit('no such port')"]
    with pytest.raises(BenchError, match="no such port"), listening(broken):
        pass


def test_the_echo_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short run counts real answers of a real process."""
    monkeypatch.setattr(measure_echo, "SECONDS", 0.3)
    monkeypatch.setattr(measure_echo, "WARM_UP_SECONDS", 0.1)
    measure_echo.messages_per_cpu_second.cache_clear()
    try:
        assert measure_echo.messages_per_cpu_second() > 1000
    finally:
        measure_echo.messages_per_cpu_second.cache_clear()


@given(
    now=st.floats(0, 1e6),
    interval=st.floats(0.1, 10),
    share=st.floats(0, 1, exclude_max=True),
)
def test_a_table_plays_at_its_own_times(now: float, interval: float, share: float) -> None:
    """The next time is not in the past, at most an interval away, and always the same share."""
    slot = next_slot(now, interval, share)
    assert -1e-6 < slot - now < interval + 1e-6
    turns = slot / interval - share
    assert turns == pytest.approx(round(turns), abs=1e-3)
