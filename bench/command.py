"""`blackqueen bench [NAME] [--json]`: one row per figure.

The exit code is 0 if all limits are kept, 1 if one is missed, 2 if something could not be measured.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module

from bench.figures import Figure, Unmeasured
from bench.processes import BenchError
from bots.command_line import telling
from protocol.safe_text import complain, say

MEASURES = {
    "engine": "the rules alone, played at random",
    "bots": "a bot's time for a move, by strength",
    "lag": "how late the server's loop is while twenty tables of bots think",
    "hearts": "random Hearts in the kernel, beside OpenSpiel's",
    "described": "games as descriptions: with bots, where people sit, and hostile ones",
    "disk": "how soon a small write is safe, which every move waits for",
    "store": "a commit and its rows, on a file and in PostgreSQL, beside a bare loop",
    "cluster": "a move at three nodes, beside one process with the same PostgreSQL",
    "kills": "how soon tables go on where one of three nodes is killed, stopped or ended",
    "events": "what public events cost players, beside a server without",
    "returning": "how soon two thousand seated players who come back at once have their tables",
    "attack": "what honest clients notice while others attack, beside a calm server",
    "page": "the page in a browser: loading, time for an event, elements",
    "bytes": "how long a played card is for a seat, in the long and the compact form",
    "path": "how many functions and files of the server run for a move, a hello, a bot's move",
    "server": "the real server under load: moves, round trips, memory",
}
"""The measures by name: a function of `WHERE`, or `measure` in `bench.measure_NAME`."""
WHERE = {
    "engine": "measure_games.engine",
    "bots": "measure_games.bots",
    "hearts": "measure_games.hearts",
    "described": "measure_games.described",
    "lag": "measure_server.measure_lag",
    "disk": "measure_store.measure_disk",
    "cluster": "measure_overhead.measure_nodes",
    "events": "measure_overhead.measure_events",
    "attack": "measure_crowds.measure_attack",
    "returning": "measure_crowds.measure_returning",
    "bytes": "measure_move.measure_bytes",
    "path": "measure_move.measure_path",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen bench`` to `parser`."""
    listed = "; ".join(f"{name}: {words}" for name, words in MEASURES.items())
    parser.add_argument(
        "name", nargs="?", choices=MEASURES, metavar="NAME", help=f"only this ({listed})"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print each figure as soon as it is known, and return whether all limits are kept."""
    kept = True
    try:
        names = [arguments.name] if arguments.name else list(MEASURES)
        for at, name in enumerate(names, start=1):
            with telling(partial(_measuring, name, at, len(names)), sys.stderr):
                for figure in figures(name):
                    say(figure.as_json() if arguments.json else figure.as_row(), flush=True)
                    kept &= figure.kept
    except BenchError as error:
        complain("blackqueen bench", str(error))
        return 2
    return 0 if kept else 1


def _measuring(name: str, at: int, most: int) -> str:
    """The line that says which measure is under way."""
    return f"measuring {MEASURES[name]} ({name}, {at} of {most})"


def figures(name: str) -> Iterator[Figure | Unmeasured]:
    """The figures of one measure, one after the other."""
    module, _, function = WHERE.get(name, f"measure_{name}.measure").partition(".")
    measure: Callable[[], Iterator[Figure | Unmeasured]]
    measure = getattr(import_module(f"bench.{module}"), function)
    return measure()
