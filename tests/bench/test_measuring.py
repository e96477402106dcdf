"""The basis of the measures: other processes, and a steady pace."""

import os
import sys
from subprocess import PIPE, Popen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import measure_store
from bench.load import next_slot
from bench.processes import BenchError, Listener, listening

LISTENS = [
    *(sys.executable, "-c"),
    "import time; print('Listening on ws://127.0.0.1:9', flush=True); time.sleep(60)",
]


def test_processor_time_grows_with_work() -> None:
    """The processor time of a process is read in seconds and grows with work."""
    this = Listener(os.getpid(), "")
    before, own = this.cpu_seconds(), sum(os.times()[:2])
    assert before == pytest.approx(own, abs=0.05)
    while sum(os.times()[:2]) < own + 0.1:
        sum(range(10_000))
    assert this.cpu_seconds() - before == pytest.approx(0.1, abs=0.05)


def test_memory_is_read_in_kib() -> None:
    """The memory of a process is read in KiB: 20 MiB more are 20,480 KiB."""
    # A separate process, because this one may still hold 20 MiB that it was given before.
    code = "print(flush=True); input(); held = b'x' * (20 << 20); print(flush=True); input()"
    with Popen([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        listener = Listener(child.pid, "")
        child.stdout.readline()
        before = listener.resident_kib()
        print(file=child.stdin, flush=True)
        child.stdout.readline()
        grown = listener.resident_kib() - before
        print(file=child.stdin, flush=True)
    assert 20_480 <= grown < 21_500


def test_a_listener_ends_with_the_measure() -> None:
    """The listener process runs inside the block only."""
    with listening(LISTENS) as server:
        assert server.url.startswith("ws://127.0.0.1:")
        os.kill(server.pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(server.pid, 0)


def test_a_server_that_does_not_start_is_explained() -> None:
    """A server that does not start raises an error with its standard error."""
    broken = [sys.executable, "-c", "raise SystemExit('no such port')"]
    with pytest.raises(BenchError, match="no such port"), listening(broken):
        pass


def test_the_disk_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk measure has a time for every synced write, and several of them."""
    monkeypatch.setattr(measure_store, "DISK_SECONDS", 0.2)
    monkeypatch.setattr(measure_store, "PAGES", 3)
    took = measure_store.sync_milliseconds()
    assert len(took) > 1
    assert min(took) > 0


@given(
    now=st.floats(0, 1e6),
    interval=st.floats(0.1, 10),
    share=st.floats(0, 1, exclude_max=True),
)
def test_a_table_plays_at_its_own_times(now: float, interval: float, share: float) -> None:
    """A table's next move is at most an interval away, at a fixed share of the interval."""
    slot = next_slot(now, interval, share)
    assert -1e-6 < slot - now < interval + 1e-6
    turns = slot / interval - share
    assert turns == pytest.approx(round(turns), abs=1e-3)
