"""`blackqueen join`: sit down at a table of a server, a new one or an existing one."""

import argparse
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

from client_cli.arguments import (
    add_address,
    add_output,
    add_player,
    add_table,
    bot_strength,
    check_values,
    run_spoken,
    seat_number,
    table_fields,
    take_place,
)
from protocol.address import server_address
from protocol.errors import ProtocolError
from protocol.exits import Exit, UsageError

if TYPE_CHECKING:
    from client_cli.output import Output
    from protocol.connection import Client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen join`` to `parser`."""
    add_address(parser)
    parser.add_argument("code", nargs="?", metavar="CODE", help="the table's code")
    parser.add_argument("--seat", type=seat_number, metavar="K", help="which seat, from 1")
    parser.add_argument("--ready", action="store_true", help="say that you are ready at once")
    parser.add_argument("--create", metavar="GAME", help="open a table of your own")
    parser.add_argument(
        "--private",
        action="store_true",
        help="with --create: only who has the code can find it",
    )
    parser.add_argument(
        "--start",
        type=int,
        metavar="N",
        help="with --create and --auto: start as soon as N seats are taken",
    )
    parser.add_argument(
        "--fill",
        type=bot_strength,
        metavar="STRENGTH",
        help="with --start: the bots that take the other seats: easy, medium, strong or a number "
        "(default: medium)",
    )
    add_table(parser)
    add_player(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sit down at a table until it ends and return the exit code."""
    return run_spoken(arguments, _join(arguments))


async def _join(arguments: argparse.Namespace) -> Exit:
    from client_cli.auto import AutoStart
    from client_cli.farewell import from_server
    from client_cli.identity import TokenPlace, identity, login_name, state_directory
    from client_cli.run_table import connected, line_asker, output_for, run_table, typed_by_hand
    from client_cli.seating import SeatRefused
    from protocol.strengths import MEDIUM
    from protocol.to_server import Ready

    take_place(arguments)
    _check(arguments)
    fields = table_fields(arguments.option)
    _check_that_the_host_can_start(arguments)
    url, name = server_address(arguments.url), arguments.name or login_name()
    output = output_for(arguments)
    auto_start = AutoStart(arguments.start, MEDIUM if arguments.fill is None else arguments.fill)
    named = ("--name", arguments.name) if arguments.name else ()
    with ExitStack() as stack:
        if arguments.name or typed_by_hand(arguments):
            who = stack.enter_context(identity(url, name, state_directory()))
        else:
            who = TokenPlace()
        program = None if typed_by_hand(arguments) else "blackqueen join"
        ask = line_asker(arguments) if typed_by_hand(arguments) else None
        async with connected(url, name, who, program, ask) as client:
            while True:
                code = await _seated(client, arguments, fields, output)
                if code is None:
                    return Exit.DONE
                if arguments.ready:
                    # The others may have started in the meantime, which is fine.
                    with suppress(ProtocolError):
                        await client.ask(Ready, table=code)
                back = ("join", arguments.url, code, *named)
                farewell = from_server(
                    *back, kept=who.is_kept, online=lambda: client.session.online
                )
                try:
                    return await run_table(
                        client, code, arguments, output, farewell, auto_start=auto_start, stay=True
                    )
                except SeatRefused:
                    if arguments.code or not typed_by_hand(arguments):
                        raise
                    # They chose the table from the list, and can choose another.


def _check(arguments: argparse.Namespace) -> None:
    """`UsageError` if flags contradict each other, do nothing, or ask for something impossible."""
    check_values(arguments)
    if arguments.create and arguments.code:
        raise UsageError("give either CODE or --create: the server chooses the code of a new table")
    if arguments.create and arguments.seat is not None:
        raise UsageError("give either --seat or --create: you get seat 1 of a table that you open")
    for_hosts = {
        "--private": arguments.private,
        "--seats": arguments.seats is not None,
        "--option": arguments.option,
        "--start": arguments.start is not None,
    }
    idle = [flag for flag, given in for_hosts.items() if given and not arguments.create]
    if idle:
        raise UsageError(f"{idle[0]} is only for a new table: add --create GAME")
    if arguments.fill is not None and arguments.start is None:
        raise UsageError("--fill needs --start N: bots take the other seats when the match starts")
    if arguments.start is not None and arguments.start < 1:
        raise UsageError(f"--start {arguments.start}: it must be 1 or more")


def _check_that_the_host_can_start(arguments: argparse.Namespace) -> None:
    from client_cli.run_table import typed_by_hand

    if arguments.create and not (arguments.auto or arguments.json or typed_by_hand(arguments)):
        raise UsageError(
            f"--create {arguments.create}: nobody could start the match, because this is no "
            "terminal to type at; add --auto --start N to start and play as soon as N seats are "
            "taken, or --json to send commands as lines"
        )


async def _seated(
    client: "Client", arguments: argparse.Namespace, fields: dict[str, Any], output: "Output"
) -> str | None:
    """The code of the table that the player joined; None if they chose none."""
    from client_cli.lobby import LobbyScreen
    from client_cli.run_table import line_asker, typed_by_hand
    from client_cli.seating import (
        create_table,
        first_open,
        invitation,
        take_seat,
        unfinished,
    )
    from protocol.to_server import Leave

    if arguments.create:
        fields["settings"]["private"] = arguments.private
        code = await create_table(client, arguments.create, arguments.seats, fields)
        seats = len(client.session.tables[code].info.seats)
        if (arguments.start or 0) > seats:
            # Nobody must wait there for something that never comes.
            await client.ask(Leave, table=code)
            raise UsageError(f"--start {arguments.start}: the table has only {seats} seats")
        output.remark(invitation(client, code))
        return code
    held = await unfinished(client)
    if arguments.code:
        ask = line_asker(arguments) if typed_by_hand(arguments) else None
        return await take_seat(client, arguments.code, arguments.seat, ask)
    if held:
        return held[0].table
    if not typed_by_hand(arguments):
        return await first_open(client, arguments.seat)
    return await LobbyScreen(client, output, line_asker(arguments), arguments.seat).choose()
