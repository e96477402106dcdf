"""`blackqueen simulate GAME|FILE`: play a game many times and compute its statistics.

Exit codes: 0 done, 1 a worker process was killed, a game failed or every game was stopped, 2 the
request cannot be played, 3 the cluster does not answer, 4 the folder cannot be used, 130
interrupted. The games played so far are kept.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from bots.command_line import Progress, add_options, positive
from bots.lab.errors import BadPlan, LabError, NothingEnded
from bots.lab.folder import REPORT, Folder, opened
from bots.lab.games import game_of, source_of
from bots.lab.plan import LONGEST, WATCHED, Plan, plan_of
from bots.lab.runners import Runner, in_processes, in_this_process
from bots.roster import same_words
from bots.search.compiled import obtain
from bots.search.left_out import NotFetched
from bots.spec import BadBot, Spec, parse_spec
from bots.workers import cores
from protocol.safe_text import complain, say

_INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen simulate`` to `parser`."""
    parser.add_argument(
        "game", metavar="GAME|FILE", help="the game, such as hearts, or a description (*.rcy)"
    )
    parser.add_argument(
        "--players", type=positive, metavar="N", help="players (default: the game's own number)"
    )
    parser.add_argument(
        "--games", type=positive, default=1000, metavar="N", help="games to play (default 1000)"
    )
    parser.add_argument(
        "--bots",
        type=_bots,
        default=(Spec("r"),),
        metavar="r,s,…",
        help="who sits where, one bot for each seat or one for all: r plays at random, s searches, "
        "tree searches a tree; or easy, medium, strong, a number or name of the game's own "
        "(default r, so that the figures tell of the game and not of a bot)",
    )
    parser.add_argument(
        "--full",
        type=positive,
        nargs="?",
        const=100,
        default=0,
        metavar="N",
        help="play as well what the published statistics want: N games (default 100) of one "
        "searching player among random ones, and N of searching players alone",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of all draws (default 1)")
    parser.add_argument(
        "--workers", "--jobs", type=positive, metavar="K", help="processes (default: one a core)"
    )
    parser.add_argument(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="play on all workers of this Dask cluster instead",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder for the tables, plots and the report; the same command goes on where it "
        "stopped (default: print the summary, keep nothing)",
    )
    add_options(parser, "rules=recycle")
    parser.add_argument(
        "--watch",
        type=_number,
        default=WATCHED,
        metavar="N",
        help="games of players who do not search that an onlooker estimates, for the lead history "
        f"(default {WATCHED})",
    )
    parser.add_argument(
        "--longest",
        type=positive,
        default=LONGEST,
        metavar="N",
        help=f"choices after which a game is stopped (default {LONGEST})",
    )
    parser.add_argument(
        "--samples",
        type=positive,
        metavar="N",
        help="samples a move, which makes the game's own searching bots repeatable "
        "(default: the bots' own budgets)",
    )
    parser.add_argument(
        "--parquet", action="store_true", help="write the tables as Parquet files as well"
    )
    parser.add_argument("--json", action="store_true", help="print the summary as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Play the simulation, print its summary and return the exit code."""
    try:
        return _simulate(arguments)
    except LabError as error:
        complain("blackqueen simulate", str(error))
        return error.exit_code


def _simulate(arguments: argparse.Namespace) -> int:
    if find_spec("numpy") is None:
        _fetch_numpy()
    plan = plan_of(
        source_of(arguments.game),
        bots=arguments.bots,
        games=arguments.games,
        seats=arguments.players,
        seed=arguments.seed,
        options=dict(arguments.options),
        full=arguments.full,
        watched=arguments.watch,
        longest=arguments.longest,
        samples=arguments.samples,
    )
    for told in same_words(game_of(plan.source).info.id, arguments.bots):
        say(f"note: {told}", file=sys.stderr)
    if arguments.parquet and arguments.out is None:
        raise BadPlan("--parquet needs a folder: --out DIR")
    if arguments.parquet and find_spec("pyarrow") is None:
        raise BadPlan("--parquet needs PyArrow: install blackqueen[lab]")
    with _folder(arguments.out, plan) as folder:
        # NumPy takes a moment to load; a user who mistyped should not wait for it.
        from bots.lab.results import conclude, keep
        from bots.lab.summary_text import as_json, as_text

        stopped = _play(folder, _runner(arguments, plan.games - folder.done.runs))
        if folder.done.runs:
            summary = conclude(folder)
            if arguments.out is not None:
                keep(folder, summary, arguments.parquet)
            told = json.dumps(as_json(summary)) if arguments.json else as_text(summary)
            say(*told.split("\n"))
        if stopped:
            again = "; the same command goes on from there" if arguments.out else ""
            said = f"{stopped} after {folder.done.runs} of {plan.games} games{again}"
            say(said, file=sys.stderr)
            return _INTERRUPTED
        if not summary.parts:
            raise NothingEnded("every game was stopped before its end, so there is no report")
    if arguments.out is not None:
        say(f"report: {arguments.out / REPORT}", file=sys.stderr)
    return 0


@contextmanager
def _folder(path: Path | None, plan: Plan) -> Iterator[Folder]:
    """The given folder, or a temporary one."""
    if path is not None:
        with opened(path, plan) as folder:
            yield folder
        return
    with TemporaryDirectory() as passing, opened(Path(passing), plan) as folder:
        yield folder


def _runner(arguments: argparse.Namespace, games: int) -> Runner:
    if arguments.scheduler:
        from bots.lab.cluster import on_cluster

        return on_cluster(arguments.scheduler)
    workers = min(arguments.workers or cores(), games)
    return in_this_process if workers <= 1 else in_processes(workers)


def _play(folder: Folder, runner: Runner) -> str:
    """Play the missing games; returns what stopped it, if something did."""
    done = folder.done.runs
    with Progress(sys.stderr, folder.plan.games, "games", done=done) as progress:
        try:
            with closing(runner(folder.plan, done)) as blocks:
                for block in blocks:
                    folder.add(block.runs, block.texts, block.stopped)
                    progress.show(folder.done.runs)
        except KeyboardInterrupt:
            return "interrupted"
    return ""


def _fetch_numpy() -> None:
    """Fetch NumPy where Numba is fetched on demand; `BadPlan` if it is still missing."""
    try:
        obtain()
    except NotFetched as error:
        raise BadPlan(f"simulate needs NumPy. {error}") from error
    if find_spec("numpy") is None:
        raise BadPlan("simulate needs NumPy: install blackqueen[lab]")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _bots(text: str) -> Sequence[Spec]:
    try:
        return tuple(parse_spec(word) for word in text.split(","))
    except BadBot as error:
        raise argparse.ArgumentTypeError(str(error)) from None
