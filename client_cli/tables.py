"""`blackqueen tables`: the public tables of a server, or the games it offers."""

import argparse
from typing import Any

from client_cli.arguments import add_address, add_output, check_values
from protocol.address import server_address
from protocol.exits import Exit, Mistake, run_client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen tables`` to `parser`."""
    add_address(parser)
    parser.add_argument(
        "--games", action="store_true", help="list the games that can be played there instead"
    )
    parser.add_argument("--game", metavar="GAME", help="only tables of this game")
    parser.add_argument(
        "--free", type=int, default=0, metavar="N", help="only tables with N free seats or more"
    )
    parser.add_argument(
        "--phase", metavar="PHASE", help="only tables in this phase: lobby, playing, paused, …"
    )
    parser.add_argument(
        "--text", metavar="TEXT", help="only tables with TEXT in the code, the game or a name"
    )
    parser.add_argument(
        "--most", type=int, default=100, metavar="N", help="list N tables at most (default: 100)"
    )
    add_output(parser)
    parser.set_defaults(auto=False)


def run(arguments: argparse.Namespace) -> int:
    """Print the list and return the exit code."""
    return run_client(_tables(arguments))


async def _tables(arguments: argparse.Namespace) -> Exit:
    from client_cli.effects import Remark
    from client_cli.run_table import output_for
    from protocol.connection import connect
    from protocol.listing import public_tables
    from protocol.to_client import TableInfo
    from protocol.to_server import Games

    check_values(arguments)
    if arguments.most < 1:
        raise Mistake(f"--most {arguments.most}: it must be 1 or more")
    output = output_for(arguments)
    async with connect(server_address(arguments.url)) as client:
        if arguments.games:
            output.games((await client.ask(Games)).games)
        else:
            listed: list[TableInfo] = []
            async for table in public_tables(client, **_wanted(arguments)):
                listed.append(table)
                if len(listed) > arguments.most:
                    break
            output.tables(listed[: arguments.most])
            if len(listed) > arguments.most:
                output.remark(
                    Remark("There are more. --most N lists more; --help shows the filters.")
                )
    return Exit.DONE


def _wanted(arguments: argparse.Namespace) -> dict[str, Any]:
    """The filters for the tables, as `list_tables` takes them."""
    return {name: getattr(arguments, name) for name in ("game", "free", "phase", "text")}
