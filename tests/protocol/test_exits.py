"""How client programs exit: with a documented code and one line."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from protocol.errors import ConnectionLost, ProtocolError
from protocol.exits import EngineFailed, Exit, UsageError, run_client, verdict


async def ends(code: Exit = Exit.DONE, error: BaseException | None = None) -> Exit:
    if error is not None:
        raise error
    return code


def test_a_good_end_is_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    """A normal exit has its code and prints nothing."""
    assert run_client(ends(Exit.REFUSED)) == 4
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (ConnectionLost("cannot reach ws://x"), 3, "cannot reach ws://x"),
        (ProtocolError("table_full", "every seat is taken"), 4, "every seat is taken"),
        (UsageError("--bots names too many"), 2, "--bots names too many"),
        (EngineFailed("it ended with code 3"), Exit.ENGINE_FAILED, "it ended with code 3"),
        (KeyError("seat"), 1, "KeyError: 'seat'"),
        (ExceptionGroup("tasks", [ConnectionLost("gone")]), 3, "gone"),
    ],
)
def test_an_error_is_one_line_and_a_code(
    error: Exception, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error prints one line and exits with its code, without a traceback."""
    assert run_client(ends(error=error)) == code
    assert capsys.readouterr() == ("", f"blackqueen: {words}\n")


def test_an_error_of_ours_shows_itself_to_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With BLACKQUEEN_DEBUG an internal error prints its traceback."""
    monkeypatch.setenv("BLACKQUEEN_DEBUG", "1")
    with pytest.raises(KeyError):
        run_client(ends(error=KeyError("seat")))


def test_output_that_nobody_reads_is_no_bug() -> None:
    """A closed output pipe is reported as such, not as a bug."""
    assert verdict(BrokenPipeError())[1] == "the output is closed"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)]
)
def test_a_signal_lets_a_client_clean_up(number: signal.Signals, code: int) -> None:
    """A signal cancels the client, which cleans up and exits with the signal's usual code."""
    cleaned: list[bool] = []

    async def waits() -> Exit:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append(True)
        return Exit.DONE

    assert run_client(waits()) == code
    assert cleaned == [True]


def test_a_closed_terminal_ends_a_client_that_cannot_clean_up() -> None:
    """A closed terminal ends a client that cannot clean up."""
    program = """
import asyncio, os, signal
from contextlib import suppress
from protocol import exits

async def stays():
    os.kill(os.getpid(), signal.SIGHUP)
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)

exits.HANG_UP_SECONDS = 0.1
exits.run_client(stays())
"""
    ended = subprocess.run([sys.executable, "-c", program], timeout=60, check=False)
    assert ended.returncode == Exit.TERMINATED


async def fails(with_error: bool) -> Exit:
    """Raise an internal error in a callback, or an error that is no exception."""
    loop, nothing = asyncio.get_running_loop(), dict[str, int]()
    if with_error:
        loop.call_soon(nothing.__getitem__, "seat")
    else:
        loop.call_exception_handler({"message": "a task was lost"})
    await asyncio.sleep(0)
    return Exit.DONE


@pytest.mark.parametrize(
    ("with_error", "words"), [(True, "KeyError: 'seat'"), (False, "a task was lost")]
)
def test_a_fault_that_nobody_waits_for_is_one_line(
    with_error: bool, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error in a background callback prints one line, and the client goes on."""
    assert run_client(fails(with_error)) == Exit.DONE
    assert capsys.readouterr() == ("", f"blackqueen: {words}\n")


def test_such_a_fault_shows_itself_to_who_asks(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With BLACKQUEEN_DEBUG the error of a background callback is logged with its traceback."""
    monkeypatch.setenv("BLACKQUEEN_DEBUG", "1")
    assert run_client(fails(True)) == Exit.DONE
    assert caplog.records[0].exc_info


def test_a_fault_without_a_terminal_to_tell_it_at_is_no_second_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A background error without a terminal is dropped, since reporting would fail again."""

    def closed(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("protocol.exits.complain", closed)
    assert run_client(fails(True)) == Exit.DONE
