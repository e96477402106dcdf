"""Tests signals at awkward moments: while a program starts, and to the parent of workers."""

import asyncio
import os
import signal
import subprocess
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from tests.e2e.fork_server import COMMAND
from tests.e2e.processes import Programs
from tests.needs import needs, not_run

pytestmark = pytest.mark.e2e

INTERRUPTED = 130
START_SECONDS = 0.6
TELL_IMPORTS = {"PYTHONPROFILEIMPORTTIME": "1"}
"""Makes Python say what it has imported: before `main` it does with a signal as it likes."""

CONTAINED = """
import os, sys

os.environ["PYTHONPROFILEIMPORTTIME"] = "1"
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Runs the words that follow; Python says what it has imported."""

WORKERS = """
import asyncio, os
from server.bots.workers import Processes
from server.bots.job_queue import Job
from server.bots.thinking import serve

async def main():
    processes = Processes(1, serve)
    print(await processes.run(Job(os.getpid, ())), flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.parametrize(
    "words", [("serve", "--port", "0"), ("play", "--auto"), ("replay", "--all")]
)
async def test_ctrl_c_at_the_start_is_no_error(
    programs: Programs, rng: Random, words: tuple[str, ...]
) -> None:
    """Ctrl-C while a program starts shows no traceback."""
    codes = set()
    for _ in range(count(3)):
        program = await programs.run(*words, "--data", "data", environment=TELL_IMPORTS)
        await program.complaint("blackqueen.main")
        await asyncio.sleep(rng.uniform(0.0, START_SECONDS))
        if program.code is None:
            program.signal(signal.SIGINT)
        codes.add(await program.ended())
    # A server that is up drains; there is nothing to replay; Python at its end lets a signal kill.
    assert codes <= {INTERRUPTED, 0 if words[0] == "serve" else 2, -signal.SIGINT}


def first_of_its_own() -> tuple[str, ...]:
    """Return the command that runs a program as a container's first process; skip if forbidden."""
    needs("unshare")
    words = ("unshare", "--pid", "--fork", *(() if os.geteuid() == 0 else ("--map-root-user",)))
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        not_run("this machine lets no process have process ids of its own")
    return words


def child(pid: int) -> int:
    """Return the only child of a process."""
    (only,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(only)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_container_that_starts_can_be_stopped(
    programs: Programs, rng: Random, number: signal.Signals
) -> None:
    """SIGTERM ends a container's first process, for which the kernel ignores unhandled signals."""
    words = (*first_of_its_own(), str(COMMAND), "serve", "--port", "0", "--data", "data")
    codes = set()
    for _ in range(count(3)):
        program = await programs.python(CONTAINED, words=words)
        await program.complaint("structlog")  # The subcommand is being imported.
        await asyncio.sleep(rng.uniform(0.0, START_SECONDS))
        os.kill(child(program.pid), number)
        codes.add(await program.ended())
    assert codes <= {128 + number, 0}


async def test_workers_of_bots_end_with_their_server(programs: Programs) -> None:
    """The bot processes of a killed server notice its end, and end by themselves."""
    server = await programs.python(WORKERS)
    await server.line(str.isdecimal)
    server.signal(signal.SIGKILL)
    await programs.all_gone()
