"""`blackqueen arena GAME`: let two bots of a game play each other and compare them.

Exit codes: 0 done, 1 a bot broke the rules or a worker process was killed, 2 the requested contest
cannot be played, 130 interrupted. The results so far are printed in each case.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from math import inf

from bots.arena import (
    BadContest,
    BrokenBot,
    Interval,
    Lineup,
    Summary,
    arrange,
    play_deals,
    summarise,
)
from bots.bot import Budget
from bots.command_line import Progress, add_options, positive
from bots.roster import same_words
from bots.spec import BadBot, Spec, parse_spec
from bots.workers import cores
from engine.errors import EngineError
from protocol.safe_text import complain, say

_FAILED = 1
_INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen arena`` to `parser`."""
    parser.add_argument("game", metavar="GAME", help="the game, such as black_queen")
    parser.add_argument(
        "--bots",
        type=_pair,
        default=(Spec("0"), Spec("1")),
        metavar="A,B",
        help="the first and the second bot: easy, medium, strong, numbers or names, with settings "
        "if need be, such as 2,3:risk=0.5 (default 0,1: a bot is measured first by random play)",
    )
    parser.add_argument(
        "--budget",
        type=_milliseconds,
        metavar="MS",
        help="milliseconds a move; A,B for each bot its own (default: the bots' own)",
    )
    parser.add_argument(
        "--samples",
        type=_samples,
        metavar="N",
        help="samples a move, which makes moves repeatable; or A,B (default: the bots' own)",
    )
    parser.add_argument("--deals", type=positive, default=200, help="deals to play (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all draws (default 1)")
    parser.add_argument("--seats", type=positive, help="players (default: the game's own number)")
    parser.add_argument(
        "--lineup",
        type=_lineup,
        metavar="0,1,…",
        help="who sits where, 0 for the first bot and 1 for the second; each deal is played in "
        "every rotation of it (default 1,0,…,0: the second bot alone)",
    )
    parser.add_argument(
        "--numbers",
        type=_numbers,
        metavar="N,…",
        help="which deals of a match to play in turn, 0 for its first (default: one of each kind)",
    )
    parser.add_argument(
        "--matches",
        action="store_true",
        help="play a whole match in place of each deal; the mean is still one a deal",
    )
    add_options(parser, "columns=5")
    parser.add_argument(
        "--workers", "--jobs", type=positive, metavar="N", help="processes (default: one a core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Play the contest, print its summary and return the exit code."""
    try:
        contest = arrange(
            arguments.game,
            arguments.bots,
            arguments.seed,
            seats=arguments.seats,
            lineup=arguments.lineup,
            options=dict(arguments.options),
            budgets=_budgets(arguments.budget, arguments.samples),
            numbers=arguments.numbers,
            matches=arguments.matches,
        )
    except (BadContest, EngineError) as error:
        complain("blackqueen arena", str(error))
        return 2
    for told in same_words(arguments.game, arguments.bots):
        say(f"note: {told}", file=sys.stderr)
    results = []
    code, stopped = 0, ""
    workers = min(arguments.workers or cores(), arguments.deals)
    with Progress(sys.stderr, arguments.deals, "deals") as progress:
        try:
            with closing(play_deals(contest, arguments.deals, workers)) as played:
                for result in played:
                    results.append(result)
                    progress.show(len(results))
        except KeyboardInterrupt:
            code, stopped = _INTERRUPTED, "interrupted"
        except BrokenProcessPool:
            code, stopped = _FAILED, "a worker process was killed (out of memory?); stopped"
        except BrokenBot as error:
            code, stopped = _FAILED, f"{error}; stopped"
    if results:
        summary = summarise(contest, results)
        told = json.dumps(as_json(summary)) if arguments.json else as_text(summary)
        say(*told.split("\n"))
    if stopped:
        say(f"{stopped} after {len(results)} deals", file=sys.stderr)
    return code


def as_json(summary: Summary) -> dict[str, object]:
    """The summary as plain values; an interval that cannot be computed from one deal is null."""
    contest = summary.contest
    return {
        "game": contest.game,
        "seats": contest.seats,
        "lineup": list(contest.lineup),
        "bots": [bot.strength if str(bot).isdecimal() else str(bot) for bot in contest.bots],
        "deals": summary.deals,
        "mean": summary.lead.mean,
        "ci_low": summary.lead.low,
        "ci_high": summary.lead.high,
        "win_share": summary.wins.mean,
        "win_low": summary.wins.low,
        "win_high": summary.wins.high,
        "ms_per_move": {bot: round(ms, 4) for bot, ms in summary.ms_per_move().items()},
    }


def as_text(summary: Summary) -> str:
    """The summary in four lines for people."""
    contest = summary.contest
    first, second = map(_called, contest.bots)
    seating = " ".join(str(contest.bots[which]) for which in contest.lineup)
    speed = ", ".join(
        f"{_called(parse_spec(bot))} {ms:.3f}" for bot, ms in summary.ms_per_move().items()
    )
    return "\n".join(
        (
            f"{contest.info.title}, {contest.seats} seats, {summary.deals} deals, "
            f"bots {seating} in every rotation",
            f"{second} is ahead of {first} by {_points(summary.lead)} points a deal",
            f"and scores best in {_share(summary.wins)} of the deals",
            f"milliseconds a move: {speed}",
        )
    )


def _called(bot: Spec) -> str:
    return str(bot) if bot.strength is None else f"strength {bot}"


def _points(lead: Interval) -> str:
    if lead.low is None or lead.high is None:
        return f"{lead.mean:+.2f}"
    return f"{lead.mean:+.2f} (95 %: {lead.low:+.2f} to {lead.high:+.2f})"


def _share(wins: Interval) -> str:
    if wins.low is None or wins.high is None:
        return f"{wins.mean:.1%}"
    return f"{wins.mean:.1%} (95 %: {wins.low:.1%} to {wins.high:.1%})"


def _pair(text: str) -> tuple[Spec, Spec]:
    try:
        bots = [parse_spec(word) for word in text.split(",")]
    except BadBot as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if len(bots) != 2:
        raise argparse.ArgumentTypeError(f"{text!r} must be two strengths or names, such as 0,1")
    return bots[0], bots[1]


def _milliseconds(text: str) -> tuple[float, float]:
    first, _, second = text.partition(",")
    try:
        both = float(first), float(second or first)
    except ValueError:
        both = (0.0, 0.0)
    if not all(0 < each < inf for each in both):
        raise argparse.ArgumentTypeError(f"{text!r} must be milliseconds, or two with a comma")
    return both


def _samples(text: str) -> tuple[int, int]:
    first, _, second = text.partition(",")
    return positive(first), positive(second or first)


def _budgets(
    milliseconds: tuple[float, float] | None, samples: tuple[int, int] | None
) -> tuple[Budget, Budget]:
    times = milliseconds or (None, None)
    numbers = samples or (None, None)
    return Budget(times[0], numbers[0]), Budget(times[1], numbers[1])


def _lineup(text: str) -> Lineup:
    return tuple(_numbers(text))


def _numbers(text: str) -> Sequence[int]:
    words = text.split(",")
    if not all(word.strip().isdecimal() for word in words):
        raise argparse.ArgumentTypeError(f"{text!r} must be whole numbers with commas between")
    return [int(word) for word in words]
