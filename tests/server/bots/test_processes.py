"""Real processes of bots: what is passed to them, and what happens when one ends."""

import os
import signal
import time

import pytest

from server.bots.job_queue import Job
from server.bots.process import LOST, Failed
from server.bots.thinking import serve
from server.bots.workers import Processes
from tests.server.bots.fake_process import done_by, pid_of


async def test_an_error_in_a_process_comes_without_its_words(one: Processes) -> None:
    """An error in a process is passed on without its message, which may name hidden cards."""
    assert await done_by(one, int, "QS") == Failed("ValueError")


async def test_what_cannot_be_sent_has_failed(one: Processes) -> None:
    """A job or result that cannot be pickled fails, and the process goes on."""
    assert isinstance(await done_by(one, lambda: 1), Failed)
    assert isinstance(await done_by(one, open, os.devnull), Failed)
    assert await done_by(one, str, 1) == "1"


async def test_large_jobs_and_answers_cross_over(one: Processes) -> None:
    """Jobs and answers larger than a socket's buffer are sent in pieces without blocking."""
    text = "card " * 1_000_000
    assert await done_by(one, str.upper, text) == text.upper()


async def test_the_end_of_a_resting_process_is_noticed(one: Processes) -> None:
    """The end of an idle process is noticed, so the next job gets a new one."""
    first = await pid_of(one)
    os.kill(first, signal.SIGKILL)
    second = await pid_of(one)
    assert second != first
    assert one.pids == (second,)


async def test_a_process_that_is_killed_at_work_fails_that_job_alone(one: Processes) -> None:
    """A process killed at work fails only that job, and the waiting one is answered."""
    killed = Job(signal.raise_signal, (signal.SIGKILL,))
    one.submit(killed)
    assert isinstance(await one.run(Job(os.getpid, (), "another table")), int)
    assert killed.result.result() == LOST


async def test_a_closed_process_is_gone() -> None:
    """A closed process is ended, whatever it was doing."""
    processes = Processes(1, serve)
    pid = await pid_of(processes)
    processes.submit(Job(time.sleep, (3600,)))
    processes.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
