"""The command `blackqueen`: finds the subcommand and imports only what it needs."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

COMMANDS = {
    "play": ("client_cli.play", "play at a private table against bots"),
    "join": ("client_cli.join", "join a table of a server"),
    "tables": ("client_cli.tables", "list the tables of a server"),
    "watch": ("client_cli.watch", "watch a table as a spectator"),
    "bot": ("bots.remote", "let a bot join a server as a client"),
    "serve": ("server.serve", "host card games"),
    "replay": ("server.replay", "play a stored table again from its log"),
    "arena": ("bots.arena_command", "let bots play each other and compare them"),
    "bench": ("bench.command", "measure speed and memory"),
}
"""By name, its help and the module that has `add_arguments(parser)` and `run(arguments) -> int`."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(
        prog="blackqueen", description="Host card games online, join them, fill tables with bots."
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = words[0] if words and words[0] in COMMANDS else None
    run: Callable[[argparse.Namespace], int] | None = None
    for name, (module_name, help_text) in COMMANDS.items():
        subparser = commands.add_parser(name, help=help_text, description=help_text)
        if name == wanted:
            module = import_module(module_name)
            module.add_arguments(subparser)
            run = module.run
    arguments = parser.parse_args(words)
    if arguments.version:
        from importlib.metadata import version

        print(f"blackqueen {version('blackqueen')}")
        return 0
    if run is None:
        parser.print_help()
        return 0 if not words else 2
    return run(arguments)
