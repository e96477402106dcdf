"""`blackqueen watch`: show a table as its spectators see it."""

import argparse

from client_cli.arguments import add_address, add_output, check_values, run_spoken, take_place
from protocol.address import server_address
from protocol.exits import Exit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen watch`` to `parser`."""
    add_address(parser)
    parser.add_argument("code", metavar="CODE", help="the table's code")
    add_output(parser)
    parser.set_defaults(auto=False)


def run(arguments: argparse.Namespace) -> int:
    """Show a table to a spectator until it ends and return the exit code."""
    return run_spoken(arguments, _watch(arguments))


async def _watch(arguments: argparse.Namespace) -> Exit:
    from client_cli.farewell import from_watching
    from client_cli.identity import login_name
    from client_cli.run_table import output_for, run_table
    from protocol.connection import connect
    from protocol.features import APART, LEGENDS, MISSED_CHAT, OUTAGES, UNCHANGED
    from protocol.to_server import Watch

    take_place(arguments)
    check_values(arguments)
    url, wanted = server_address(arguments.url), (LEGENDS, UNCHANGED, APART, MISSED_CHAT, OUTAGES)
    async with connect(url, name=login_name(), wanted=wanted) as client:
        code = arguments.code
        await client.ask(Watch, table=code)
        farewell = from_watching("watch", arguments.url, code)
        output = output_for(arguments)
        return await run_table(client, code, arguments, output, farewell, stay=True)
