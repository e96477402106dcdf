"""The QR code in the terminal of a server."""

import io
import sys

import pytest

from server.ops import public_url
from server.ops.host_lines import terminal_lines
from server.ops.qr_lines import qr_lines
from server.ops.settings import Settings

PAGE = "http://192.0.2.9:8765/"


def terminal(encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


def test_a_code_is_drawn_in_half_blocks() -> None:
    """A QR code is drawn in half blocks with a light border, two rows a line."""
    lines = qr_lines(PAGE, 80, terminal("utf-8"))
    # 21 or 25 modules, and two of light on each side.
    (width,) = {len(line) for line in lines}
    assert width in (25, 29)
    assert len(lines) == (width + 1) // 2
    assert lines[0] == width * "█"
    # The corner has a ring of dark around a ring of light around dark.
    assert lines[1].startswith("██ ▄▄▄▄▄ █")


@pytest.mark.parametrize(("columns", "encoding"), [(20, "utf-8"), (80, "ascii")])
def test_a_terminal_that_cannot_show_it_gets_none(columns: int, encoding: str) -> None:
    """A terminal that is too narrow or has no blocks gets no code."""
    assert qr_lines(PAGE, columns, terminal(encoding)) == ()


def test_without_the_library_there_is_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the QR library there is no code, but the address."""
    monkeypatch.setitem(sys.modules, "segno", None)
    assert qr_lines(PAGE, 80, terminal("utf-8")) == ()


def test_a_host_sees_a_code_only_of_an_address_that_phones_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A code is shown only for an address that phones can reach."""
    monkeypatch.setattr(public_url, "_network_address", lambda: "192.0.2.9")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdout", terminal("utf-8"))

    def code(settings: Settings, host: str) -> list[str]:
        return [line for line in terminal_lines(settings, host, 8765) if line[0] in "█▀"]

    assert code(Settings(), "127.0.0.1") == []
    assert code(Settings(), "0.0.0.0") == list(qr_lines(PAGE, 80, sys.stdout))
    public = Settings(public_url="https://cards.example.org/play")
    assert code(public, "127.0.0.1") == list(
        qr_lines("https://cards.example.org/play/", 80, sys.stdout)
    )
