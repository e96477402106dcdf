"""The steps of logs, the addresses of moments, and the replay screen."""

import re
from typing import Any

import pytest

from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules

LOG = """
const { Timeline, before, behind, partsIn } = await import("/replay/timeline.js");
const { momentIn, addressOf, dealAddress, stepOf, secondsOf } = await import("/replay/moment.js");
const { pictureOf, follow } = await import("/picture.js");
const seats = ["Ann", "Bob"].map((name) => ({ kind: "human", name }));
const info = (phase, more = {}) => ({
    table: "PLUM", game: "hearts", title: "Hearts", version: 1, phase, host: 0, seats, options: {},
    settings: {}, match: 1, ...more,
});
const set = (key, value) => ({ do: "set", key, value });
const moved = (cards, source, target) => ({ do: "move", cards, source, target });
const laid = { do: "lay", zones: { "hand/0": 2, "hand/1": 2, trick: 0, "taken/0": 0 } };
const faced = (cards) => ({ do: "show", zone: "hand/0", cards });
const begun = (deal) => ({
    verb: "deal_started", args: { deal }, changes: [laid], holds: deal > 1,
});
const dealt = { verb: "hand_dealt", args: { seat: 0 }, changes: [faced(["QS", "2C"])] };
const played = (seat, card) => ({ verb: "card_played", args: { seat, card },
    changes: [moved([card], `hand/${seat}`, "trick")] });
const taken = (cards) => ({ verb: "trick_taken", args: { seat: 0 }, holds: true,
    changes: [moved(cards, "trick", "taken/0")] });
const scored = (deal) => ({ verb: "deal_scored", args: { deal, scores: [1, 0], totals: [1, 0] } });
const layout = { zones: [{ kind: "hand", place: "hand" }, { kind: "trick", place: "trick" },
    { kind: "taken", place: "pile" }] };
const legend = ["QS", "2C", "3C", "4C"].map((token, order) =>
    ({ token, label: token, group: "", order }));
// Two deals of one trick each; the table's beginning, and a hint of something hidden.
const entries = [
    { facts: [{ verb: "table_opened" }], info: info("lobby") },
    { facts: [{ verb: "match_started" }], info: info("playing") },
    { facts: [begun(1), dealt], question: { turn: 1, to_act: [0] }, changed: true, seat: 0 },
    { facts: [played(0, "2C")], question: { turn: 2, to_act: [1] } },
    { hidden: true },
    { facts: [played(1, "3C"), taken(["2C", "3C"]), scored(1), begun(2), dealt] },
    { facts: [played(0, "QS")] },
    { facts: [played(1, "4C"), taken(["QS", "4C"]), scored(2), { verb: "match_ended" }],
        info: info("finished") },
].map((entry, at) => ({ seq: at + 1, ...entry }));
const paged = (list, size = 3) => [...Array(Math.ceil(list.length / size)).keys()].map((at) => ({
    type: "log", id: at, table: "PLUM", seat: null, last: list.length, info: info("lobby"),
    entries: list.slice(at * size, (at + 1) * size), ...(at ? {} : { legend, layout }),
}));
const line = new Timeline(paged(entries));
"""


def story(modules: Modules, script: str, given: Any = None) -> Any:
    """The result of a script after `LOG`."""
    return modules.evaluate(f"async (given) => {{ {LOG} {script} }}", given)


def test_what_is_taken_away_is_seen_first(modules: Modules) -> None:
    """A trick is shown before it goes, and scores before the next deal."""
    steps, tricks, deals, lay = story(
        modules,
        """const name = ({ seq, part, deal, trick, isLast }) => [seq, part, deal, trick, isLast];
        const lay = line.steps.map((_, at) => line.at(at).view.zones.trick.cards.length);
        return [line.steps.map(name), line.tricks, line.deals, lay];""",
    )
    assert steps == [
        [3, 0, 1, 0, True],
        [4, 0, 1, 1, True],
        [6, 0, 1, 1, False],
        [6, 1, 1, 1, False],
        [6, 2, 2, 0, True],
        [7, 0, 2, 1, True],
        [8, 0, 2, 1, False],
        [8, 1, 2, 1, False],
        [8, 2, 2, 1, True],
    ]
    assert (tricks, deals) == ([1, 5], [0, 4])
    assert lay == [0, 1, 2, 0, 0, 1, 2, 0, 0]


def test_moves_that_were_taken_back_are_one_step(modules: Modules) -> None:
    """Moves that were taken back are one step."""
    parts = story(
        modules,
        """const again = [{ verb: "undone" }, begun(2), dealt, played(0, "QS"), taken(["QS"])];
        return [partsIn(again).length, partsIn([]).length];""",
    )
    assert parts == [1, 1]


def test_one_goes_by_steps_tricks_and_deals(modules: Modules) -> None:
    """One can go by steps, tricks and deals, within the log's ends."""
    assert story(
        modules,
        """return [before(line.tricks, 4), before(line.tricks, 1), before(line.deals, 4),
            behind(line.tricks, 0, 9), behind(line.tricks, 5, 9), behind(line.deals, 4, 9)];""",
    ) == [1, 0, 0, 1, 8, 8]


def test_an_address_leads_to_the_same_moment(modules: Modules) -> None:
    """An address leads to its moment in every view, or to the nearest one before it."""
    same, found, first = story(
        modules,
        """const same = line.steps.every((step, at) => ["own", "all", 0, 1].every((view) => {
            const moment = momentIn(addressOf(step, view));
            return moment.view === view && stepOf(line, moment) === at;
        }));
        const at = (hash) => stepOf(line, momentIn(hash));
        return [same, ["#step=5", "#step=6.9", "#step=99", "#deal=1.2", dealAddress(1, 1)].map(at),
            ["", "#", "#step=QS", "#step=-1", "#deal=9.9", "#view=0", "#play=%7B%7D"].map((hash) =>
                [at(hash), momentIn(hash).view])];""",
    )
    assert same
    assert found == [1, 4, 8, 4, 0]
    assert first == [[0, "own"]] * 7


def test_what_goes_next_is_shown_for_longer(modules: Modules) -> None:
    """Complete tricks and scores are shown for longer, divided by the speed."""
    play, trick, score, fast = story(
        modules,
        """const seconds = (at, speed = 1) => secondsOf(line.steps[at], speed);
        return [seconds(1), seconds(2), seconds(3), seconds(1, 4)];""",
    )
    assert play < trick < score
    assert fast == pytest.approx(play / 4)


def test_a_gap_and_an_unknown_change_are_noticed(modules: Modules) -> None:
    """A gap or an unknown change is reported, and nothing wrong is shown."""
    assert story(
        modules,
        """const failed = (list) => { try { new Timeline(paged(list)); } catch (error) {
            return error.constructor.name; } };
        const odd = { seq: 1, facts: [{ verb: "x", changes: [{ do: "juggle" }] }] };
        return [failed(entries.slice(1)), failed([odd])];""",
    ) == ["Gap", "UnsupportedEvent"]


def test_any_moment_of_a_long_match_is_near_a_picture_that_is_kept(modules: Modules) -> None:
    """Cached pictures bound the facts folded for any moment to some thirty entries."""
    steps, most = story(
        modules,
        """let read = 0;
        const counted = (fact) => Object.defineProperty({ ...fact }, "changes", { enumerable: true,
            get: () => { read += 1; return fact.changes; } });
        const long = entries.slice(0, 3).map((entry) => ({ ...entry }));
        while (long.length < 3000) {
            const [one, other] = long.length % 2 ? ["hand/0", "trick"] : ["trick", "hand/0"];
            const fact = counted({ verb: "x", changes: [moved(["QS"], one, other)] });
            long.push({ seq: long.length + 1, facts: [fact] });
        }
        const longer = new Timeline(paged(long, 250));
        let most = 0;
        for (let at = 0; at < longer.length; at += 7) {
            read = 0;
            longer.at(at);
            most = Math.max(most, read);
        }
        return [longer.length, most];""",
    )
    assert steps == 2998
    # Each fact is looked at twice: whether its changes are known, and to apply them.
    assert 0 < most <= 3 * 32


SCREEN = """
const { Replay } = await import("/replay/replay.js");
const { Speaker } = await import("/words.js");
const words = new Speaker(given);
const said = [], asked = [];
const app = {
    texts: given, words, memory: { get: () => null, set() {} },
    root: "http://page.test/", load: (part) => part(),
    t: (key, args) => words.page(key, args), say: (text) => said.push(text),
    alert: (text) => said.push(text), refusal: (error) => error.reason,
    go: (path) => said.push(path),
    connection: { ask: async (type, { after, seat = null }) => {
        asked.push([type, after, seat]);
        return answer(after, seat);
    } },
};
const open = async (hash) => {
    history.replaceState(null, "", `/${hash}`);
    document.body.replaceChildren();
    app.screen = null;
    const screen = new Replay(app, "PLUM");
    app.screen = screen;
    document.body.append(screen.element);
    await settle();
    return screen;
};
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
const text = (which) => document.querySelector(which).textContent;
const press = (key, target = document.body) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const views = () => [...document.querySelectorAll(".replay .head option")]
    .map((each) => each.textContent);
"""


def screen(modules: Modules, script: str) -> Any:
    """The result of a script about the replay screen; `answer(after, seat)` is the server."""
    return story(modules, f"{SCREEN} {script}", page_texts(FOLDER, "en"))


OPEN = "const answer = (after) => paged(entries)[Math.floor(after / 3)];"
"""A server that tells everybody the same."""


def test_the_screen_goes_through_a_match_by_keys(modules: Modules) -> None:
    """Left and right go by steps, up and down by tricks, pages by deals, Home and End to ends."""
    places, captions, asked = screen(
        modules,
        OPEN
        + """const shown = await open("");
        const places = [text(".where")], captions = [text(".caption")];
        for (const key of ["ArrowRight", "ArrowUp", "PageDown", "End", "ArrowLeft", "Home"]) {
            press(key);
            places.push(text(".where").split(" · ")[1]);
            captions.push(text(".caption"));
        }
        shown.end();
        return [places, captions, asked];""",
    )
    assert places[0] == "Deal 1 · step 1 of 9"
    assert [place.split()[1] for place in places[1:]] == ["2", "6", "5", "9", "8", "1"]
    assert captions[1] == "You play 2C."
    assert asked == [["log", 0, None], ["log", 3, None], ["log", 6, None]]


def test_a_link_leads_to_the_moment_and_the_view(modules: Modules) -> None:
    """A link leads to a moment and a view, and the address follows what is shown."""
    where, menu, asked, hash = screen(
        modules,
        OPEN
        + """const shown = await open("#step=6.1&view=all");
        const where = text(".where");
        press("ArrowRight");
        await new Promise((resolve) => setTimeout(resolve, 500));
        const { hash } = location;
        shown.end();
        return [where, views(), asked.map(([, , seat]) => seat), hash];""",
    )
    assert where.endswith("step 4 of 9")
    assert menu == ["What you saw", "All hands", "What Ann saw", "What Bob saw"]
    assert asked == [None] * 3 + [0] * 3 + [1] * 3
    assert hash == "#step=6&view=all"


def test_another_address_of_the_same_replay_moves_there(modules: Modules) -> None:
    """Another address of the replay moves there without requests; a forbidden view is one's own."""
    places, asked = screen(
        modules,
        OPEN
        + """const shown = await open("#step=3");
        const places = [];
        for (const hash of ["#step=6.1", "#deal=1.2&view=9", "#step=8&view=2"]) {
            history.replaceState(null, "", `/${hash}`);
            const here = shown.isAt("t/PLUM/replay");
            await settle();
            places.push([here, text(".where").split(" · ")[1],
                document.querySelector(".head select").value]);
        }
        const elsewhere = shown.isAt("t/PLUM");
        shown.end();
        return [[...places, elsewhere], asked.length];""",
    )
    assert places == [
        [True, "step 4 of 9", "own"],
        [True, "step 5 of 9", "own"],
        [True, "step 9 of 9", "1"],
        False,
    ]
    assert asked == 6


def test_a_view_that_cannot_be_read_leaves_what_is_shown(modules: Modules) -> None:
    """A view that cannot be read is reported, and the shown one stays selected."""
    told, where, view = screen(
        modules,
        """const answer = (after, seat) => seat === null ? paged(entries)[Math.floor(after / 3)]
            : { type: "error", code: "table_damaged", reason: "Broken." };
        const shown = await open("#step=4");
        const menu = document.querySelector(".head select");
        menu.value = "all";
        menu.dispatchEvent(new Event("change"));
        await settle();
        shown.end();
        return [said.at(-1), text(".where"), menu.value];""",
    )
    assert told == "Broken."
    assert where.endswith("step 2 of 9")
    assert view == "own"


def test_a_dragged_slider_is_followed_once_a_frame(modules: Modules) -> None:
    """A dragged slider is drawn once a frame."""
    told, where = screen(
        modules,
        OPEN
        + """const shown = await open("");
        const slider = document.querySelector("input[type=range]");
        const told = [];
        new MutationObserver((changes) => told.push(changes.length))
            .observe(document.querySelector(".where"), { childList: true });
        for (const step of [3, 5, 7]) {
            slider.value = step;
            slider.dispatchEvent(new Event("input"));
        }
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        const where = text(".where");
        shown.end();
        return [told.length, where];""",
    )
    assert told == 1
    assert where.endswith("step 8 of 9")


def test_it_plays_by_itself_until_somebody_goes_elsewhere(modules: Modules) -> None:
    """Space starts and stops playing, a manual step stops it, and at the end it restarts."""
    before, playing, after = screen(
        modules,
        OPEN
        + """const shown = await open("#step=8");
        const play = document.querySelector(".controls button[aria-label=Play]");
        const names = () => play.getAttribute("aria-label");
        const paused = names();
        press(" ");
        const playing = [names(), text(".where").split(" · ")[1]];
        press("ArrowRight");
        const stopped = names();
        shown.end();
        return [paused, playing, stopped];""",
    )
    assert before == after == "Play"
    assert playing == ["Pause", "step 1 of 9"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('{ type: "error", code: "forbidden", reason: "x" }', "You may not see what happened here"),
        ('{ type: "error", code: "unknown_table", reason: "x" }', "There is no such table"),
        ('{ type: "error", code: "table_damaged", reason: "Broken." }', "Broken."),
        ("paged(entries.slice(0, 2))[0]", "There is nothing here that you may see yet."),
        ("paged(entries.slice(1))[0]", "This page cannot follow"),
    ],
)
def test_what_may_not_be_seen_is_refused_in_a_sentence(
    modules: Modules, answer: str, told: str
) -> None:
    """A refused replay shows a sentence, and no table, slider or file."""
    status, said, hidden = screen(
        modules,
        f"""const answer = () => ({answer});
        const shown = await open("#step=3&view=all");
        const hidden = ["body", "head select", "head button"].map((which) =>
            document.querySelector(`.replay .${{which}}`).hidden);
        shown.end();
        return [text(".replay > p"), said, hidden];""",
    )
    assert status.startswith(told)
    assert said == [status]
    assert hidden == [True] * 3


def test_a_match_that_could_not_be_watched_has_one_view(modules: Modules) -> None:
    """A match that could not be watched, or is in play, has one view."""
    menus = screen(
        modules,
        """const menus = [];
        let last = {};
        const told = () => [...entries.slice(0, 7), { ...entries[7], info: last }];
        const answer = (after) => paged(told())[Math.floor(after / 3)];
        for (last of [info("finished", { settings: { watchable: false } }), info("playing")]) {
            const shown = await open("#view=2");
            const { hidden } = document.querySelector(".head select");
            menus.push([hidden, views().length, asked.length]);
            shown.end();
        }
        return menus;""",
    )
    assert menus == [[True, 1, 3], [True, 1, 6]]


def test_a_match_is_over_while_everybody_gets_ready_for_the_next(modules: Modules) -> None:
    """Views and review of a match stay until the next one begins; a first lobby has none."""
    after, first = screen(
        modules,
        """app.session = { knows: () => true };
        const seen = [];
        const told = () => [...entries, { seq: 9, info: lobby }];
        const answer = (after) => paged(told())[Math.floor(after / 3)];
        let lobby = null;
        for (lobby of [info("lobby"), info("lobby", { match: 0 })]) {
            const shown = await open("");
            const judge = [...document.querySelectorAll(".head button")]
                .find((each) => each.textContent === "Review");
            seen.push([views().length, judge.hidden]);
            shown.end();
        }
        return seen;""",
    )
    assert after == [4, False]
    assert first == [1, True]


def test_a_file_has_what_the_log_gave(modules: Modules) -> None:
    """The file has the log as received, and its name has the table's code."""
    name, kept = screen(
        modules,
        OPEN
        + """const shown = await open("");
        let name = "", file = null;
        const made = URL.createObjectURL;
        URL.createObjectURL = (blob) => { file = blob; return "blob:x"; };
        document.addEventListener("click", (event) => {
            if (event.target.localName !== "a") return;
            name = event.target.download;
            event.preventDefault();
        });
        [...document.querySelectorAll(".head button")]
            .find((each) => each.textContent === "Download").click();
        URL.createObjectURL = made;
        shown.end();
        return [name, JSON.parse(await file.text())];""",
    )
    assert name == "blackqueen-PLUM.json"
    assert kept["table"] == "PLUM"
    (log,) = kept["logs"]
    assert [entry["seq"] for entry in log["entries"]] == list(range(1, 9))
    assert len(log["legend"]) == 4
    assert not re.search(r"\bid\b", " ".join(log))


def test_the_moment_that_is_shown_is_shared_by_its_link(modules: Modules) -> None:
    """A shared link has the moment and the view, and stops playing."""
    hidden, link, how, opened, playing = screen(
        modules,
        OPEN
        + """const sharing = () => [...document.querySelectorAll(".head button")]
            .find((each) => each.textContent === "Share …");
        const opening = open("#step=6.1&view=all");
        const { hidden } = sharing();
        const shown = await opening;
        press(" ");
        sharing().click();
        let dialog = null;
        while (!(dialog = document.querySelector("dialog"))) await settle();
        const link = dialog.querySelector("input").value;
        const how = dialog.querySelector("p").textContent;
        const moment = momentIn(new URL(link).hash);
        dialog.close();
        const play = document.querySelector(".controls button[aria-label=Play]");
        shown.end();
        return [hidden, link, how, [moment.view, stepOf(line, moment)], Boolean(play)];""",
    )
    assert hidden
    assert link == "http://page.test/t/PLUM/replay#step=6.1&view=all"
    assert "sees this moment" in how
    assert opened == ["all", 3]
    assert playing


def test_a_review_shows_each_decision_beside_the_bots(modules: Modules) -> None:
    """A decision of a review leads to the position before it, with both moves marked."""
    asked, rows, whole, where, again, by_deal = screen(
        modules,
        OPEN
        + """const pages = [
            { type: "review", more: 1, decisions: [{ entry: 4, deal: 1, action: "play 2C",
                best: "play 2C", given_away: { points: 0 }, worth: { points: 5 },
                phrase: { code: "review_same", args: {
                    deal: 1, trick: 1, nth: 1, move: "play 2C" } } }] },
            { type: "review", decisions: [{ entry: 7, deal: 2, action: "play QS", best: "play 2C",
                given_away: { points: 3, error: 1 }, worth: { points: -1 },
                phrase: { code: "review_worse", args: { deal: 2, trick: 1, nth: 1,
                    move: "play QS", other: "play 3C", points: "2 ± 1" } } }],
                summary: { worst: 1, turns: [{ at: 0 }, { at: 1 }], phrases: [
                    { code: "review_nothing", args: {} },
                    { code: "review_worst", args: { move: "play QS" } },
                    { code: "review_turn", args: { nth: 1 } },
                    { code: "review_turn", args: { nth: 2 } },
                    { code: "constructor" }] } },
        ];
        const questions = [];
        app.session = { knows: (feature) => feature === "review" };
        const log = app.connection.ask;
        app.connection.ask = async (type, fields) => {
            if (type === "log") return log(type, fields);
            questions.push(fields);
            return pages.shift() ?? { type: "error", code: "wrong_phase", reason: "Not yet." };
        };
        const more = window.fetch;
        window.fetch = async () => ({ json: async () => ({ reviews: {
            review_same: "{move}, as the bot.", review_worse: "{move}, not {other}: {points}.",
            review_nothing: "That is all.", review_worst: "Worst: {move}.",
            review_turn: "Turn {nth}." } }) });
        const shown = await open("#view=1");
        const judge = [...document.querySelectorAll(".head button")]
            .find((each) => each.textContent === "Review");
        judge.click();
        while (!document.querySelector(".review .whole li")) await settle();
        const rows = [...document.querySelectorAll(".review .decisions button")];
        const texts = rows.map((row) => [...row.children].map((part) => part.textContent)
            .concat(row.className));
        const folded = [...document.querySelectorAll(".review details:not([hidden])")]
            .map((each) => each.querySelector("summary").textContent);
        const deals = [...document.querySelectorAll(".review h3")].map((each) => each.textContent);
        rows[1].click();
        const there = [text(".where"), text(".caption"), [...document.querySelectorAll(".card")]
            .filter((card) => card.matches(".is-played, .is-better"))
            .map((card) => [card.getAttribute("aria-label"),
                card.classList.contains("is-better") ? "better" : "played"])];
        press("ArrowRight");
        there.push(document.querySelectorAll(".is-played, .is-better").length);
        const circles = document.querySelectorAll(".review .course .turn").length;
        const told = [[...document.querySelectorAll(".review .whole li")].map((each) => {
            const { firstElementChild: leads } = each;
            leads?.click();
            return [each.textContent, leads && text(".where").split(" · ")[1]];
        }), there];
        judge.click();
        while (text(".review p") !== "Not yet.") await settle();
        const again = document.querySelectorAll(".review").length;
        window.fetch = more;
        shown.end();
        return [questions, texts, ...told, again, [folded, deals, circles]];""",
    )
    assert asked[:2] == [
        {"table": "PLUM", "match": 1, "after": 0, "seat": 0},
        {"table": "PLUM", "match": 1, "after": 1, "seat": 0},
    ]
    assert rows == [
        ["2C, as the bot.", "", ""],
        ["QS, not 3C: 2 ± 1.", "A costly mistake.", "worse"],
    ]
    assert whole == [
        ["That is all.", None],
        ["Worst: QS.", "step 5 of 9"],
        ["Turn 1.", "step 1 of 9"],
        ["Turn 2.", "step 5 of 9"],
    ]
    place, caption, marks, left = where
    assert (place, caption) == (
        "Deal 2 · step 5 of 9",
        "QS, not 3C: 2 ± 1. A costly mistake.",
    )
    assert marks == [
        ["QS, the move that was made", "played"],
        ["2C, the bot's move", "better"],
    ]
    assert left == 0
    assert again == 1
    folded, deals, circles = by_deal
    assert folded == ["1 decision as the bot would decide"]
    assert deals == ["Deal 1 · 0.0 points given away", "Deal 2 · 3.0 points given away"]
    assert circles == 2


def test_how_a_match_ends_can_be_hidden(modules: Modules) -> None:
    """Hiding the end hides how long the match is and its review, until its last step is seen."""
    before, after = screen(
        modules,
        OPEN
        + """app.session = { knows: () => true };
        const shown = await open("#view=1");
        const buttons = () => [...document.querySelectorAll(".head button")]
            .filter((each) => !each.hidden).map((each) => each.textContent);
        const seen = () => [text(".where"), document.querySelector(".track").hidden, buttons()];
        [...document.querySelectorAll(".head button")]
            .find((each) => each.textContent === "Hide the end").click();
        const veiled = seen();
        press("End");
        const open_ = seen();
        shown.end();
        return [veiled, open_];""",
    )
    place, hidden, offered = before
    assert (place, hidden) == ("Deal 1", True)
    assert "Review" not in offered
    place, hidden, offered = after
    assert (place, hidden) == ("Deal 2, trick 1 · step 9 of 9", False)
    assert "Review" in offered


def test_a_match_goes_on_from_a_step(modules: Modules) -> None:
    """Playing on opens a private table from the step that is shown, where somebody is to move."""
    sent, went, offered = screen(
        modules,
        OPEN
        + """app.session = { knows: () => true };
        const sent = [], went = [];
        app.ask = async (type, fields) => (sent.push([type, fields]), { table: "FIGS" });
        app.go = (path) => went.push(path);
        const shown = await open("#step=4&view=2");
        const onward = [...document.querySelectorAll(".head button")]
            .find((each) => each.textContent === "Play on from here");
        const offered = [onward.disabled];
        onward.click();
        while (!went.length) await settle();
        press("End");
        offered.push(onward.disabled);
        shown.end();
        return [sent, went, offered];""",
    )
    position = {"table": "PLUM", "entry": 4, "seat": 1}
    table = {"game": "hearts", "settings": {"private": True}, "position": position}
    assert sent == [["create_table", table]]
    assert went == ["t/FIGS"]
    assert offered == [False, True]


def test_a_wait_for_the_bot_that_takes_longer_says_so(modules: Modules) -> None:
    """A longer wait for the bot is told after the announced time, with its progress."""
    assert screen(
        modules,
        """const { Review } = await import("/review/review.js");
        const { setTimeout: later } = window, clock = performance.now, wall = Date.now, told = [];
        let now = 0;
        performance.now = Date.now = () => now;
        window.setTimeout = (call) => later(call);
        const left = [[29, 0], [21, 8], [21, 29], [40, 30], [null, 70]];
        const answer = () => {};
        app.connection.ask = async () => {
            told.push(review.element.querySelector("p").textContent);
            if (!left.length) return { type: "review", summary: {} };
            const [seconds, at] = left.shift();
            now = 1000 * at;
            return { type: "review", seconds, done: 3, of: 9 };
        };
        const review = new Review(app, "PLUM", words, pictureOf({ info: info("finished"),
            view: {}, question: { turn: 0 } }), () => {});
        try {
            await review.read(1, null);
        } finally {
            Object.assign(window, { setTimeout: later });
            Object.assign(performance, { now: clock });
            Date.now = wall;
        }
        return told.slice(1).map((text) => text.replace("\u00a0", " "));""",
    ) == [
        "The bot is being prepared, about 29 s.",
        "The bot is being prepared, about 21 s.",
        "The bot is being prepared, about 21 s.",
        "The bot is being prepared, which takes longer than expected: about 40 s more.",
        "The bot has looked at 3 of 9 moves.",
    ]


def test_titles_are_in_the_language_of_the_page(modules: Modules) -> None:
    """Titles in a replay are in the page's language."""
    titles = screen(
        modules,
        OPEN
        + """given.titles[""] = { held: "gehalten" };
        layout.zones[0].title = "held";
        const shown = await open("#step=6.1");
        // The table in words comes after its first picture.
        while (!text(".table").includes(": QS")) await settle();
        const seen = text(".table");
        shown.end();
        return seen;""",
    )
    assert "gehalten: QS" in titles
    assert "held" not in titles
