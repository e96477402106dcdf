"""The past matches that a browser stores, and how the lobby shows them."""

from typing import Any

from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules

PAST = """
const { remember, pastMatches } = await import("/lobby/past.js");
const { Speaker } = await import("/words.js");
const words = new Speaker(texts), kept = new Map(), went = [];
const memory = {
    get: (name) => kept.get(name) ?? null, set: (name, value) => kept.set(name, value),
};
const app = {
    texts, memory, words, session: { knows: () => true },
    t: (key, args) => words.page(key, args), go: (path) => went.push(path),
};
const over = (table, ...names) =>
    remember(memory, { info: {
        table, title: "Hearts", match: 3, seats: names.map((name) => ({ name })) } });
const rows = () => [...pastMatches(app).querySelectorAll("li")];
"""


def story(modules: Modules, script: str) -> Any:
    """The result of a script after `PAST`."""
    texts = page_texts(FOLDER, "en")
    return modules.evaluate(f"async (texts) => {{ {PAST} {script} }}", texts)


def test_the_latest_match_comes_first(modules: Modules) -> None:
    """The latest match comes first, each table has one row, and the oldest are dropped."""
    first, names, count, went = story(
        modules,
        """for (let at = 0; at < 12; at++) over(`T${at}`, "Ann", "Bob");
        over("T7", "Ann", "", "<b>");
        const shown = rows();
        for (const each of shown[0].querySelectorAll("button")) each.click();
        return [shown.map((row) => row.querySelector("span").textContent.split(" ")[1]),
            shown[0].querySelector("p").textContent, shown.length, went];""",
    )
    assert first == ["T7", "T11", "T10", "T9", "T8", "T6", "T5", "T4", "T3", "T2"]
    assert names == "Ann, <b>"
    assert count == 10
    assert went == ["t/T7/replay#deal=3.1", "t/T7/replay#deal=3.1&review"]


def test_what_another_version_has_kept_is_left_out(modules: Modules) -> None:
    """Entries of another version are left out, and the rest is shown."""
    assert story(
        modules,
        """const counts = [];
        for (const strange of [7, "x", [null, { code: "../x", names: [], at: 1 }, { code: "A" }]]) {
            memory.set("past", strange);
            counts.push(rows().length);
        }
        over("B", "Ann");
        return [...counts, rows().length];""",
    ) == [0, 0, 0, 1]


def test_a_past_match_shows_its_result(modules: Modules) -> None:
    """A row says how the match ended for the player, and names all by rank with their scores."""
    won, third, watched, practice = story(
        modules,
        """const seats = ["Ann", "Bob", "Cid"].map((name) => ({ name }));
        const ended = (table, seat, ranks, totals) => remember(memory, { seat,
            info: { table, title: "Hearts", match: 1, seats },
            facts: [{ verb: "deal_scored", args: {} },
                { verb: "match_ended", args: { ranks, totals } }] });
        remember(memory, { info: { table: "A", title: "Hearts", match: 1, seats }, seat: 0,
            facts: [] });
        ended("B", null, [1, 2, 2], [5, -3, -3]);
        ended("C", 2, [1, 2, 3], [30, 20, -10]);
        remember(memory, { info: { table: "C", title: "Hearts", match: 1, seats }, seat: 2 });
        ended("D", 1, [2, 1, 3], [20, 30, 10]);
        return rows().map((row) => [row.querySelector(".place")?.textContent ?? null,
            row.querySelector("p").textContent]);""",
    )
    assert won == ["Won", "1. You 30 · 2. Ann 20 · 3. Cid 10"]
    assert third == ["Place 3 of 3", "1. Ann 30 · 2. Bob 20 · 3. You −10"]
    assert watched == [None, "1. Ann 5 · 2. Bob −3 · 2. Cid −3"]
    assert practice == [None, "Ann, Bob, Cid"]
