"""The command `blackqueen`: finds the subcommand and imports only what it needs."""

import argparse
import gc
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import FrameType, TracebackType
from typing import NoReturn

from protocol.safe_text import safe_text, say

COMMANDS = {
    "play": ("client_cli.play", "play alone against bots"),
    "join": ("client_cli.join", "join a table on a server, or open one"),
    "tables": ("client_cli.tables", "list the tables on a server"),
    "devices": ("client_cli.devices", "list, add and revoke the devices that play as you"),
    "review": ("client_cli.review", "see what the strong bot thinks of your decisions"),
    "watch": ("client_cli.watch", "watch a table as a spectator"),
    "bot": ("blackqueen.bot.command", "let a bot take a seat on a server"),
    "serve": ("server.serve", "host card games"),
    "admin": ("server.admin.command", "look after a server that runs on this machine"),
    "replay": ("server.replay", "play a stored table again from its log"),
    "recycle": ("blackqueen.recycle.command", "check, format and show descriptions of games"),
    "arena": ("bots.arena.command", "let bots play each other and compare them"),
    "simulate": ("bots.lab.command", "play a game many times and measure it"),
    "bench": ("bench.command", "measure speed and memory"),
}
"""Each subcommand's help, and its module with `add_arguments(parser)`, `run(arguments) -> int`."""


INTERRUPTED = 130
FIRST_PROCESS = 1
"""The id of the first process of a container."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    sys.excepthook = _uncaught
    if os.getpid() == FIRST_PROCESS:
        # Until the subcommand deals with it itself.
        signal.signal(signal.SIGTERM, _end_at_once)
    if not words and all(end is not None and end.isatty() for end in (sys.stdin, sys.stdout)):
        # A person who types the name of the program alone wants to play.
        words = ["play"]
    try:
        known = words and words[0] in COMMANDS
        code = _command(words[0], words[1:]) if known else _overview(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        # Before the subcommand is ready to deal with Ctrl-C itself.
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough, such as `head`; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


class Parser(argparse.ArgumentParser):
    """A parser whose error messages are a line, and quote words safely, which may be file names.

    The usage that argparse prints as well is a whole screen for a command with many flags.
    """

    def error(self, message: str) -> NoReturn:
        """End the program with exit code 2, and a line that says what was wrong."""
        said = f"{self.prog}: {safe_text(message)}{self._meant(message)}"
        self.exit(2, f"{said} (`{self.prog} --help` lists what it takes)\n")

    def _meant(self, message: str) -> str:
        """The flag that the first unknown one probably means, if one is similar."""
        from difflib import get_close_matches

        unknown = re.match(r"unrecognized arguments: .*?(--[^\s=]+)", message)
        flags = self._option_string_actions
        near = unknown and get_close_matches(unknown[1], flags, n=1, cutoff=0.7)
        return f"; did you mean {near[0]}?" if near else ""


def _uncaught(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    """Print the traceback of an internal error, cleaned because its text may be foreign."""
    from traceback import format_exception

    say(*"".join(format_exception(kind, error, at)).rstrip().split("\n"), file=sys.stderr)


def _command(name: str, words: Sequence[str]) -> int:
    module_name, help_text = COMMANDS[name]
    with _ended_by_ctrl_c(), _nothing_collected():
        module = import_module(module_name)
    parser = Parser(prog=f"blackqueen {name}", description=help_text)
    module.add_arguments(parser)
    # Flags may come between the other words: join URL --auto CODE.
    code: int = module.run(parser.parse_intermixed_args(words))
    return code


def _end_at_once(number: int, _: FrameType | None) -> None:
    """End the process as a signal does by default, which the kernel does not do for process 1.

    Without a handler such a process ignores the signal, so a container that is stopped while it
    starts would run on until it is killed.
    """
    os._exit(128 + number)


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C end the process at once, as it does programs that are not Python.

    A KeyboardInterrupt cannot end an import reliably: compiled modules that are being imported
    (pydantic's validators) turn it into errors of their own.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield  # ignored, as below `nohup`, or somebody else's to handle
        return
    first = os.getpid() == FIRST_PROCESS
    signal.signal(signal.SIGINT, _end_at_once if first else signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Exclude the loaded modules from garbage collection, since they stay until the end."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _overview(words: Sequence[str]) -> int:
    """The list of subcommands, printed if none was named."""
    parser = Parser(
        prog="blackqueen",
        description="Play card games against bots and friends, or host them.",
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (_, help_text) in COMMANDS.items():
        commands.add_parser(name, help=help_text)
    if parser.parse_args(words).version:
        from importlib.metadata import version

        say(f"blackqueen {version('blackqueen')}")
        return 0
    parser.print_help()
    return 2 if words else 0
