"""Takes the README's picture: plays in a real terminal (tmux) and draws its screen as SVG.

.venv/bin/python -m tools.picture docs/table.svg
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from time import monotonic, sleep

COLUMNS, ROWS = 100, 60
GAME = "blackqueen play --name Ann --bots 2,1,1 --seed 5"
PATIENCE = 20.0

CHARACTER, LINE, MARGIN = 8.4, 19, 16
DARK = {31: "#d33", 32: "#5c5", 33: "#ca0", 34: "#59f", 35: "#c6c", 36: "#2bb"}
BRIGHT = {91: "#f66", 92: "#7d7", 93: "#fd6", 94: "#7af", 95: "#f8f", 96: "#5dd"}
COLOURS = DARK | BRIGHT
PAPER, INK = "#1b1f24", "#e6e6e6"


@dataclass(frozen=True, slots=True)
class Style:
    """How a stretch of text looks."""

    colour: str = INK
    bold: bool = False
    dim: bool = False

    def after(self, code: int) -> "Style":
        """This style after an SGR code; codes that are not listed here change nothing."""
        match code:
            case 0:
                return Style()
            case 1:
                return replace(self, bold=True)
            case 2:
                return replace(self, dim=True)
            case 22:
                return replace(self, bold=False, dim=False)
            case 39:
                return replace(self, colour=INK)
            case _:
                return replace(self, colour=COLOURS.get(code, self.colour))

    def attributes(self) -> str:
        """The attributes of an SVG text in this style."""
        bold = ' font-weight="bold"' if self.bold else ""
        dim = ' opacity="0.6"' if self.dim else ""
        return f'fill="{self.colour}"{bold}{dim}'


def runs(screen: str) -> Iterator[tuple[int, int, str, Style]]:
    """Row, column, text and style of each stretch of a screen with SGR codes in it.

    No stretch begins or ends with a space or contains two together: an SVG would lose them.
    """
    style = Style()
    for row, line in enumerate(screen.splitlines()):
        column = 0
        for text, codes in re.findall(r"([^\x1b]+)|\x1b\[([\d;]*)m", line):
            for code in codes.split(";") if not text else ():
                style = style.after(int(code or 0))
            for words in re.finditer(r"\S+(?: \S+)*", text):
                yield row, column + words.start(), words.group(), style
            column += len(text)


def svg(screen: str) -> str:
    """The screen as a picture; every stretch has its own position, whatever the font."""
    height = LINE * len(screen.splitlines()) + 2 * MARGIN
    width = round(COLUMNS * CHARACTER + 2 * MARGIN)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        '<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" '
        'font-size="14">',
    ]
    for row, column, text, style in runs(screen):
        x = MARGIN + column * CHARACTER
        y = MARGIN + row * LINE + 14
        lines.append(
            f'<text x="{x:.1f}" y="{y}" textLength="{len(text) * CHARACTER:.1f}" '
            f'lengthAdjust="spacingAndGlyphs" {style.attributes()}>{escape(text)}</text>'
        )
    return "\n".join([*lines, "</g>", "</svg>", ""])


def played() -> str:
    """The screen of a game when it is Ann's turn and she has asked for a hint."""
    tmux = ("tmux", "-L", "blackqueen-picture", "-f", "/dev/null")
    program = Path(sys.executable).parent / shlex.split(GAME)[0]
    command = f"env -u NO_COLOR TERM=xterm-256color {program} {GAME.partition(' ')[2]}"
    size = ("-x", str(COLUMNS), "-y", str(ROWS))
    subprocess.run([*tmux, "new-session", "-d", *size, command], check=True)
    try:
        _wait(tmux, r"your move>")
        subprocess.run([*tmux, "send-keys", "hint", "Enter"], check=True)
        _wait(tmux, r"Hint: [\s\S]*your move>")
        return _screen(tmux, "-e")
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)


def _screen(tmux: tuple[str, ...], *flags: str) -> str:
    capture = [*tmux, "capture-pane", "-p", *flags]
    return subprocess.run(capture, check=True, capture_output=True, text=True).stdout


def _wait(tmux: tuple[str, ...], pattern: str) -> None:
    end = monotonic() + PATIENCE
    while not re.search(pattern, _screen(tmux)):
        if monotonic() > end:
            raise SystemExit(f"no {pattern!r} on the screen:\n{_screen(tmux)}")
        sleep(0.1)


def last_table(screen: str) -> str:
    """The screen from the last drawing of the table on."""
    return screen[screen.rindex("\n", 0, screen.rindex("Black Queen")) + 1 :].rstrip() + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(svg(last_table(played())), encoding="utf-8")
