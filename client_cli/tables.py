"""`blackqueen tables`: the public tables of a server, or the games it offers."""

import argparse

from client_cli.arguments import add_address, add_output
from protocol.address import server_address
from protocol.exits import Exit, run_client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_address(parser)
    parser.add_argument(
        "--games", action="store_true", help="list the games that can be played there instead"
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    return run_client(_tables(arguments))


async def _tables(arguments: argparse.Namespace) -> Exit:
    from client_cli.visit import output_for
    from protocol.connection import connect
    from protocol.to_server import Games, ListTables

    output = output_for(arguments)
    async with connect(server_address(arguments.url)) as client:
        if arguments.games:
            output.games((await client.ask(Games)).games)
        else:
            output.tables((await client.ask(ListTables)).tables)
    return Exit.DONE
