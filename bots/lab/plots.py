"""The plots of a simulation: which figures of a sample are shown; `charts` draws them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bots.lab.charts import Chart, number, percent, ticks
from bots.lab.measures import Floats, threshold
from bots.lab.sample import LeadHistory, Sample
from bots.lab.summary import PartSummary, Standing, Summary, lineup

_BINS = 20
_MOST_BARS = 60
_SHOWN_HISTORIES = 6
_SHOWN_FAINTLY = 20
"""Games that a plot of many shows one by one behind their mean."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot: `name` is that of its file; `note` explains in a sentence or two how to read it.

    A `wide` plot takes half of a page, the others a third. A plot of a single game has `seats`.
    """

    name: str
    title: str
    note: str
    svg: str
    wide: bool = False
    seats: int = 0


def plots(summary: Summary) -> list[Plot]:
    """All plots; choices and leads are those of searching players, if only they play a part."""
    players, part = summary.plan.seats, summary.parts[0]
    searching = [
        each for each in summary.parts if each.sample.opinions.any and each.sample.estimated
    ]
    told = max(searching or summary.parts, key=lambda each: each.sample.estimated)
    found = [branching(told if searching else part)]
    if told.sample.histories:
        found += [lead_history(told, players), *_games(told, players)]
    return [*found, wins(part, players), scores(part.sample), lengths(part.sample)]


def branching(part: PartSummary) -> Plot:
    """The mean number of options at each choice, the range of most games, and some single games."""
    sample = part.sample
    there = sample.options > 0
    games = there.sum(axis=0)
    mean = sample.options.sum(axis=0) / games
    low, high = np.array(
        [
            np.percentile(column[on], (10, 90))
            for column, on in zip(sample.options.T, there.T, strict=True)
        ]
    ).T
    moves = [*range(len(mean))]
    single = sample.options[:_SHOWN_FAINTLY]
    most = max(float(high.max()), float(single.max()))
    log = bool(most > 8 * np.median(high) and most > 20)
    floor = 1.0 if log else 0.0
    chart = Chart((0, max(len(mean) - 1, 1)), (floor, max(most, 2) * 1.05), log=log)
    chart.axes("choice of the game", "options")
    chart.band(_points(moves, low), _points(moves, high), "band")
    for options, length in zip(single, sample.lengths, strict=False):
        chart.line(_points(moves[:length], options[:length].astype(np.float64)), "line single")
    chart.line(_points(moves, mean), "line")
    note = (
        "The line is the mean over games, the band holds the middle eight tenths of them, and each "
        f"faint line is one game. {number(sample.games)} games of {lineup(sample.part)}."
    )
    if log:
        note += " The scale is logarithmic."
    if games[-1] < games[0]:
        chart.line(
            _points(moves, floor + games / games[0] * (chart.y.high - floor)), "faint dashed"
        )
        note += " The dashed line falls as games end: at the top all are still on."
    told = f"Options by choice: {number(mean[0], 1)} at first, {number(mean[-1], 1)} at last"
    return Plot("branching", "Branching factor over the game", note, chart.svg(told), wide=True)


def lead_history(part: PartSummary, players: int) -> Plot:
    """The leads of the later winners during the game, against those of the others."""
    histories = part.sample.histories
    winning, losing = _pooled(histories, winners=True), _pooled(histories, winners=False)
    chart = _stage(players)
    centres = [(bin + 0.5) / _BINS for bin in range(_BINS)]
    middle = [
        (x, np.percentile(values, (25, 75)))
        for x, values in zip(centres, winning, strict=True)
        if len(values)
    ]
    chart.band([(x, low) for x, (low, _) in middle], [(x, high) for x, (_, high) in middle], "band")
    for history in histories[:_SHOWN_FAINTLY]:
        for seat in history.winners:
            if len(history.places[seat]):
                chart.line(_points(history.places[seat], history.leads[seat]), "line single")
    for pooled, kind in ((losing, "line other"), (winning, "line")):
        chart.line(
            [
                (x, float(values.mean()))
                for x, values in zip(centres, pooled, strict=True)
                if len(values)
            ],
            kind,
        )
    note = (
        "Estimates from random playouts: 1 is sure to be first, 0 sure to be last. The green line "
        "is the mean of the players who win in the end, with their middle half; the red one is "
        "that of the others. Each faint line is the winner of one game. "
        f"{number(len(histories))} games of {lineup(part.sample.part)}. Below the dashed line a "
        "winner counts as behind."
    )
    told = "Mean estimates of winners and of the others"
    return Plot("leads", "Lead history", note, chart.svg(told), wide=True)


def _games(part: PartSummary, players: int) -> list[Plot]:
    """The plots of some single games."""
    found = []
    for history in part.sample.histories[:_SHOWN_HISTORIES]:
        chart = _stage(players, width=320, height=210)
        for seat in sorted(range(players), key=lambda seat: seat in history.winners):
            if len(history.places[seat]):
                points = _points(history.places[seat], history.leads[seat])
                chart.line(
                    points, f"line seat-{seat % 8}" + (" bold" if seat in history.winners else "")
                )
        won = " and ".join(str(seat + 1) for seat in history.winners)
        note = f"Won by {'seat' if len(history.winners) == 1 else 'seats'} {won}."
        found.append(
            Plot(
                f"game-{history.number}",
                f"Game {history.number}",
                note,
                chart.svg(note),
                seats=players,
            )
        )
    return found


def _stage(players: int, width: int = 520, height: int = 300) -> Chart:
    chart = Chart((0, 1), (0, 1), width=width, height=height)
    chart.axes(
        "share of the game played",
        "",
        y_ticks=[0, 0.25, 0.5, 0.75, 1],
        shares=(True, False),
        x_ticks=[0, 0.25, 0.5, 0.75, 1],
    )
    chart.line([(0, threshold(players)), (1, threshold(players))], "faint dashed")
    return chart


def _pooled(histories: Sequence[LeadHistory], *, winners: bool) -> list[Floats]:
    """The estimates of these players, pooled by twentieths of the game."""
    bins: list[list[float]] = [[] for _ in range(_BINS)]
    for history in histories:
        for seat, (places, leads) in enumerate(zip(history.places, history.leads, strict=True)):
            if (seat in history.winners) == winners:
                # The end itself is no estimate.
                for place, lead in zip(places[:-1], leads[:-1], strict=True):
                    bins[int(place * _BINS)].append(float(lead))
    return [np.array(each) for each in bins]


def wins(part: PartSummary, players: int) -> Plot:
    """The share of wins by seat and by bot: a dot with its interval, beside an even share."""
    standings = (*part.seats, *part.bots)
    most = max(each.full_wins.high or each.full_wins.value or 1 for each in standings)
    reach = max(min(1.0, most * 1.08), 1.3 / players)
    chart = Chart(
        (0, reach), (0, 1), width=360, height=max(58 + 34 * len(standings), 250), left=80, top=8
    )
    chart.axes(
        "share of the games won", "", y_ticks=[], x_ticks=ticks(0, reach, 4), shares=(True, False)
    )
    even = chart.x.at(1 / players)
    chart.stroke([(even, chart.y.start), (even, chart.y.end)], "faint dashed")
    step = (chart.y.start - chart.y.end) / len(standings)
    for at, each in enumerate(standings):
        _standing(chart, each, chart.y.end + step * (at + 0.5))
    note = (
        "Filled: a shared first place is split among those who share it. Hollow: it counts as a "
        "full win for each. The bars are 95 % intervals, the dashed line is an even share."
    )
    told = "; ".join(f"{each.label} wins {percent(each.wins.value or 0)}" for each in standings)
    return Plot("wins", "Win share by seat", note, chart.svg(told))


def _standing(chart: Chart, each: Standing, place: float) -> None:
    chart.text(each.label, chart.x.start - 10, place + 4, "tick end")
    for estimate, up, kind in ((each.full_wins, -5, "hollow"), (each.wins, 5, "dot")):
        value = estimate.value or 0.0
        low = value if estimate.low is None else estimate.low
        high = value if estimate.high is None else estimate.high
        y = place + up
        chart.stroke([(chart.x.at(low), y), (chart.x.at(high), y)], f"whisker {kind}-whisker")
        tip = f"{each.label}: {percent(value)} ({percent(low)} to {percent(high)})"
        chart.dot(value, y, kind, tip)


def scores(sample: Sample) -> Plot:
    """How often each score was made, over all seats."""
    mean = float(sample.scores.mean())
    note = f"All seats together; the mean is {number(mean)}."
    return _histogram("scores", "Scores", "score", "of the seats", sample.scores.ravel(), note)


def lengths(sample: Sample) -> Plot:
    """The distribution of the number of choices a game."""
    values = sample.lengths
    note = f"From {number(values.min())} to {number(values.max())} choices."
    if values.min() == values.max():
        note = f"Every game has {number(values[0])} choices."
    return _histogram("lengths", "Length", "choices in a game", "of the games", values, note)


def _histogram(
    name: str, title: str, x_label: str, y_label: str, values: NDArray[np.int64] | Floats, note: str
) -> Plot:
    low, high = int(values.min()), int(values.max())
    width = -(-(high - low + 1) // _MOST_BARS)
    bars = (high - low) // width + 1
    counts = np.bincount((values.astype(np.int64) - low) // width, minlength=bars) / values.size
    # One bar alone is not to fill the frame.
    room = max(0, 6 - bars) * width / 2
    chart = Chart(
        (low - 0.5 - room, low + bars * width - 0.5 + room),
        (0, counts.max() * 1.06),
        width=360,
        height=250,
    )
    chart.axes(x_label, y_label, shares=(False, True), x_ticks=_whole(low, low + bars * width - 1))
    for bar, share in enumerate(counts):
        start = low + bar * width
        called = number(start) if width == 1 else f"{number(start)} to {number(start + width - 1)}"
        gap = 0.08 * width
        tip = f"{called}: {percent(share)}"
        chart.bar(start - 0.5 + gap, start + width - 0.5 - gap, share, "bar", tip)
    if width > 1:
        note += f" A bar holds {width} numbers."
    return Plot(name, title, note, chart.svg(f"{title}. {note}"))


def _whole(low: int, high: int) -> list[float]:
    if low == high:
        return [float(low)]
    return [tick for tick in ticks(low, high, 6) if tick == int(tick)]


def _points(xs: Sequence[float] | Floats, ys: Floats) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
