"""The report of a simulation: one self-contained HTML page, for light and dark."""

from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from bots.lab.bootstrap import Estimate
from bots.lab.charts import number
from bots.lab.plan import LONGEST, WATCHED, Plan
from bots.lab.plots import Plot
from bots.lab.statistics import Statistic
from bots.lab.summary import PartSummary, Standing, Summary, lineup

MEANINGS = {
    "fairness": "Do all seats have the same chance among players who play at random? "
    "1: the first seat wins its even share; 0: it wins always or never.",
    "order": "Does thinking pay? How much more than its share one searching player wins among "
    "random ones. 1: it always wins; 0: no more than they do.",
    "convergence": "Do options get fewer on the way? Above ½ they do, below ½ they grow: "
    "½ means as many at the end as at the beginning.",
    "spread": "Does the choice of a move matter? The difference between the best and the worst "
    "move on offer, as a searching player sees it; forced moves count as 0.",
    "drama": "How far behind were winners when they were behind? The mean root of what they "
    "lacked to half-way between second place and first.",
    "security": "How often were winners ahead? The share of all moves at which they stood "
    "half-way between second place and first, or better.",
}
"""The meaning of each statistic, for readers who meet it for the first time."""


def page(summary: Summary, plots: Sequence[Plot]) -> str:
    """The whole page, of a summary with at least one part."""
    title = f"{summary.info.title}, measured"
    body = "".join(
        (
            _head(summary),
            _tiles(summary.parts[0]),
            _section("What kind of game it is", _statistics(summary.statistics)),
            _section("How it goes", _figures(plots)),
            _section("Who played", "".join(map(_standings, summary.parts))),
            _section("How it was measured", _method(summary)),
        )
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>\n{style('palette', 'report', 'charts')}</style>\n"
        f"</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def picture(plot: Plot) -> str:
    """The plot as an SVG file of its own, with the page's colours."""
    return plot.svg.replace(">", f"><style>{style('palette', 'charts')}</style>", 1)


@cache
def style(*names: str) -> str:
    """The style sheets of these names as one text."""
    folder = files("bots.lab")
    return "".join(folder.joinpath(f"{name}.css").read_text(encoding="utf-8") for name in names)


def _head(summary: Summary) -> str:
    plan, played = summary.plan, summary.parts[0].sample
    more = sum(part.sample.games for part in summary.parts[1:])
    said = (
        f"{number(played.games)} games of {escape(lineup(played.part))}"
        + (f", and {number(more)} more to compare" if more else "")
        + f". Seed {plan.seed}."
    )
    options = ", ".join(f"{name} {_in_words(value)}" for name, value in plan.options.items())
    return (
        '<p class="suits">♥<b>♠</b>♦<b>♣</b></p>\n'
        f'<h1>{escape(summary.info.title)}</h1>\n<p class="lead">{said}'
        + (f"<br>{escape(options)}" if options else "")
        + "</p>\n"
        + "".join(_warnings(summary))
    )


def _in_words(value: int | bool | str) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _warnings(summary: Summary) -> Iterator[str]:
    if summary.runs < summary.plan.games:
        yield _warning(f"{summary.runs} of {summary.plan.games} games so far.")
    for reason, count in summary.stopped.items():
        yield _warning(f"{count} games without an end, which do not count: {reason}.")


def _warning(words: str) -> str:
    return f'<p class="warning">{escape(words)}</p>\n'


def _tiles(part: PartSummary) -> str:
    tiles = (
        (number(part.length.value or 0, 1), "choices a game"),
        (number(part.branching.value or 0), f"options a choice, at most {part.most_options}"),
        (_share(part.forced), "of the choices have one option"),
        (_share(part.seats[0].wins.value or 0), "of the games won by the first seat, ties split"),
        (_share(part.ties), "of the games have several winners"),
    )
    cells = "".join(
        f'<div class="tile"><b>{value}</b><span>{words}</span></div>' for value, words in tiles
    )
    return f'<div class="tiles">{cells}</div>\n'


def _section(title: str, content: str) -> str:
    return f"<section>\n<h2>{title}</h2>\n{content}</section>\n"


def _statistics(found: Sequence[Statistic]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{each.name}<small>{_basis(each)}</small></th>'
        f'<td class="number">{_cell(each.split)}</td>'
        f'<td class="number">{_counted_full(each)}</td>'
        f'<td class="means"><small>{MEANINGS[each.name]}</small></td></tr>\n'
        for each in found
    )
    note = ""
    if any(each.part is None for each in found):
        note = (
            '<p class="facts">What nobody who played tells is left out; '
            "<code>--full</code> plays the games it takes.</p>\n"
        )
    return (
        '<div class="wide"><table>\n<thead><tr><th>statistic</th><th class="number">ties split</th>'
        '<th class="number">ties counted full</th><th>what it says</th></tr></thead>\n'
        f"<tbody>{rows}</tbody></table></div>\n{note}"
    )


def _basis(statistic: Statistic) -> str:
    if statistic.part is None:
        return "not measured"
    return f"{number(statistic.games)} games of {escape(lineup(statistic.part))}"


def _counted_full(statistic: Statistic) -> str:
    if statistic.part is None:
        return "–"
    return _cell(statistic.full) if statistic.full else "the same"


def _cell(estimate: Estimate, percents: bool = False) -> str:
    if estimate.value is None:
        return "–"
    told = _share if percents else _decimals
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f"<small>{told(estimate.low)} to {told(estimate.high)}</small>"
    return f"{told(estimate.value)}{interval}"


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _decimals(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _figures(plots: Sequence[Plot]) -> str:
    wide = "".join(_figure(plot) for plot in plots if plot.wide)
    others = "".join(_figure(plot) for plot in plots if not plot.wide and not plot.seats)
    games = [plot for plot in plots if plot.seats]
    shown = f'<div class="halves">{wide}</div>\n<div class="thirds">{others}</div>\n'
    if games:
        shown += f"<h2>Some games, seat by seat</h2>\n{_legend(games[0].seats)}"
        shown += f'<div class="thirds">{"".join(map(_figure, games))}</div>\n'
    return shown


def _figure(plot: Plot) -> str:
    return (
        f"<figure><h3>{escape(plot.title)}</h3>{plot.svg}"
        f"<figcaption>{escape(plot.note)}</figcaption></figure>\n"
    )


def _legend(seats: int) -> str:
    keys = "".join(
        f'<span><i style="background:var(--seat-{seat % 8})"></i>seat {seat + 1}</span>'
        for seat in range(seats)
    )
    return f'<p class="legend">{keys}<span>A thick line wins in the end.</span></p>\n'


def _standings(part: PartSummary) -> str:
    rows = "".join(map(_standing, (*part.seats, *part.bots)))
    return (
        f"<h3>{number(part.sample.games)} games of {escape(lineup(part.sample.part))}</h3>\n"
        '<div class="wide"><table>\n<thead><tr><th></th><th class="number">mean score</th>'
        '<th class="number">standard deviation</th><th class="number">wins, ties split</th>'
        f'<th class="number">ties counted full</th></tr></thead>\n<tbody>{rows}</tbody></table>'
        "</div>\n"
    )


def _standing(each: Standing) -> str:
    return (
        f'<tr><th scope="row">{escape(each.label)}</th>'
        f'<td class="number">{_cell(each.score)}</td>'
        f'<td class="number">{_decimals(each.deviation)}</td>'
        f'<td class="number">{_cell(each.wins, percents=True)}</td>'
        f'<td class="number">{_cell(each.full_wins, percents=True)}</td></tr>\n'
    )


def _method(summary: Summary) -> str:
    return (
        '<p class="facts">Small figures under a number are its 95 % interval, from drawing the '
        "games anew a thousand times. The statistics are those published for games described in "
        "RECYCLE; a searching player tries every move in ten random playouts, the cards it cannot "
        "see dealt afresh for each. The same command plays the same games again:</p>\n"
        f"<pre>{escape(command_line(summary.plan))}</pre>\n"
    )


def command_line(plan: Plan) -> str:
    """The command that plays these games again."""
    main, *others = plan.parts
    name = f"{plan.source.name}.rcy" if plan.source.text else plan.source.name
    words = [f"blackqueen simulate {name} --players {plan.seats} --games {main.games}"]
    words.append(f"--bots {','.join(map(str, main.bots))} --seed {plan.seed}")
    if others:
        words.append(f"--full {others[-1].games}")
    if plan.watched != WATCHED:
        words.append(f"--watch {plan.watched}")
    if plan.longest != LONGEST:
        words.append(f"--longest {plan.longest}")
    if plan.samples is not None:
        words.append(f"--samples {plan.samples}")
    if plan.options:
        given = (f"{name}={_plain(value)}" for name, value in plan.options.items())
        words.append(f"--options {' '.join(given)}")
    return " ".join(words)


def _plain(value: int | bool | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
