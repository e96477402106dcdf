"""Imports the program once, and forks into each program that is ordered (`fork_server.py`).

This file is run as a script and imports nothing of the tests. Its words are the number of the
socket by which orders come, the path of the command, and the subcommands to be imported.
"""

import gc
import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from selectors import EVENT_READ, DefaultSelector
from typing import NamedTuple

ORDER_BYTES = 1_000_000
FIRST_OF_OTHERS = 3
"""The lowest file descriptor that is neither input nor output."""
MOST_OPEN = 4096
IMPORTED_LATER = (
    *("client_cli.run_table", "client_cli.lobby", "client_cli.private_matches"),
    *("client_cli.game_menu", "client_cli.resuming", "encodings.idna", "uvloop"),
)
"""Modules that most programs import when they need them."""


class Order(NamedTuple):
    """A program to become: its input, output, error output, and what the order says."""

    ends: tuple[int, int, int]
    words: list[str]
    environment: dict[str, str]
    folder: str
    terminal: bool


def next_order(orders: socket.socket) -> Order:
    """Fork for each order. Return the order in the new process; exit when nobody orders any more.

    An order brings a pipe in which the id of the new process is written, and its exit code later.
    """
    with DefaultSelector() as selector:
        selector.register(orders, EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.data is not None:
                    selector.unregister(key.fileobj)
                    _report_end(key.fd, *key.data)
                    continue
                packed, fds, *_ = socket.recv_fds(orders, ORDER_BYTES, 4)
                if not packed:
                    os._exit(0)
                *ends, report = fds
                pid = os.fork()
                if pid == 0:
                    first, second, third = ends
                    return Order((first, second, third), *json.loads(packed))
                for end in ends:
                    os.close(end)
                os.write(report, b"%d\n" % pid)
                selector.register(os.pidfd_open(pid), EVENT_READ, (pid, report))


def _report_end(pidfd: int, pid: int, report: int) -> None:
    _, status = os.waitpid(pid, 0)
    os.close(pidfd)
    with suppress(BrokenPipeError):  # The test may have ended.
        os.write(report, b"%d\n" % os.waitstatus_to_exitcode(status))
    os.close(report)


def become(order: Order, command: str) -> None:
    """Make this process what it would be if `command` had been started."""
    if order.terminal:
        os.login_tty(order.ends[0])
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    else:
        for number, end in enumerate(order.ends):
            os.dup2(end, number)
    os.closerange(FIRST_OF_OTHERS, MOST_OPEN)
    os.environ.clear()
    os.environ.update(order.environment)
    os.chdir(order.folder)
    sys.argv = [command, *order.words]
    # By this, processes that this one starts know its main module.
    sys.modules["__main__"].__file__ = command


def run(words: Sequence[str]) -> None:
    """Import what the subcommands need, and fork; in each new process, run its command."""
    number, command, *subcommands = words
    orders = socket.socket(fileno=int(number))
    from blackqueen.main import COMMANDS, main

    gc.disable()
    for module in (*(COMMANDS[subcommand][0] for subcommand in subcommands), *IMPORTED_LATER):
        with suppress(ModuleNotFoundError):  # A release may not have it.
            import_module(module)
    gc.freeze()
    gc.enable()
    sys.path[0] = os.path.dirname(command)
    order = next_order(orders)
    orders.detach()
    become(order, command)
    sys.exit(main())


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run(sys.argv[1:])
