"""`blackqueen play`: private tables against bots, on a server started for them."""

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from client_cli.arguments import (
    add_output,
    add_player,
    add_table,
    bot_strengths,
    check_values,
    run_spoken,
    table_fields,
)
from protocol.exits import Exit, UsageError
from protocol.texts import shipped_games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen play`` to `parser`."""
    parser.add_argument(
        "game",
        nargs="?",
        metavar="GAME|FILE",
        help=f"a game ({shipped_games()}, or one of the menu, such as cribbage), or a file that "
        "describes one (default: at a terminal you are asked, elsewhere black_queen)",
    )
    parser.add_argument(
        "--bots",
        type=bot_strengths,
        metavar="easy|medium|strong|2,1,0",
        help="how strong the bots are, in a word or by number for each, the last for all further "
        "seats (default: medium). With easy nothing is compiled",
    )
    parser.add_argument(
        "--last", action="store_true", help="play what you played last, without the menu"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="deal the same cards every time")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="keep the match in this folder, and continue it next time (default: at a terminal an "
        "unfinished match is kept and offered)",
    )
    parser.add_argument(
        "--browser", action="store_true", help="play in your browser; Ctrl-C here ends it"
    )
    add_table(parser)
    add_player(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play at private tables until the person stops, and return the exit code."""
    return run_spoken(arguments, _play(arguments))


async def _play(arguments: argparse.Namespace) -> Exit:
    from client_cli.identity import identity, login_name
    from client_cli.included_games import included_file
    from client_cli.private_matches import PrivateMatches
    from client_cli.resuming import play_kept
    from client_cli.run_table import typed_by_hand

    check_values(arguments)
    if arguments.game is not None:
        arguments.game = str(included_file(arguments.game, arguments.seats) or arguments.game)
    fields = table_fields(arguments.option)
    name = arguments.name or login_name()
    by_hand = typed_by_hand(arguments) and not arguments.browser
    if arguments.data is None and by_hand:
        return await play_kept(arguments, fields, name)
    with ExitStack() as stack:
        data = stack.enter_context(_folder(arguments.data))
        if arguments.browser:
            from client_cli.browser import play_in_browser

            return await play_in_browser(arguments, fields, name, data)
        who = stack.enter_context(identity("private", name, data))
        return await PrivateMatches(arguments, fields, name, who, data).play()


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    """The folder for the server's tables: the given one, or a temporary one."""
    if wanted is None:
        with tempfile.TemporaryDirectory(prefix="blackqueen-") as name:
            yield Path(name)
        return
    try:
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--data {wanted}: {error.strerror}") from None
    yield wanted
