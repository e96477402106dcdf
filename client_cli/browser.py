"""`blackqueen play --browser`: a private server, and its page in the person's browser.

What the page is to open stands behind the `#` of its address, which a browser keeps for itself.
"""

import argparse
import asyncio
import json
import sys
import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import quote

from client_cli.game_menu import Choice
from client_cli.private_matches import server_flags
from client_cli.private_server import private_server
from client_cli.private_table import description_errors, description_file
from client_cli.tell import tell
from protocol.exits import Exit, Mistake
from protocol.safe_text import say
from protocol.strengths import MEDIUM


async def play_in_browser(
    arguments: argparse.Namespace, fields: dict[str, Any], name: str, data: Path
) -> Exit:
    """Serve the page until the person ends the program."""
    for flag in ("data", "auto", "json", "speak", "last"):
        if getattr(arguments, flag):
            raise Mistake(f"--{flag} and --browser do not go together")
    choice = Choice(arguments.game, arguments.bots or ())
    file = description_file(choice.game)
    if file is not None and (errors := await description_errors(file)):
        say(*errors.splitlines(), file=sys.stderr)
        return Exit.USAGE
    async with private_server(data, *server_flags(choice, arguments.seed)) as url:
        address = page_address(url, arguments, fields, name)
        say(tell("browser.at", address=address), flush=True)
        # Some browsers write to our terminal, and some need a moment.
        if not await asyncio.to_thread(webbrowser.open, address):
            say(tell("browser.none"), flush=True)
        say(tell("browser.end"), flush=True)
        await asyncio.Event().wait()
    raise AssertionError("nothing sets this event")


def page_address(url: str, arguments: argparse.Namespace, fields: dict[str, Any], name: str) -> str:
    """The address of the page of the server at `url`, with the table that it opens."""
    wanted: dict[str, Any] = {"name": name}
    if arguments.game is not None:
        file = description_file(arguments.game)
        wanted["bots"] = list(arguments.bots or (MEDIUM,))
        wanted["table"] = {
            "game": arguments.game if file is None else file.name,
            "options": fields["options"],
            "settings": {**fields["settings"], "private": True},
        }
        for key in ("seats", "seed"):
            if (value := getattr(arguments, key)) is not None:
                wanted["table"][key] = value
    page = url.replace("ws://", "http://", 1)
    return f"{page}/#play={quote(json.dumps(wanted), safe='')}"
