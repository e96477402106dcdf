"""A summary as text for a terminal, and as plain values for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from bots.lab.bootstrap import Estimate
from bots.lab.statistics import Statistic
from bots.lab.summary import PartSummary, Standing, Summary, lineup


def with_interval(estimate: Estimate, percent: bool = False) -> str:
    """A number with its interval.

    >>> with_interval(Estimate(0.873, 0.85, 0.9))
    '0.873 (0.850 to 0.900)'
    >>> with_interval(Estimate(0.25, 0.2, 0.3), percent=True)
    '25.0 % (20.0 to 30.0)'
    """
    if estimate.value is None:
        return "–"
    scale, places = (100, 1) if percent else (1, 2 if abs(estimate.value) >= 10 else 3)
    sign = " %" if percent else ""
    value = f"{scale * estimate.value:.{places}f}{sign}"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({scale * estimate.low:.{places}f} to {scale * estimate.high:.{places}f})"


def as_text(summary: Summary) -> str:
    """The summary as tables of players, lengths, winners and published statistics."""
    lines = [f"{summary.info.title}, {summary.plan.seats} players, seed {summary.plan.seed}"]
    if summary.runs < summary.plan.games:
        lines.append(f"{summary.runs} of {summary.plan.games} games so far")
    for reason, count in summary.stopped.items():
        lines.append(f"{count} games without an end, which do not count: {reason}")
    for part in summary.parts:
        lines += ["", *_part(part)]
    lines += ["", *_statistics(summary.statistics)]
    return "\n".join(lines)


def _part(part: PartSummary) -> Iterator[str]:
    sample = part.sample
    yield f"{sample.games} games of {lineup(sample.part)}"
    yield f"  choices a game     {with_interval(part.length)}"
    yield f"  options a choice   {with_interval(part.branching)}, at most {part.most_options}"
    yield f"  only one option    {part.forced:.1%} of the choices"
    yield f"  shared first place {part.ties:.1%} of the games"
    rows = [("", "score", "sd", "wins, ties split", "ties full")]
    rows += map(_standing, (*part.seats, *part.bots))
    yield from _table(rows)


def _standing(each: Standing) -> tuple[str, str, str, str, str]:
    return (
        each.label,
        with_interval(each.score),
        f"{each.deviation:.2f}",
        with_interval(each.wins, percent=True),
        with_interval(each.full_wins, percent=True),
    )


def _statistics(found: Sequence[Statistic]) -> Iterator[str]:
    rows = [("statistic", "ties split", "ties full", "measured on")]
    for each in found:
        full = "the same" if each.full is None else with_interval(each.full)
        basis = f"{each.games} games of {lineup(each.part)}" if each.part else "nobody who tells it"
        rows.append((each.name, with_interval(each.split), full if each.part else "–", basis))
    yield from _table(rows)


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  " + "   ".join(cells).rstrip()


def as_json(summary: Summary) -> dict[str, object]:
    """The summary as plain values: the content of `summary.json`."""
    return {
        "game": summary.info.id,
        "title": summary.info.title,
        "players": summary.plan.seats,
        "seed": summary.plan.seed,
        "games": summary.runs,
        "of": summary.plan.games,
        "stopped": dict(summary.stopped),
        "statistics": {
            each.name: {
                "ties_split": asdict(each.split),
                "ties_full": asdict(each.full or each.split),
                "games": each.games,
                "bots": [str(bot) for bot in each.part.bots] if each.part else [],
            }
            for each in summary.statistics
        },
        "parts": [_plain(part) for part in summary.parts],
    }


def _plain(part: PartSummary) -> dict[str, object]:
    sample = part.sample
    return {
        "bots": [str(bot) for bot in sample.part.bots],
        "turning": sample.part.turning,
        "games": sample.games,
        "stopped": sample.stopped,
        "choices_a_game": asdict(part.length),
        "options_a_choice": asdict(part.branching),
        "most_options": part.most_options,
        "forced": part.forced,
        "ties": part.ties,
        "seats": [asdict(each) for each in part.seats],
        "by_bot": [asdict(each) for each in part.bots],
    }
