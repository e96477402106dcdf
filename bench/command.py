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
    "start": "how soon the command answers",
    "first": "`make play` in a fresh clone, until its player may move",
    "engine": "the rules alone, played at random",
    "bots": "a bot's time for a move, by strength",
    "lag": "how late the server's loop is while twenty tables of bots think",
    "crowded": "how often bots are replaced where twenty tables of described games play",
    "hints": "how much slower a table is while somebody else wants hint after hint",
    "snapshots": "how long snapshots of every game are, in full and for who needs less",
    "lists": "what a list of tables costs, and how long it is",
    "hearts": "random Hearts in kernel and engine, beside OpenSpiel's",
    "described": "Hearts as a description, beside the native game",
    "simulate": "what a second worker of a simulation costs",
    "schnapsen": "Schnapsen with open hands: a deal solved, a decision in all its worlds",
    "whist": "moves of Whist's players, and their kernels",
    "echo": "a bare WebSocket echo, to compare the server with",
    "undo": "what a table keeps of a deal so that moves can be taken back",
    "disk": "how soon a small write is safe, which every move waits for",
    "store": "a commit and its rows, on a file and in PostgreSQL, beside a bare loop",
    "failover": "how soon a dead node's tables are another's, and what a lease costs a commit",
    "polls": "what a node asks of ten thousand tables of others with each renewal of its lease",
    "cluster": "a move at three nodes, beside one process with the same PostgreSQL",
    "kills": "how soon tables go on where one of three nodes is killed, stopped or ended",
    "idle": "what a thousand connections cost that say no more than that they are there",
    "events": "what public events cost players, beside a server without",
    "returning": "how soon two thousand seated players who come back at once have their tables",
    "attack": "what honest clients notice while others attack, beside a calm server",
    "wake": "how late live tables' clocks are while ten thousand stored tables are loaded",
    "page": "the page in a browser: loading, time for an event, elements",
    "path": "how many functions and files of the server run for a move, a hello, a bot's move",
    "server": "the real server under load: moves, round trips, memory",
}
"""The measures by name; `bench.measure_NAME` yields the figures."""


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
    """For who waits for the next figure."""
    return f"measuring {MEASURES[name]} ({name}, {at} of {most})"


def figures(name: str) -> Iterator[Figure | Unmeasured]:
    """The figures of one measure, one after the other."""
    measure: Callable[[], Iterator[Figure | Unmeasured]]
    measure = import_module(f"bench.measure_{name}").measure
    return measure()
