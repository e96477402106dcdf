"""A real Mosquitto: started on a port of its own, killed, stopped, restarted, and ended by its id.

The fixture `mosquitto` (in `tests/conftest.py`) gives a test one that runs. It is shared by the
tests of a process, so a test uses topics of its own (`Mosquitto.topic`).
"""

import os
import shutil
import signal
import socket
import subprocess
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic, sleep

from tests.e2e.processes import free_port
from tests.needs import not_run

PATIENCE = 30.0
FOLDERS = "/usr/sbin:/usr/local/sbin"
"""Where the program lies on Debian, out of an ordinary user's path."""


def program() -> str:
    """The path of Mosquitto; a test that needs it does not run if it is missing."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path=FOLDERS)
    return found or not_run("mosquitto is not installed")


class Mosquitto:
    """A broker with its files in `folder`; `settings` are more lines of its configuration."""

    def __init__(self, folder: Path, *settings: str, scheme: str = "mqtt") -> None:
        self.port = free_port(Random(f"{folder} {os.getpid()}"))
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self.folder = folder
        self._topics = count()
        self._config = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        closed = any("password_file" in line for line in settings)
        lines = [
            f"listener {self.port} 127.0.0.1",
            f"allow_anonymous {'false' if closed else 'true'}",
            "persistence false",
            "set_tcp_nodelay true",
            f"log_dest file {self._log}",
            "log_type error",
            "log_type warning",
            # As root it would become another user, who may not write here.
            *(["user root"] if os.geteuid() == 0 else []),
            *settings,
        ]
        self._config.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the running process."""
        assert self._process is not None
        return self._process.pid

    def topic(self) -> str:
        """A topic prefix that no other test uses."""
        return f"test/{next(self._topics)}"

    def start(self) -> None:
        """Start the broker and wait until it accepts connections; nothing if it runs already."""
        if self._process is not None and self._process.poll() is None:
            return
        self._process = subprocess.Popen(
            [program(), "-c", str(self._config)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = monotonic() + PATIENCE
        while not self._accepts():
            assert self._process.poll() is None, self.log()
            assert monotonic() < end, self.log()
            sleep(0.01)

    def kill(self) -> None:
        """Kill the broker as a power cut would, with all its messages and subscriptions."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Suspend the broker without closing its connections (SIGSTOP)."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume the broker after `stop`; nothing if it has ended."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)

    def restart(self) -> None:
        """Kill the broker and start it on its port again."""
        self.kill()
        self.start()

    def end(self) -> None:
        """End the broker for good; nothing if it has ended."""
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def log(self) -> str:
        """The log of the broker."""
        return self._log.read_text("utf-8") if self._log.exists() else ""

    def _accepts(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE).close()
        except ConnectionRefusedError:
            return False
        return True
