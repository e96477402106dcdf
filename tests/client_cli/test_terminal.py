"""The terminal below the prompt."""

import os
import pty
import select
import termios
import tty
from collections.abc import Iterator
from io import StringIO

import pytest

from client_cli.terminal import (
    KeyPress,
    end_key_kept,
    look_of_stdout,
    plain_line,
    plain_lines,
    typed_at_terminal,
)
from tests.client_cli.screen import CTRL_D, SECONDS


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """The two ends of a terminal: the keyboard's and the program's."""
    keyboard, terminal = pty.openpty()
    yield keyboard, terminal
    os.close(keyboard)
    os.close(terminal)


class Stdout(StringIO):
    """A terminal for text of some encoding, as `sys.stdout` is one."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


@pytest.mark.parametrize(
    ("encoding", "locale", "symbols"),
    [
        ("utf-8", None, True),
        ("utf-8", "C.UTF-8", True),
        ("utf-8", "C", False),
        ("utf-8", "POSIX", False),
        ("iso8859-1", None, False),
    ],
)
def test_symbols_need_a_terminal_that_has_them(
    monkeypatch: pytest.MonkeyPatch, encoding: str, locale: str | None, symbols: bool
) -> None:
    """Without UTF-8, and in the C locale, only letters are used."""
    monkeypatch.setattr("sys.stdout", Stdout(encoding))
    monkeypatch.delenv("LC_ALL", raising=False)
    if locale is not None:
        monkeypatch.setenv("LC_ALL", locale)
    assert look_of_stdout(ascii_only=False)().symbols is symbols
    assert not look_of_stdout(ascii_only=True)().symbols


def test_ctrl_d_between_two_prompts_is_not_lost(ends: tuple[int, int]) -> None:
    """A Ctrl-D typed while a table is drawn above the prompt is not lost."""
    keyboard, terminal = ends
    with end_key_kept(terminal):
        os.write(keyboard, b"a" + CTRL_D.encode())
        echoed = b""
        while not echoed.endswith(b"^D"):
            readable, _, _ = select.select([keyboard], [], [], SECONDS)
            assert readable, "the terminal took the key for itself"
            echoed += os.read(keyboard, 10)
        tty.setraw(terminal, termios.TCSANOW)
        assert os.read(terminal, 10) == b"a\x04"


def test_a_terminal_is_left_as_it_was(ends: tuple[int, int]) -> None:
    """The terminal's settings are restored at the end."""
    _, terminal = ends
    before = termios.tcgetattr(terminal)
    with end_key_kept(terminal):
        assert termios.tcgetattr(terminal) != before
    assert termios.tcgetattr(terminal) == before


async def test_lines_without_a_prompt(
    ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a prompt the question has its own line, and input goes on after Ctrl-D."""
    keyboard, terminal = ends
    with os.fdopen(os.dup(terminal), encoding="utf-8") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert typed_at_terminal()
        os.write(keyboard, "K7Q2X é\n\x04 quit \n".encode())
        assert await plain_line("Which table? ") == "K7Q2X é"
        lines = plain_lines()
        assert [await anext(lines), await anext(lines)] == [KeyPress.CTRL_D, "quit"]
        await lines.aclose()
    assert capsys.readouterr().out == "Which table?\n"


async def test_lines_end_with_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines end when the terminal is closed."""
    keyboard, terminal = pty.openpty()
    with os.fdopen(terminal, encoding="utf-8") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        os.close(keyboard)
        assert [text async for text in plain_lines()] == []
