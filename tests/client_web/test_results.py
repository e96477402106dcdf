"""The page after a match: its scores by deal, and all matches at the table."""

from typing import Any

from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules

BEGIN = """
const { scored, isWhole, linesOf, eveningOf } = await import("/result/scores.js");
const { AfterMatch } = await import("/result/after_match.js");
const { Speaker } = await import("/words.js");
const info = (match, names = ["Ann", "Bob", "Cid"], more = {}) => ({
    match, ...more, seats: names.map((name) => ({ kind: "human", name })),
});
const deal = (number, scores, totals) => ({
    verb: "deal_scored", args: { deal: number, scores, totals },
});
const end = (...ranks) => ({ verb: "match_ended", args: { ranks, totals: [] } });
const first = [deal(1, [1, 2, 1], [1, 2, 1]), deal(2, [4, 0, 4], [5, 2, 5]), end(1, 3, 1)];
const words = new Speaker(texts);
const kept = new Map();
const memory = {
    get: (name) => kept.get(name) ?? null, set: (name, value) => kept.set(name, value),
};
const shown = async (facts, match, seat = null, ...pages) => {
    sessionStorage.clear();
    const asked = [];
    const ask = async (type, fields) => { asked.push([type, fields.after]); return pages.shift(); };
    const app = { t: (key, args) => words.page(key, args), connection: { ask }, memory, root: "http://page.test/x/",
        load: (loading) => loading(),
        go: (path) => asked.push(path) };
    const after = new AfterMatch(app, "PLUM");
    after.follow({ info: match }, facts);
    await after.show({ table: "PLUM", info: match, seat }, () => {});
    return [after.element, asked];
};
"""


def story(modules: Modules, script: str) -> Any:
    """The result of a script after `BEGIN`."""
    texts = page_texts(FOLDER, "en")
    return modules.evaluate(f"async (texts) => {{ {BEGIN} {script} }}", texts)


def test_deals_are_kept_by_match(modules: Modules) -> None:
    """Deals are stored by match, each once even if told again."""
    deals, whole, begun = story(
        modules,
        """let results = scored([], info(1), first.slice(0, 2));
        results = scored(results, info(1), first);
        const begun = isWhole(scored(results, info(2), [deal(2, [1, 1, 1], [3, 3, 3])]), 2);
        return [results.map(({ match, deals }) => [match, deals.length]),
            isWhole(results, 1), begun];""",
    )
    assert deals == [[1, 2]]
    assert whole
    assert not begun


def test_partners_share_a_line(modules: Modules) -> None:
    """Partners share a line, which begins with the first known deal."""
    lines = story(
        modules, "return linesOf(scored([], info(1), [deal(3, [4, 0, 4], [9, 2, 9])])[0]);"
    )
    assert lines == [
        {"names": ["Ann", "Cid"], "points": [5, 9]},
        {"names": ["Bob"], "points": [2, 2]},
    ]


def test_the_evening_goes_by_name(modules: Modules) -> None:
    """The list of matches goes by player names, whatever the seats; practice has no result."""
    evening = story(
        modules,
        """let results = scored([], info(1), first);
        const names = ["Bob", "Dora", "Ann"];
        results = scored(results, info(2, names), [deal(1, [3, 2, 1], [3, 2, 1]), end(1, 2, 3)]);
        results = scored(results, info(3, names, { practice: true }), [end(1, 2, 3)]);
        return eveningOf(results).map(({ name, totals, won }) => [name, ...totals, won]);""",
    )
    assert evening == [
        ["Ann", 5, 1, 1],
        ["Bob", 2, 3, 1],
        ["Cid", 5, None, 1],
        ["Dora", None, 2, 0],
    ]


def test_what_was_seen_is_drawn_without_asking(modules: Modules) -> None:
    """Known deals are drawn without requests: a line a player or team, and a table of figures."""
    lines, names, cells, asked = story(
        modules,
        """const [element, asked] = await shown(first, info(1));
        const all = (which) => [...element.querySelectorAll(which)];
        return [all("polyline").map((each) => each.getAttribute("points")),
            all("text.name").map((each) => each.textContent),
            all("tbody td").map((each) => each.textContent), asked];""",
    )
    assert names == ["Ann, Cid", "Bob"]
    assert cells == ["1", "1", "2", "1", "2", "4", "0", "4", "Total", "5", "2", "5"]
    assert asked == []
    for line in lines:
        points = [tuple(map(float, point.split(","))) for point in line.split()]
        assert len(points) == 3
        assert all(0 <= x <= 600 and 0 <= y <= 220 for x, y in points)


def test_a_chart_numbers_its_deals_and_tells_of_the_reader(modules: Modules) -> None:
    """A chart omits overlapping deal numbers, and names the reader as elsewhere."""
    scale, numbers, names, heads = story(
        modules,
        """const many = Array.from({ length: 40 }, (_, at) =>
            deal(at + 1, [0, 0, 0], [at ? -2 * at : 1, 0, -1]));
        const [element] = await shown([...many, end(3, 1, 2)], info(1), 0);
        const all = (which) => [...element.querySelectorAll(which)].map((each) => each.textContent);
        return [all("text.scale"), all("text.number"), all("text.name"), all("th")];""",
    )
    assert scale == ["0", "−78", "Deal"]
    assert "40" in numbers
    assert 4 < len(numbers) < 40
    assert names == ["You", "Bob", "Cid"]
    assert heads == ["Deal", "You", "Bob", "Cid"]


def test_a_deal_leads_to_its_moment_in_the_replay(modules: Modules) -> None:
    """A deal links to its moment in the replay, from the table and from the chart."""
    links, titles, went = story(
        modules,
        """const [element, went] = await shown(first, info(1));
        const links = [...element.querySelectorAll("tbody a")];
        const areas = [...element.querySelectorAll("rect.deal")];
        links[1].click(); areas[0].dispatchEvent(new MouseEvent("click"));
        return [links.map((each) => each.href), areas.map((each) => each.textContent), went];""",
    )
    assert links == [f"http://page.test/x/t/PLUM/replay#deal=1.{deal}" for deal in (1, 2)]
    assert titles == ["Replay from deal 1", "Replay from deal 2"]
    assert went == ["t/PLUM/replay#deal=1.2", "t/PLUM/replay#deal=1.1"]


def test_what_was_not_seen_is_read_from_the_log(modules: Modules) -> None:
    """Unknown deals are read from the log."""
    heads, asked = story(
        modules,
        """const page = (last, info, seq, facts) =>
            ({ type: "log", last, info, entries: [{ seq, facts }] });
        const [element, asked] = await shown(first.slice(1), info(2), null,
            page(9, info(1), 5, first), page(9, info(2), 9, first));
        return [[...element.querySelectorAll("th")].map((each) => each.textContent), asked];""",
    )
    assert asked == [["log", 0], ["log", 5]]
    assert heads == ["Deal", "Ann", "Bob", "Cid", "", "Match 1", "Match 2", "Won"]


def test_a_log_that_is_refused_leaves_what_was_seen(modules: Modules) -> None:
    """A refused log leaves the known deals, and a single one is a sentence."""
    children = story(
        modules,
        """const refused = { type: "error", code: "forbidden" };
        const over = info(1, undefined, { phase: "finished" });
        const [element] = await shown(first.slice(1), over, null, refused);
        return element.children.length;""",
    )
    assert children == 0
