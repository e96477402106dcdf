"""`blackqueen devices`: who can come in as you, one more by a code, or one less."""

import argparse
from datetime import datetime
from typing import TYPE_CHECKING

from client_cli.arguments import add_address
from protocol.address import server_address
from protocol.exits import Exit, Mistake, run_client
from protocol.safe_text import say

if TYPE_CHECKING:
    from protocol.connection import Client
    from protocol.to_client import DeviceInfo


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen devices`` to `parser`."""
    add_address(parser)
    parser.add_argument("--name", help="under which you play there (default: your login name)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--add", action="store_true", help="print a code for another device")
    what.add_argument("--code", metavar="CODE", help="be the player who made this code elsewhere")
    what.add_argument("--revoke", metavar="DEVICE", help="let this device come in no more")


def run(arguments: argparse.Namespace) -> int:
    """Do what the arguments say and return the exit code."""
    return run_client(_devices(arguments))


async def _devices(arguments: argparse.Namespace) -> Exit:
    from client_cli.identity import known_identity, login_name, state_directory
    from protocol.connection import connect

    url, name = server_address(arguments.url), arguments.name or login_name()
    if arguments.code:
        await _come_in(url, arguments)
        return Exit.DONE
    with known_identity(url, name, state_directory()) as who:
        if who.token is None:
            raise Mistake(f"{name} has not played at {url} from here, or a program plays there now")
        async with connect(url, token=who.token, device="terminal") as client:
            await _do(client, arguments)
    return Exit.DONE


async def _come_in(url: str, arguments: argparse.Namespace) -> None:
    """Be another player's further device, and keep the token under their name."""
    from client_cli.identity import identity, state_directory
    from protocol.connection import connect

    async with connect(url, code=arguments.code, device="terminal") as client:
        session = client.session
        if not session.knows("hello.code"):
            raise Mistake("this server is too old for further devices")
        assert session.token is not None, "every welcome has one"
        name = session.name or "player"
        with identity(url, name, state_directory()) as who:
            if not who.is_kept:
                raise Mistake(f"a program plays as {name} now; close it and make another code")
            who.keep(session.token)
        say(f"You are {name} there. Play with: blackqueen join {arguments.url} --name {name}")


async def _do(client: "Client", arguments: argparse.Namespace) -> None:
    from protocol.to_server import AddDevice, Devices, RevokeDevice

    devices = (await client.ask(Devices)).devices
    if arguments.add:
        made = await client.ask(AddDevice)
        minutes = round(made.seconds / 60)
        say(f"On the other device, within {minutes} minutes and only once:")
        say(f"blackqueen devices {client.invitation} --code {made.code}")
    elif arguments.revoke:
        if arguments.revoke not in [device.device for device in devices]:
            known = ", ".join(device.device for device in devices)
            raise Mistake(f"you have no device {arguments.revoke}; there are: {known}")
        await client.ask(RevokeDevice, device=arguments.revoke)
        say(f"Device {arguments.revoke} comes in no more.")
    else:
        say(*map(_line, devices))


def _line(device: "DeviceInfo") -> str:
    marks = ("this one" if device.this else "", "online" if device.online else "")
    words = (
        f"{device.device:8}  {device.name or 'unnamed'}",
        f"since {_day(device.since)}",
        f"last seen {_day(device.seen)}",
        *filter(None, marks),
    )
    return ", ".join(words)


def _day(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment):%Y-%m-%d}"
