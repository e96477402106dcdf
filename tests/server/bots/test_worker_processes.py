"""Bot workers in processes of their own, on a real broker."""

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bots import Decision
from server.bots.bus_service import BotsOverBus
from tests.mosquitto import Mosquitto
from tests.server.bots.test_described_bots import request
from tests.server.bus.worlds import MqttWorld

QUESTIONS = 12


@contextmanager
def worker(broker: Mosquitto, root: str, name: str, data: Path) -> Iterator[subprocess.Popen[str]]:
    """A worker."""
    command = [sys.executable, "-m", "blackqueen", "serve", "--roles", "bots", "--node", name]
    bus = ["--bus", f"{broker.url}/{root}", "--port", "0", "--data", str(data)]
    bots = ["--plain-bots", "--bot-workers", "1"]
    with subprocess.Popen([*command, *bus, *bots], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.timeout(120)
async def test_a_worker_that_is_killed_costs_no_move(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Two workers think, one is killed in the midst of it: each question is answered once.

    The other ends at SIGTERM, says so before, and exits with code 0.
    """
    moves: Counter[bytes] = Counter()
    with ExitStack() as processes:
        async with asyncio.TaskGroup() as tasks:
            world = MqttWorld(mosquitto, tasks)
            asked = request(2)
            bots = BotsOverBus(world.join("tables"), asyncio.get_running_loop().time)
            killed, stopped = (
                processes.enter_context(worker(mosquitto, world.root, name, tmp_path))
                for name in ("killed", "stopped")
            )
            await world.until(lambda: len(bots.workers.fresh) == 2)

            def ask(number: int) -> None:
                seed = bytes([number])

                def answered(decision: Decision, strength: int) -> None:
                    assert asked.position.choices.allows(decision.action)
                    moves[seed] += 1
                    if len(moves) == 1:
                        killed.kill()

                bots.ask(replace(asked, seed=seed), answered)

            for number in range(QUESTIONS):
                ask(number)
            await world.until(lambda: len(moves) == QUESTIONS)
            await world.until(lambda: len(bots.workers.fresh) == 1)
            stopped.send_signal(signal.SIGTERM)
            await world.until(lambda: not bots.workers.fresh)
            world.end()
        assert stopped.wait(30) == 0
    assert {*moves.values()} == {1}
