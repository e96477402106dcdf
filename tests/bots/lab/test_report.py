"""The report and its plots: one self-contained page, whatever was played."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from bots.lab.games import game_of
from bots.lab.plan import Plan
from bots.lab.play import play
from bots.lab.plots import plots
from bots.lab.report import MEANINGS, command_line, page, picture
from bots.lab.runs import Run
from bots.lab.statistics import NAMES
from bots.lab.summary import Summary, lineup, summarise
from bots.lab.summary_text import as_json, as_text
from tests.bots.lab.made import described, game, plan, small

SVG = "{http://www.w3.org/2000/svg}"


def summary_of(of: Plan, runs: list[Run] | None = None) -> Summary:
    played = [play(of, number) for number in range(of.games)] if runs is None else runs
    return summarise(of, game_of(of.source).info, played, {})


class Tags(HTMLParser):
    """A parser that checks that tags are closed in order, and collects links."""

    EMPTY = frozenset(("meta", "br"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.leads: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.leads += [str(value) for name, value in attrs if name in ("src", "href")]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    tags.close()
    assert tags.open == []
    return tags


def test_one_page_with_everything_in_it() -> None:
    """The page has no script and no foreign parts, has light and dark, and all statistics."""
    summary = summary_of(described("Agram2", games=8, full=2))
    html = page(summary, plots(summary))
    tags = read(html)
    assert tags.leads == []
    assert "script" not in tags.seen
    assert not re.search(r"url\(|@import", html)
    assert "prefers-color-scheme: dark" in html
    assert tags.seen.count("svg") == len(plots(summary))
    for name in NAMES:
        assert MEANINGS[name] in html
    assert "8 games of 2 random players" in html
    assert "one searching player, in each seat in turn, beside a random one" in html


def test_seats_are_counted_as_people_count() -> None:
    """Seats are counted from 1 in the report, the plots and the terminal."""
    summary = summary_of(small("hearts", games=3))
    shown = page(summary, plots(summary))
    for told in (shown, as_text(summary)):
        assert re.findall(r"seat (\d)", told)
        assert set(re.findall(r"seat (\d)", told)) <= set("1234")
    assert "seat 4</span>" in shown
    winners = {plot.note for plot in plots(summary) if plot.seats}
    assert winners
    history = summary.parts[0].sample.histories[0]
    won = " and ".join(str(seat + 1) for seat in history.winners)
    assert f"Won by seat{'s' if len(history.winners) > 1 else ''} {won}." in winners


def test_several_winners_have_seats() -> None:
    """Partners are shown as winning together."""
    summary = summary_of(small("spades", games=2))
    notes = {plot.note for plot in plots(summary) if plot.seats}
    assert notes <= {"Won by seats 1 and 3.", "Won by seats 2 and 4."}


def test_what_is_not_measured_has_no_number_either_way() -> None:
    """A statistic that was not measured is a dash; "the same" needs a number."""
    summary = summary_of(small(games=2))
    rows = re.findall(r"<tr>.*?</tr>", page(summary, plots(summary)))
    missing = [row for row in rows if "not measured" in row]
    assert missing
    for row in missing:
        assert row.count('<td class="number">–</td>') == 2
    assert any(">the same<" in row for row in rows)


def test_options_are_told_in_words() -> None:
    """Options are shown as yes and no instead of True and False."""
    summary = summary_of(small("whist", games=1))
    shown = page(summary, plots(summary))
    assert "hook yes" in shown
    assert "True" not in shown


def test_plots_are_pictures_of_their_own() -> None:
    """Each plot file is well-formed, with a text for people who cannot see it, and its colours."""
    summary = summary_of(small("hearts", games=3))
    for plot in plots(summary):
        root = ElementTree.fromstring(picture(plot))
        assert root.tag == f"{SVG}svg"
        assert root.attrib["aria-label"]
        style = root.find(f"{SVG}style")
        assert style is not None
        assert "--green" in (style.text or "")
        drawn = picture(plot)
        assert "nan" not in drawn
        assert "inf" not in drawn.replace("interval", "")


def test_marks_lie_within_the_frame() -> None:
    """No mark of a plot lies outside its frame."""
    summary = summary_of(small("hearts", games=4))
    for plot in plots(summary):
        root = ElementTree.fromstring(plot.svg)
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for path in root.iter(f"{SVG}path"):
            for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", path.attrib["d"]):
                assert -0.5 <= float(x) <= width + 0.5, plot.name
                assert -0.5 <= float(y) <= height + 0.5, plot.name


def test_a_game_with_few_large_choices_has_a_logarithmic_scale() -> None:
    """A game with few large choices gets a logarithmic scale, as passing in Hearts."""
    branching = plots(summary_of(small("hearts", games=3)))[0]
    assert "logarithmic" in branching.note
    assert "logarithmic" not in plots(summary_of(small(games=3)))[0].note


def test_plots_of_a_full_simulation_show_searching_players() -> None:
    """The plots of a full simulation show searching players, whatever random games are watched."""
    summary = summary_of(described("Agram2", games=8, full=1))
    theirs = next(part for part in summary.parts if lineup(part.sample.part).startswith("2 search"))
    drawn = {plot.name: plot for plot in plots(summary)}
    for name in ("branching", "leads"):
        assert "1 games of 2 searching players" in drawn[name].note
    (history,) = theirs.sample.histories
    assert [name for name in drawn if name.startswith("game-")] == [f"game-{history.number}"]
    assert "8 games of 2 random players" in page(summary, plots(summary))


def test_single_games_show_faintly() -> None:
    """Single games are drawn faintly behind the means."""
    told = [(0, 0.2, 0.25, (0.25, 0.75)), (1, 0.1, 0.7, (0.3, 0.7))]
    runs = [game(number, (1, 2), (3, 2), "s", told) for number in range(30)]
    branching, leads, *_ = plots(summary_of(plan(("s", 30)), runs))
    assert branching.svg.count('class="line single"') == 20
    assert leads.svg.count('class="line single"') == 20
    assert "Each faint line is the winner of one game." in leads.note


def test_games_of_different_lengths() -> None:
    """With games of different lengths a line shows how many go on, and bars show the lengths."""
    runs = [game(0, (1, 2), (3, 2)), game(1, (2, 1), (3, 2, 2, 1)), game(2, (1, 2), (2, 2, 1))]
    branching, _, _, lengths = plots(summary_of(plan(("r", 3)), runs))
    assert "dashed line falls as games end" in branching.note
    assert lengths.note == "From 2 to 4 choices."
    assert lengths.svg.count("<rect") == 3


def test_many_different_scores_share_bars() -> None:
    """More than sixty different scores share bars, with a note."""
    first, second = game(0, (1, 2)), game(1, (2, 1))
    runs = [replace(first, scores=(-100, 20)), replace(second, scores=(7, 33))]
    drawn = plots(summary_of(plan(("r", 2)), runs))[2]
    assert drawn.note == "All seats together; the mean is −10. A bar holds 3 numbers."
    assert "<title>−100 to −98: 25 %</title>" in drawn.svg


@pytest.mark.parametrize("ranks", [(1, 2), (1, 1)])
def test_a_single_game(ranks: tuple[int, int]) -> None:
    """The page of a single game has no intervals."""
    summary = summary_of(plan(("r", 1)), [game(0, ranks, (1,))])
    read(page(summary, plots(summary)))
    assert "1 games of 2 random players" in as_text(summary)
    assert summary.statistics[0].split.low is None


def test_names_are_escaped() -> None:
    """A title from a file is escaped in the page."""
    summary = summary_of(small(games=2))
    evil = replace(summary, info=replace(summary.info, title="<script>alert(1)</script>"))
    html = page(evil, plots(evil))
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_the_command_to_repeat_it() -> None:
    """The page ends with the command that plays these games again."""
    of = small("hearts", "r", 8, full=3, longest=90)
    assert command_line(replace(of, samples=7)) == (
        "blackqueen simulate hearts --players 4 --games 8 --bots r,r,r,r --seed 1 --full 3 "
        "--watch 2 --longest 90 --samples 7 --options rules=standard moon=others target=100"
    )
    hook = command_line(small("whist", games=1))
    assert "hook=true" in hook
    assert "--full" not in hook


def test_stopped_games_are_told() -> None:
    """The page, the text and the values warn of stopped games."""
    of = plan(("r", 2))
    summary = summarise(
        of,
        game_of(of.source).info,
        [game(0, (1, 2)), Run(1, ("r", "r"), (), (), ())],
        {"line 3, column 4: there is nothing to choose from": 1},
    )
    told = "1 games without an end, which do not count: line 3, column 4"
    assert told in page(summary, plots(summary))
    assert told in as_text(summary)
    assert as_json(summary)["stopped"] == summary.stopped


def test_the_summary_repeats() -> None:
    """The summary of one set of games is always equal, its intervals included."""
    of = described("Agram2", full=2)
    runs = [play(of, number) for number in range(of.games)]
    first, second = summary_of(of, runs), summary_of(of, runs)
    assert page(first, plots(first)) == page(second, plots(second))
