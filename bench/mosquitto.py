"""A Mosquitto of a measurement's own."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from bench.processes import BenchError, Listener

START_SECONDS = 20.0


def mosquitto() -> str | None:
    """Mosquitto's path; None if it, or our client, is not installed."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    return None if find_spec("aiomqtt") is None else found


@contextmanager
def running_broker(program: str, *settings: str) -> Iterator[Listener]:
    """A Mosquitto of our own, which keeps nothing on disk; `settings` are more lines for it."""
    with TemporaryDirectory(prefix="blackqueen-bench-") as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        config = Path(folder, "mosquitto.conf")
        user = "user root\n" if os.geteuid() == 0 else ""
        config.write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n{user}"
            + "".join(f"{line}\n" for line in settings)
        )
        process = subprocess.Popen(
            [program, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            end = monotonic() + START_SECONDS
            while not _accepts(port):
                if process.poll() is not None or monotonic() > end:
                    raise BenchError("the broker did not start")
                sleep(0.01)
            yield Listener(process.pid, f"mqtt://127.0.0.1:{port}")
        finally:
            process.kill()
            process.wait()


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS).close()
    except OSError:
        return False
    return True
