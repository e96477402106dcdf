"""`blackqueen devices`: list, add by a code, or remove the devices of a player."""

import argparse
from datetime import datetime
from typing import TYPE_CHECKING

from client_cli.arguments import LOCAL, add_address, add_language, add_name, run_spoken
from protocol.address import server_address
from protocol.exits import Exit, UsageError
from protocol.pasted import device_code, link
from protocol.safe_text import say

if TYPE_CHECKING:
    from protocol.connection import Client
    from protocol.to_client import DeviceInfo


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen devices`` to `parser`."""
    add_address(parser)
    add_name(parser, "under which you play there (default: your login name)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--add", action="store_true", help="print a code for another device")
    what.add_argument("--code", metavar="CODE", help="be the player who made this code elsewhere")
    what.add_argument("--revoke", metavar="DEVICE", help="let this device come in no more")
    add_language(parser, "answer in this language")


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return the exit code."""
    return run_spoken(arguments, _devices(arguments))


async def _devices(arguments: argparse.Namespace) -> Exit:
    from client_cli.identity import known_identity, login_name, state_directory
    from protocol.connection import connect

    _take_link(arguments)
    url, name = server_address(arguments.url), arguments.name or login_name()
    if arguments.code:
        await _come_in(url, arguments)
        return Exit.DONE
    with known_identity(url, name, state_directory()) as who:
        if who.token is None:
            raise UsageError(
                f"{name} has not played at {url} from here, or a program plays there now"
            )
        async with connect(url, token=who.token, device="terminal") as client:
            await _do(client, arguments)
    return Exit.DONE


def _take_link(arguments: argparse.Namespace) -> None:
    """Take the code of a device, and its server, from its link."""
    if arguments.code is None:
        if not (arguments.add or arguments.revoke):
            arguments.code = link(arguments.url).device or None
        return
    said = link(arguments.code)
    if said.device and said.server and arguments.url == LOCAL:
        arguments.url = said.server
    arguments.code = device_code(arguments.code)


async def _come_in(url: str, arguments: argparse.Namespace) -> None:
    """Become another player's further device, and store the token under their name."""
    from client_cli.identity import identity, state_directory
    from client_cli.tell import tell
    from protocol.connection import connect

    if not await _agreed(url, arguments.code):
        say(tell("devices.kept"))
        return
    async with connect(url, code=arguments.code, device="terminal") as client:
        session = client.session
        if not session.knows("hello.code"):
            raise UsageError("this server is too old for further devices")
        # Every welcome has one.
        assert session.token is not None
        name = session.name or "player"
        with identity(url, name, state_directory()) as who:
            if not who.is_kept:
                raise UsageError(f"a program plays as {name} now; close it and make another code")
            who.keep(session.token)
        say(tell("devices.came_in", name=name, address=arguments.url))


async def _agreed(url: str, code: str) -> bool:
    """Say whose device this will be by a code; at a terminal the person must agree."""
    from client_cli.identity import known_identity, state_directory
    from client_cli.tell import tell
    from client_cli.terminal import ask_line, interactive
    from client_cli.typed_values import said_yes
    from protocol.connection import connect
    from protocol.to_server import WhoseCode

    async with connect(url) as stranger:
        if not stranger.session.knows("whose_code"):
            return True
        name = (await stranger.ask(WhoseCode, code=code)).name
    say(tell("devices.becoming", name=name))
    with known_identity(url, name, state_directory()) as who:
        if who.token is not None:
            say(tell("devices.forgets", name=name))
    if not interactive():
        return True
    answer = await ask_line(tell("devices.ask", name=name))
    return answer is not None and answer.lower() in said_yes()


async def _do(client: "Client", arguments: argparse.Namespace) -> None:
    from client_cli.tell import tell
    from protocol.to_server import AddDevice, Devices, RevokeDevice

    devices = (await client.ask(Devices)).devices
    if arguments.add:
        made = await client.ask(AddDevice)
        minutes = round(made.seconds / 60)
        say(tell("devices.added", minutes=minutes))
        say(f"blackqueen devices {client.invitation} --code {made.code}")
    elif arguments.revoke:
        if arguments.revoke not in [device.device for device in devices]:
            known = ", ".join(device.device for device in devices)
            raise UsageError(f"you have no device {arguments.revoke}; there are: {known}")
        await client.ask(RevokeDevice, device=arguments.revoke)
        say(tell("devices.revoked", device=arguments.revoke))
    else:
        say(*map(_line, devices))


def _line(device: "DeviceInfo") -> str:
    from client_cli.tell import tell

    words = [
        f"{device.device:8}  {device.name or tell('devices.unnamed')}",
        tell("devices.since", day=_day(device.since)),
        tell("devices.seen", day=_day(device.seen)),
    ]
    words += [tell("devices.this")] if device.this else []
    words += [tell("devices.online")] if device.online else []
    return ", ".join(words)


def _day(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment):%Y-%m-%d}"
