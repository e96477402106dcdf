"""`blackqueen play --browser`: a private server, and its page in the person's browser.

The server tells what the page should open once, to a browser with the right key. The key stands
behind the `#` of the address, which a browser does not send; a link without it opens nothing.
"""

import argparse
import asyncio
import json
import sys
import webbrowser
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from client_cli.game_menu import ChosenGame
from client_cli.private_matches import server_flags
from client_cli.private_server import private_server
from client_cli.private_table import description_errors, description_file
from client_cli.tell import tell
from protocol.exits import Exit, UsageError
from protocol.safe_text import say
from protocol.strengths import MEDIUM


async def play_in_browser(
    arguments: argparse.Namespace, fields: dict[str, Any], name: str, data: Path
) -> Exit:
    """Serve the page until the person ends the program."""
    for flag in ("data", "auto", "json", "speak", "last"):
        if getattr(arguments, flag):
            raise UsageError(f"--{flag} and --browser do not go together")
    choice = ChosenGame(arguments.game, arguments.bots or ())
    file = description_file(choice.game)
    if file is not None and (errors := await description_errors(file)):
        say(*errors.splitlines(), file=sys.stderr)
        return Exit.USAGE
    key = token_urlsafe(32)
    opening = f"{key} {json.dumps(wanted(arguments, fields, name))}"
    flags = server_flags(choice, arguments.seed)
    async with private_server(data, *flags, opening=opening) as url:
        address = f"{url.replace('ws://', 'http://', 1)}/#open={key}"
        say(tell("browser.at", address=address), flush=True)
        # Some browsers write to our terminal, and some need a moment.
        if not await asyncio.to_thread(webbrowser.open, address):
            say(tell("browser.none"), flush=True)
        say(tell("browser.end"), flush=True)
        await asyncio.Event().wait()
    raise AssertionError("nothing sets this event")


def wanted(arguments: argparse.Namespace, fields: dict[str, Any], name: str) -> dict[str, Any]:
    """What the page should open: the player, and the table with its bots if a game is named."""
    told: dict[str, Any] = {"name": name}
    if arguments.game is not None:
        file = description_file(arguments.game)
        told["bots"] = list(arguments.bots or (MEDIUM,))
        told["table"] = {
            "game": arguments.game if file is None else file.name,
            "options": fields["options"],
            "settings": {**fields["settings"], "private": True},
        }
        for key in ("seats", "seed"):
            if (value := getattr(arguments, key)) is not None:
                told["table"][key] = value
    return told
