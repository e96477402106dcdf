"""The screen of one table after a match: who may open another, and what stays in sight."""

from typing import Any

from server.transport.page_files import FOLDER
from server.transport.page_texts import page_texts
from tests.client_web.modules import Modules

ROOM = """
const { Room } = await import("/lobby/room.js");
const { pictureOf, namesOf } = await import("/picture.js");
const { Speaker } = await import("/words.js");
sessionStorage.clear();
const words = new Speaker(texts), asked = [], tables = new Map();
const chair = (name) => ({ kind: "human", name });
const picture = (phase, seat, host, match = 1) => pictureOf({
    table: "PLUM", seq: 9, seat, view: {}, question: { turn: 0 },
    info: { table: "PLUM", game: "hearts", version: 1, title: "Hearts", phase, host, match,
        seats: ["Ann", "Bob", "Cid"].map(chair), options: {}, settings: {} },
    facts: match ? [
        { verb: "deal_scored", args: { deal: 1, scores: [1, 2, 3], totals: [1, 2, 3] } },
        { verb: "deal_scored", args: { deal: 2, scores: [1, 2, 3], totals: [2, 4, 6] } },
        { verb: "match_ended", args: { totals: [2, 4, 6], ranks: [1, 2, 3] } },
    ] : [],
});
const app = {
    texts, words, root: "http://page.test/", t: (key, args) => words.page(key, args),
    wordsFor: ({ info, legend, seat }) => new Speaker(texts, namesOf(info), legend, seat),
    memory: { get: () => null, set() {} }, session: { online: true, tables, knows: () => true },
    connection: { state: "online", ask: async () => ({ type: "error", code: "forbidden" }) },
    ask: async (type, { text }) => { asked.push(text ?? type); },
    game: async () => null, more: async () => null, say() {}, refusal: () => "", go() {},
    load: (loading) => loading(), sounds: async () => null,
};
const room = (...given) => {
    tables.set("PLUM", picture(...given));
    const made = app.screen = new Room(app, "PLUM");
    document.body.replaceChildren(made.element);
    return made;
};
const tell = (...given) => {
    tables.set("PLUM", picture(...given));
    app.screen.happened({ kind: "changed", picture: tables.get("PLUM") });
};
const settle = async () => {
    await app.screen._results;
    await new Promise((resolve) => setTimeout(resolve));
};
const buttons = () => [...document.querySelectorAll(".over button")]
    .map((each) => each.textContent);
const scores = () => document.querySelector(".scores").checkVisibility()
    && document.querySelectorAll(".scores polyline").length;
"""


def story(modules: Modules, script: str) -> Any:
    """What the script returns that goes on after `ROOM`."""
    texts = page_texts(FOLDER, "en")
    return modules.evaluate(f"async (texts) => {{ {ROOM} {script} }}", texts)


def test_everybody_may_ask_for_another_match(modules: Modules) -> None:
    """The host opens it, the others say that they would like one; a new host can open it, too."""
    host, player, asked, heir, spectator = story(
        modules,
        """room("finished", 0, 0); const host = buttons();
        room("finished", 1, 0); const player = buttons();
        document.querySelector(".over button").click();
        tell("finished", 1, 1); const heir = buttons();
        document.querySelector(".over button").click();
        room("finished", null, 0);
        return [host, player, asked, heir, buttons()];""",
    )
    rest = ["Replay", "All tables"]
    assert host == heir == ["Play again", *rest]
    assert player == ["Ask for another match", *rest]
    assert asked == ["Another match?", "rematch"]
    assert spectator == rest


def test_the_scores_stay_until_the_next_match(modules: Modules) -> None:
    """While everybody gets ready for it as well; before the first there are none."""
    assert story(
        modules,
        """const shown = [];
        room("lobby", 0, 0, 0); await settle(); shown.push(scores());
        for (const phase of ["finished", "lobby", "playing"]) {
            room(phase, 0, 0);
            await settle();
            shown.push(scores());
        }
        return shown;""",
    ) == [False, 3, 3, False]


def test_the_end_of_a_match_comes_into_view(modules: Modules) -> None:
    """Who has won stands above the cards: a page that was scrolled down goes there."""
    assert story(
        modules,
        """room("playing", 0, 0);
        document.body.style.paddingBottom = "3000px";
        scrollTo(0, 2000);
        tell("finished", 0, 0); await settle();
        const { top, bottom } = document.querySelector(".over").getBoundingClientRect();
        document.body.style.paddingBottom = "";
        return top > -1 && bottom <= innerHeight;""",
    )
