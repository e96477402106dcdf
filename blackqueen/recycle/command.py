"""`blackqueen recycle check|format|show FILE…`: check, lay out or show descriptions of games.

Exit codes: 0 all is well, 1 something is wrong with a description, 2 a file could not be read or
written. Everything that can be done is done first.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from blackqueen.recycle.checking import FileCounts, check
from blackqueen.recycle.files import Unreadable, descriptions, read, write
from blackqueen.recycle.preview import preview
from blackqueen.recycle.showing import lines
from bots.command_line import telling
from engine.recycle import BadDescription, load
from engine.recycle.authoring.diagram import diagram
from engine.recycle.authoring.layout import lay_out
from engine.recycle.authoring.outline import outline
from engine.recycle.reading.parser import parse
from protocol.safe_text import complain, safe_text, say

_WRONG, _UNREADABLE = 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen recycle`` to `parser`."""
    parser.add_argument(
        "what",
        choices=_COMMANDS,
        help="check: tell what is wrong; format: lay the text out; show: what the game consists of",
    )
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="FILE", help="a description, or a folder of them"
    )
    parser.add_argument("--strict", action="store_true", help="check: count warnings as errors")
    parser.add_argument("--write", action="store_true", help="format: replace the file")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="show: draw the stages into OUT")


def run(arguments: argparse.Namespace) -> int:
    """Check, lay out or show the descriptions and return the exit code."""
    # A terminal without Unicode gets question marks rather than a traceback.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    return _COMMANDS[arguments.what](arguments)


def _check(arguments: argparse.Namespace) -> int:
    tally = FileCounts(strict=arguments.strict)
    code = 0
    with telling(lambda: f"so far {tally}", sys.stderr):
        for path, text in _texts(arguments.paths):
            if text is None:
                code = _UNREADABLE
            else:
                problems = check(text)
                say(*(f"{path}:{problem}" for problem in problems), flush=True)
                tally.add(problems)
    if tally.files:
        say(str(tally))
    return code or (_WRONG if tally.wrong else 0)


def _format(arguments: argparse.Namespace) -> int:
    code = 0
    several = len(arguments.paths) > 1 or arguments.paths[0].is_dir()
    for path, text in _texts(arguments.paths):
        if text is None:
            code = _UNREADABLE
            continue
        found = lay_out(text)
        if found.text is None:
            for problem in found.problems:
                say(f"{path}:{problem}", file=sys.stderr)
            code = code or _WRONG
        elif not arguments.write:
            _put(_headed(path, found.text) if several else found.text)
        elif found.text != text:
            code = _UNREADABLE if not _written(path, found.text, "laid out") else code
    return code


def _headed(path: Path, text: str) -> str:
    """The text after its file's name as a comment, so that the output is still a description."""
    return f";; {safe_text(str(path))}\n{text}\n"


def _put(text: str) -> None:
    """Print a formatted text: unchanged into a file or a pipe, cleaned on a terminal."""
    if sys.stdout.isatty():
        say(*text.removesuffix("\n").split("\n"))
    else:
        sys.stdout.write(text)  # noqa: TID251 - no terminal reads it


def _show(arguments: argparse.Namespace) -> int:
    if arguments.svg and (len(arguments.paths) > 1 or arguments.paths[0].is_dir()):
        say("blackqueen recycle: --svg draws one description", file=sys.stderr)
        return _UNREADABLE
    code = 0
    for path, text in _texts(arguments.paths):
        if text is None:
            code = _UNREADABLE
            continue
        parsed = parse(text)
        errors = [problem for problem in check(text) if not problem.warning]
        if parsed.game is None or errors:
            for problem in errors:
                say(f"{path}:{problem}", file=sys.stderr)
            code = code or _WRONG
            continue
        found = outline(parsed.game, text)
        say(*lines(found, path.stem))
        say(*_words(text, path.stem))
        if arguments.svg and not _written(arguments.svg, diagram(found, path.stem), "drawn"):
            code = _UNREADABLE
    return code


def _words(text: str, name: str) -> Iterator[str]:
    """The words of a deal under a title; nothing for a game that can only be read."""
    try:
        game = load(text, name)
    except BadDescription:
        return
    yield "words of a deal"
    yield from preview(game)


def _written(path: Path, text: str, done: str) -> bool:
    try:
        write(path, text)
    except Unreadable as error:
        _complain(path, error)
        return False
    say(f"{path}: {done}")
    return True


def _texts(paths: list[Path]) -> Iterator[tuple[Path, str | None]]:
    """Each description with its text, or None if it could not be read, which is reported."""
    for path in paths:
        try:
            found = descriptions(path)
        except Unreadable as error:
            _complain(path, error)
            yield path, None
            continue
        for each in found:
            try:
                yield each, read(each)
            except Unreadable as error:
                _complain(each, error)
                yield each, None


def _complain(path: Path, error: Unreadable) -> None:
    complain("blackqueen recycle", f"{path}: {error}")


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "check": _check,
    "format": _format,
    "show": _show,
}
