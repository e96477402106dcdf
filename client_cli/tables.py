"""`blackqueen tables`: the public tables of a server, or the games it offers."""

import argparse
from typing import TYPE_CHECKING, Any

from client_cli.arguments import add_address, add_name, add_output, check_values, run_spoken
from protocol.address import server_address
from protocol.exits import Exit, UsageError

if TYPE_CHECKING:
    from client_cli.output import Output
    from protocol.connection import Client
    from protocol.to_client import TableInfo


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
    parser.add_argument(
        "--follow", action="store_true", help="stay, and list them again when something changes"
    )
    add_name(parser, "mark the tables where you sit under this name (default: your login name)")
    add_output(parser)
    parser.set_defaults(auto=False)


def run(arguments: argparse.Namespace) -> int:
    """Print the list and return the exit code."""
    return run_spoken(arguments, _tables(arguments))


async def _tables(arguments: argparse.Namespace) -> Exit:
    from client_cli.identity import known_identity, login_name, state_directory
    from client_cli.run_table import connected, output_for
    from protocol.to_server import Games

    check_values(arguments)
    if arguments.most < 1:
        raise UsageError(f"--most {arguments.most}: it must be 1 or more")
    output, url = output_for(arguments), server_address(arguments.url)
    name = arguments.name or login_name()
    with known_identity(url, name, state_directory()) as who:
        async with connected(url, None, who, None) as client:
            if arguments.games:
                output.games((await client.ask(Games)).games)
            elif arguments.follow:
                await _follow(client, arguments, output)
            else:
                await _list(client, arguments, output)
    return Exit.DONE


async def _list(client: "Client", arguments: argparse.Namespace, output: "Output") -> None:
    """Print the tables as they are now, one's own first unless filters are given."""
    from client_cli.effects import Remark
    from client_cli.seating import own_tables
    from client_cli.tell import tell
    from protocol.listing import public_tables

    wanted = _wanted(arguments)
    own = {table.table: table for table in await own_tables(client)}
    listed: list[TableInfo] = [] if any(wanted.values()) else list(own.values())
    async for table in public_tables(client, **wanted):
        if table not in listed:
            listed.append(table)
        if len(listed) > arguments.most:
            break
    output.tables(listed[: arguments.most], own.keys())
    if len(listed) > arguments.most:
        output.remark(Remark(tell("lists.more")))


async def _follow(client: "Client", arguments: argparse.Namespace, output: "Output") -> None:
    """Print the tables, again whenever they change, until the program is ended."""
    from client_cli.seating import own_tables
    from protocol.client_events import LobbyChanged
    from protocol.to_server import PAGE, FollowTables

    await client.ask(FollowTables, **_wanted(arguments), size=min(arguments.most, PAGE))
    async for event in client.events():
        if isinstance(event, LobbyChanged) and arguments.json:
            output.happened(event)
        elif isinstance(event, LobbyChanged):
            output.tables(event.lobby.tables, {own.table for own in await own_tables(client)})


def _wanted(arguments: argparse.Namespace) -> dict[str, Any]:
    """The filters for the tables, as `list_tables` takes them."""
    return {name: getattr(arguments, name) for name in ("game", "free", "phase", "text")}
