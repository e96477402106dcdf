"""One process in which bots choose: it does one job at a time, and its end is noticed at once.

Parent and child share a socket pair. The child reads a job, does it and writes its result; the
parent never waits for it. If the child ends, however, the parent reads the end of the stream.
"""

import asyncio
import pickle
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from struct import Struct
from time import process_time
from typing import Any

from server.ops.tracing import caused_by

PIECE_BYTES = 65_536

_LENGTH = Struct("!I")


@dataclass(frozen=True, slots=True)
class Failed:
    """A job that raised; `reason` is the error's type, as its message may name hidden cards."""

    reason: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The intermediate result of a job; its final result is still to come."""

    found: object


LOST = Failed("ProcessLost")
"""What comes of a job whose process ended."""


class BotProcess:
    """A running process. `prepare` is the first function that it calls.

    `begin` is called from the event loop once it is `ready` for a job, `done` with the result of
    each job or `Failed` and the seconds it took the processor, and before that perhaps with its
    `Progress`; `lost` once when the process has ended by itself. `OSError` if it cannot be started.
    """

    def __init__(
        self,
        prepare: Callable[[], None],
        begin: Callable[[], None],
        done: Callable[[object, float], None],
        lost: Callable[[], None],
    ) -> None:
        self.ready = False
        self._begin = begin
        self._done = done
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._socket, theirs = socket.socketpair()
        self._socket.setblocking(False)
        self._unsent = b""
        self._received = bytearray()
        self._process = get_context("spawn").Process(
            target=_do_jobs, args=(theirs, prepare), name="bots", daemon=True
        )
        try:
            with _ctrl_c_held_back():
                self._process.start()
        except BaseException:
            self._socket.close()
            raise
        finally:
            # Only the child may hold its end, or its end would not be noticed.
            theirs.close()
        # The loop would remember for which command the process was started.
        with caused_by(None):
            self._loop.add_reader(self._socket, self._readable)

    @property
    def pid(self) -> int | None:
        """The number of the process; None if it has none."""
        return self._process.pid

    def do(self, work: Callable[..., object], *arguments: Any) -> None:
        """Send a job to the process, which must be ready and have no other."""
        packed = pickle.dumps((work, arguments))
        self._unsent = _LENGTH.pack(len(packed)) + packed
        self._writable()

    def kill(self) -> None:
        """End the process now; neither `done` nor `lost` is called any more."""
        if self._socket.fileno() >= 0:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._socket)
                self._loop.remove_writer(self._socket)
            self._socket.close()
        self._process.kill()

    def wait(self, seconds: float) -> None:
        """Block until the killed process has ended, at most for this time."""
        self._process.join(seconds)

    def _writable(self) -> None:
        try:
            sent = self._socket.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:
            # It has ended; reading tells so too, and what it had sent before is still to be read.
            sent = len(self._unsent)
        self._unsent = self._unsent[sent:]
        if self._unsent:
            with caused_by(None):
                self._loop.add_writer(self._socket, self._writable)
        else:
            self._loop.remove_writer(self._socket)

    def _readable(self) -> None:
        try:
            piece = self._socket.recv(PIECE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self.kill()
            self._lost()
            return
        self._received += piece
        while (whole := _taken_from(self._received)) is not None:
            if self.ready:
                self._done(*_unpacked(whole))
            else:
                self.ready = True
                self._begin()


def _taken_from(received: bytearray) -> bytes | None:
    """Remove and return the first message of `received`; None if it is not complete yet."""
    if len(received) < _LENGTH.size:
        return None
    end = _LENGTH.size + _LENGTH.unpack_from(received)[0]
    if len(received) < end:
        return None
    whole = bytes(received[_LENGTH.size : end])
    del received[:end]
    return whole


def _unpacked(message: bytes) -> tuple[object, float]:
    try:
        result, seconds = pickle.loads(message)
        return result, float(seconds)
    except Exception as error:
        return Failed(type(error).__name__), 0.0


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Block Ctrl-C for a new process until it has reported that it ignores the signal."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _do_jobs(pipe: socket.socket, prepare: Callable[[], None]) -> None:
    """Run the process's loop until the parent's end of the socket is closed."""
    prepare()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    with pipe.makefile("rb") as jobs, suppress(OSError):
        # The first message says only that it is ready.
        pipe.sendall(_LENGTH.pack(0))
        _pipes.append(pipe)
        while head := jobs.read(_LENGTH.size):
            began, result = process_time(), _done(jobs.read(_LENGTH.unpack(head)[0]))
            _send(pipe, result, process_time() - began)


_pipes: list[socket.socket] = []
"""In a process that does jobs, where it writes what came of them."""


def report(found: object) -> None:
    """Send the parent an intermediate result of the present job, from a process that does jobs."""
    for pipe in _pipes:
        _send(pipe, Progress(found), 0.0)


def _send(pipe: socket.socket, result: object, seconds: float) -> None:
    packed = _packed(result, seconds)
    pipe.sendall(_LENGTH.pack(len(packed)) + packed)


def _packed(result: object, seconds: float) -> bytes:
    try:
        return pickle.dumps((result, seconds))
    except Exception as error:
        return pickle.dumps((Failed(type(error).__name__), seconds))


def _done(packed: bytes) -> object:
    try:
        work, arguments = pickle.loads(packed)
        return work(*arguments)
    except Exception as error:
        return Failed(type(error).__name__)
