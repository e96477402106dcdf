"""A person's matches at a terminal: an unfinished one continues, or new ones begin."""

import argparse
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from client_cli.arguments import for_a_new_match
from client_cli.effects import Remark
from client_cli.farewell import kept_command
from client_cli.game_menu import ChosenGame, GameMenu, MenuLeft, names_file
from client_cli.identity import identity, state_directory
from client_cli.kept_matches import KeptMatch, KeptMatches, MatchFolder
from client_cli.output import Output
from client_cli.private_matches import NotResumed, PrivateMatches
from client_cli.run_table import line_asker, output_for
from client_cli.tell import tell
from protocol.exits import Exit
from protocol.safe_text import say
from protocol.texts import game_title


async def play_kept(arguments: argparse.Namespace, fields: dict[str, Any], name: str) -> Exit:
    """Continue an unfinished match if there is one and the person wants that; else play anew."""
    kept, output = KeptMatches(state_directory()), output_for(arguments)
    try:
        match = await _wanted(kept, arguments, output)
    except MenuLeft:
        return Exit.DONE
    if match is not None:
        with kept.opened(match) as folder:
            if folder is None:
                output.remark(Remark(tell("kept.elsewhere")))
            else:
                try:
                    return await _resumed(match, arguments, folder, name)
                except NotResumed as error:
                    say(*str(error).splitlines(), file=sys.stderr)
                    told = tell("kept.unopened", folder=str(match.folder))
                    output.remark(Remark(told, wrong=True))
    with kept.new() as folder, identity("private", name, folder.path) as who:
        return await PrivateMatches(arguments, fields, name, who, folder.path, folder).play()


async def _wanted(
    kept: KeptMatches, arguments: argparse.Namespace, output: Output
) -> KeptMatch | None:
    """The unfinished match that the person continues, if any."""
    if not (matches := kept.of(arguments.game)):
        return None
    if any(for_a_new_match(arguments)):
        # They have said what they want, and only a new match can be like that.
        match = matches[0]
        command = kept_command(match.folder, match.name)
        output.remark(Remark(tell("kept.beside", match=_title(match)), command=command))
        return None
    titles = [_title(match) for match in matches]
    menu = GameMenu((), output, line_asker(arguments))
    at = await menu.unfinished(titles)
    return None if at is None else matches[at]


async def _resumed(
    match: KeptMatch, arguments: argparse.Namespace, folder: MatchFolder, name: str
) -> Exit:
    """Continue `match`, and then play what the person likes."""
    name = match.name or name
    words = {**vars(arguments), "game": None, "seats": match.seats, "name": name}
    fields = dict(match.fields or {"options": {}, "settings": {}})
    with identity("private", name, folder.path) as who:
        return await PrivateMatches(
            argparse.Namespace(**words), fields, name, who, folder.path, folder, _again(match)
        ).play()


def _again(match: KeptMatch) -> ChosenGame:
    """The choice for another match like this one."""
    game = match.choice.game
    if game is not None and names_file(game) and not Path(game).is_file():
        # The server has the text of this match alone; for the next one the menu asks.
        return ChosenGame(None, match.choice.bots)
    return match.choice


def _title(match: KeptMatch) -> str:
    """The title of a match: ``Black Queen, 2026-11-28 14:03``"""
    game = game_title(match.choice.game or "", match.title) or tell("kept.some")
    return f"{game}, {datetime.fromtimestamp(match.played):%Y-%m-%d %H:%M}"
