"""`blackqueen tables`: the public tables of a server."""

import argparse

from client_cli.arguments import add_address, add_output
from protocol.address import server_address
from protocol.exits import Exit, run_client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_address(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    return run_client(_tables(arguments))


async def _tables(arguments: argparse.Namespace) -> Exit:
    from client_cli.visit import output_for
    from protocol.connection import connect
    from protocol.to_server import ListTables

    async with connect(server_address(arguments.url)) as client:
        tables = (await client.ask(ListTables)).tables
    output_for(arguments).tables(tables)
    return Exit.DONE
