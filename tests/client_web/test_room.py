"""The screen of a table after a match: who may open another, and what stays in sight."""

import json
from typing import Any

import pytest

from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules

ROOM = """
const { Room } = await import("/room/room.js");
const { pictureOf, namesOf, withNotice } = await import("/picture.js");
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
    memory: { get: () => null, set() {} },
    session: { online: true, reaches: () => true, tables, knows: () => true },
    said: { of: () => [] },
    connection: { state: "online", ask: async () => ({ type: "error", code: "forbidden" }) },
    ask: async (type, { text }) => { asked.push(text ?? type); },
    game: async () => null, more: async () => null, say() {}, refusal: () => "", go() {},
    around() {},
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
    await app.screen._result;
    await import("/result/chart.js");
    await new Promise((resolve) => setTimeout(resolve));
};
const buttons = () => [...document.querySelectorAll(".over button")]
    .map((each) => each.textContent);
const scores = () => document.querySelector(".scores").checkVisibility()
    && document.querySelectorAll(".scores polyline").length;
"""


def story(modules: Modules, script: str, language: str = "en") -> Any:
    """The result of a script after `ROOM`."""
    texts = page_texts(FOLDER, language)
    return modules.evaluate(f"async (texts) => {{ {ROOM} {script} }}", texts)


def test_everybody_may_ask_for_another_match(modules: Modules) -> None:
    """The host can open another match, others can ask for it, and a new host can open it too."""
    host, player, asked, heir, spectator = story(
        modules,
        """room("finished", 0, 0); await settle(); const host = buttons();
        room("finished", 1, 0); await settle(); const player = buttons();
        document.querySelector(".over button").click();
        tell("finished", 1, 1); await settle(); const heir = buttons();
        document.querySelector(".over button").click();
        room("finished", null, 0); await settle();
        return [host, player, asked, heir, buttons()];""",
    )
    rest = ["Replay", "Review", "All tables"]
    assert host == heir == ["Play again", *rest]
    assert player == ["Ask for another match", *rest]
    assert asked == ["Another match?", "rematch"]
    assert spectator == ["Replay", "All tables"]


def test_who_was_removed_may_look_back_and_says_nothing(modules: Modules) -> None:
    """A removed player has links to the last match, and no chat."""
    seen, gone = story(
        modules,
        """const gone = [];
        app.go = (path) => gone.push(path);
        const made = room("lobby", 1, 0, 3);
        await settle();
        tables.delete("PLUM");
        made.happened({ kind: "closed", picture: { table: "PLUM" }, reason: "kicked" });
        await settle();
        const shown = [...made.element.querySelectorAll("button, input")]
            .filter((each) => each.checkVisibility());
        shown.find((each) => each.textContent === "Replay").click();
        return [shown.map((each) => each.textContent || each.name), gone];""",
    )
    assert sorted(seen) == ["All tables", "Replay", "Review"]
    assert gone == ["t/PLUM/replay#deal=3.1"]


def test_who_was_removed_is_not_offered_to_watch(modules: Modules) -> None:
    """A removed player is not offered to watch; others who may not sit down are."""
    offered = story(
        modules,
        """const offered = [];
        for (const code of ["removed", "not_let_in"]) {
            room("lobby", null, 0);
            app.screen.refused({ code: "forbidden", phrase: { code, args: {} } });
            await settle();
            offered.push(buttons());
        }
        return offered;""",
    )
    assert offered == [["All tables"], ["Watch", "All tables"]]


def test_a_bot_that_plays_for_me_outlives_another_language(modules: Modules) -> None:
    """A bot playing for me continues after a change of language, but not otherwise."""
    played = story(
        modules,
        """const played = [];
        const seen = async () => {
            await settle();
            played.push(app.screen.isPlayedFor);
        };
        await room("playing", 0, 0).toggleBot();
        await seen();
        app.screen.keepBot();
        app.screen.end();
        room("playing", 0, 0); await seen();
        app.screen.end();
        room("playing", 0, 0); await seen();
        app.screen.keepBot();
        history.replaceState({ bot: "PEAR" }, "");
        room("playing", 0, 0); await seen();
        return played;""",
    )
    assert played == [True, True, False, False]


def test_the_host_may_make_somebody_else_the_host(modules: Modules) -> None:
    """The host may make another present player the host, before and after a match."""
    starred, offered, sent, later = story(
        modules,
        """let away = null;
        const told = (seats) => seats.map((each, at) => ({ ...each, away: at === away }));
        const sent = [];
        app.ask = async (type, { seat }) => { sent.push([type, seat]); };
        const at = (phase, host) => {
            const made = picture(phase, 0, host);
            return { ...made, info: { ...made.info, seats: told(made.info.seats) } };
        };
        const show = (...given) => {
            tables.set("PLUM", at(...given));
            app.screen.happened({ kind: "changed", picture: tables.get("PLUM") });
        };
        room("lobby", 0, 0);
        away = 2; show("lobby", 0);
        const stars = [...document.querySelectorAll(".chairs button")].map((each) => each.title);
        document.querySelector("[title='Make Bob the host']").click();
        room("finished", 0, 0); away = 1; show("finished", 0); await settle();
        const menu = document.querySelector(".over select");
        const offered = [...menu.options].map((each) => each.textContent);
        menu.value = "2";
        menu.dispatchEvent(new Event("change"));
        show("finished", 2); await settle();
        return [stars, offered, sent, document.querySelectorAll(".over select").length];""",
    )
    assert starred == [
        "Make Bob the host",
        *(f"Remove {who} from the table" for who in ("Bob", "Cid")),
    ]
    assert offered == ["Make somebody else the host", "Cid"]
    assert sent == [["make_host", 1], ["make_host", 2]]
    assert later == 0


def test_a_host_hands_the_table_over_in_a_match_too(modules: Modules) -> None:
    """In a match the host has a menu to hand over the table, if there is another player."""
    offered, sent, seen = story(
        modules,
        """const sent = [], seen = [];
        app.ask = async (type, { seat }) => { sent.push([type, seat]); };
        const menus = () => [...document.querySelectorAll(".hosting select")]
            .filter((each) => each.checkVisibility());
        room("playing", 0, 0); await settle();
        const [menu] = menus();
        const offered = [...menu.options].map((each) => each.textContent);
        menu.value = "1";
        menu.dispatchEvent(new Event("change"));
        for (const given of [["playing", 0, 1], ["paused", 0, 0], ["lobby", 0, 0],
            ["finished", 0, 0], ["playing", null, 0]]) {
            tell(...given); await settle(); seen.push(menus().length);
        }
        return [offered, sent, seen];""",
    )
    assert offered == ["Make somebody else the host", "Bob", "Cid"]
    assert sent == [["make_host", 1]]
    assert seen == [0, 1, 0, 0, 0]


def test_a_result_says_that_the_seed_was_chosen(modules: Modules) -> None:
    """A result says if the seed was chosen."""
    told = story(
        modules,
        """const told = [];
        for (const seeded of [true, false]) {
            const set = Map.prototype.set.bind(tables);
            tables.set = (code, told) => set(code, { ...told, info: { ...told.info, seeded } });
            room("finished", 0, 0);
            await settle();
            told.push(document.body.textContent.includes("cards were chosen"));
        }
        return told;""",
    )
    assert told == [True, False]


def test_another_match_with_bots_alone_starts_at_once(modules: Modules) -> None:
    """Another match with bots alone starts at once; replay and review lead to the last match."""
    assert story(
        modules,
        """const went = [];
        app.go = (path) => went.push(path);
        app.ask = async (type) => { asked.push(type); return { type: "ok" }; };
        const made = room("finished", 0, 0, 2);
        await settle();
        const [again, replay, review] = document.querySelectorAll(".over button");
        replay.click();
        review.click();
        again.click();
        await settle();
        for (const seat of made.picture.info.seats.slice(1)) seat.kind = "bot";
        again.click();
        await settle();
        return [...asked, ...went];""",
    ) == [
        "rematch",
        *("rematch", "start"),
        *("t/PLUM/replay#deal=2.1", "t/PLUM/replay#deal=2.1&review"),
    ]


@pytest.mark.parametrize(
    ("language", "heads", "rows"),
    [
        ("en", ["Cid wins", "You win!", "You and Bob win!"], ["1.You4", "1.Bob4", "3.Cid6"]),
        (
            "de",
            ["Cid gewinnt", "Du gewinnst!", "Platz eins: Du und Bob"],
            ["1.Du4", "1.Bob4", "3.Cid6"],
        ),
    ],
)
def test_the_end_of_a_match_says_who_has_won(
    modules: Modules, language: str, heads: list[str], rows: list[str]
) -> None:
    """The end of a match names the winner and all ranks, and is announced once."""
    told, ranking, own, said = story(
        modules,
        """const told = [], said = [];
        app.say = (text) => said.push(text);
        for (const ranks of [[2, 3, 1], [1, 3, 2], [1, 1, 3]]) {
            const over = picture("finished", 0, 0);
            over.facts.at(-1).args = { totals: [4, 4, 6], ranks };
            tables.set("PLUM", over);
            document.body.replaceChildren((app.screen = new Room(app, "PLUM")).element);
            await settle();
            told.push(document.querySelector(".over h2").textContent);
        }
        const rows = [...document.querySelectorAll(".ranking tr")];
        return [told, rows.map((each) => each.textContent),
            rows.findIndex((each) => each.className === "own"), said.length];""",
        language,
    )
    assert told == heads
    assert ranking == rows
    assert own == 0
    assert said == len(heads)


def test_the_scores_stay_until_the_next_match(modules: Modules) -> None:
    """The scores stay until the next match begins."""
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


def test_the_score_of_a_single_deal_stays_until_the_next_match(modules: Modules) -> None:
    """The score of a single deal stays until the next match, unless the result says it."""
    assert story(
        modules,
        """const shown = [];
        const set = Map.prototype.set.bind(tables);
        const first = ({ verb, args }) => ({ verb, args: args.deal ? { ...args, deal: 1 } : args });
        tables.set = (code, told) => set(code, { ...told, facts: told.facts.slice(1).map(first) });
        for (const phase of ["finished", "lobby", "playing"]) {
            room(phase, 0, 0);
            await settle();
            const table = document.querySelector(".scores table");
            shown.push(table?.checkVisibility() ? [...table.rows].map((row) =>
                [...row.cells].map((cell) => cell.textContent)) : null);
        }
        return shown;""",
    ) == [None, [["", "You", "Bob", "Cid"], ["Total", "2", "4", "6"]], None]


def test_replay_and_review_stay_beside_the_scores(modules: Modules) -> None:
    """Replay and review links stay until the next match; a spectator has no review."""
    before, finished, lobby, spectator, playing, went = story(
        modules,
        """const went = [], seen = [];
        app.go = (path) => went.push(path);
        const all = () => [...document.querySelectorAll(".scores button, .over button")]
            .filter((each) => each.checkVisibility() && /^Re(play|view)$/.test(each.textContent));
        const rounds = [["lobby", 0, 0, 0], ["finished", 0, 0], ["lobby", 0, 0, 2],
            ["lobby", null, 0], ["playing", 0, 0]];
        for (const given of rounds) {
            room(...given);
            await settle();
            seen.push(all().map((each) => each.textContent));
            if (given[3] === 2) for (const each of all()) each.click();
        }
        return [...seen, went];""",
    )
    assert finished == lobby == ["Replay", "Review"]
    assert spectator == ["Replay"]
    assert before == playing == []
    assert went == ["t/PLUM/replay#deal=2.1", "t/PLUM/replay#deal=2.1&review"]


def test_the_end_of_a_match_comes_into_view(modules: Modules) -> None:
    """At the end of a match the page scrolls to the result."""
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


DEAL = """
const { follow } = await import("/picture.js");
const trick = { do: "move", target: "trick" };
const before = pictureOf({
    table: "PLUM", seq: 1, seat: 0, question: { turn: 1 }, facts: [],
    view: { zones: { "hand/0": { cards: ["3C"] }, "hand/1": { backs: 3 },
        trick: { cards: ["2C"] }, "taken/1": {} } },
    layout: { zones: [{ kind: "trick", place: "trick" }, { kind: "hand", place: "hand" }] },
    info: { table: "PLUM", game: "hearts", version: 1, title: "Hearts", phase: "playing", host: 0,
        match: 1, seats: ["Ann", "Bob"].map(chair), options: {}, settings: {} },
});
const lines = () => [...document.querySelectorAll(".course li")].map((each) => each.textContent);
const said = [];
app.say = (text) => said.push(text);
tables.set("PLUM", before);
const made = app.screen = new Room(app, "PLUM");
document.body.replaceChildren(made.element);
made._table.style.setProperty("height", "600px");
while (!made._view) await settle();
const happen = (facts, info = {}) => {
    const picture = tables.get("PLUM");
    const message = { seq: picture.seq + 1, facts, info: { ...picture.info, ...info } };
    tables.set("PLUM", follow(picture, message));
    const told = facts.map((fact) => ({ args: {}, changes: [], words: "", ...fact }));
    made.happened({ kind: "event", picture: tables.get("PLUM"), before: picture, facts: told });
};
const over = [
    { verb: "bob_replies", changes: [{ ...trick, source: "hand/1", cards: ["5C"] }] },
    { verb: "bob_takes",
        changes: [{ do: "move", source: "trick", target: "taken/1", cards: ["2C", "5C"] }] },
    { verb: "deal_scored", args: { deal: 1, scores: [0, 1], totals: [0, 1] } },
    { verb: "deal_started", args: { deal: 2 },
        changes: [{ do: "lay", zones: { "hand/0": 1, "hand/1": 3, trick: 0, "taken/1": 0 } }] },
];
const lead = [{ verb: "bob_leads", changes: [{ ...trick, source: "hand/1", cards: ["6C"] }] }];
"""


def test_a_line_is_written_when_its_step_is_seen(modules: Modules) -> None:
    """A line is written when its step is shown, after the last deal's score is dismissed."""
    first, scored, dismissed, said = story(
        modules,
        DEAL
        + """happen(over); happen(lead);
        const first = lines();
        let button = null;
        while (!(button = document.querySelector(".sheet:not([hidden]) .go-on"))) await settle();
        const scored = lines();
        button.click();
        const dismissed = lines();
        made.end();
        return [first, scored, dismissed, said];""",
    )
    assert first == ["Bob replies."]
    assert scored[:2] == ["Bob replies.", "Bob takes."]
    assert len(scored) == 3
    assert dismissed == ["Deal 2.", "Bob leads."]
    assert said == [*scored, *dismissed]


def test_why_a_player_who_is_away_has_no_seat_any_more_is_told(modules: Modules) -> None:
    """A player who lost their seat by being away is told so."""
    told = story(
        modules,
        DEAL
        + """const left = { verb: "player_left", args: { seat: 1, name: "Bob" } };
        happen([left]);
        const { seats } = before.info;
        tables.set("PLUM", { ...tables.get("PLUM"),
            info: { ...before.info, seats: [seats[0], { ...seats[1], away: true }] } });
        happen([left]);
        made.end();
        return lines();""",
    )
    assert told == ["Bob leaves the table.", "Bob was away for too long and has lost their seat."]


def test_the_result_and_sounds_follow_the_cards(modules: Modules) -> None:
    """The result and its sound come after the last trick has gone."""
    first, written, heard, said = story(
        modules,
        DEAL
        + """const heard = [];
        app.sounds = async () => ({ play: (name) => heard.push(name) });
        const shown = () => !document.querySelector(".over").hidden;
        const end = { verb: "match_ended", args: { totals: [0, 1], ranks: [1, 2] } };
        happen([{ ...over[0], verb: "card_played" }, over[1], end], { phase: "finished" });
        await settle(); await import("/sounds.js"); await settle();
        const first = [shown(), [...heard]];
        while (!shown()) await settle();
        await settle();
        made.end();
        return [first, lines().length, heard, said];""",
    )
    assert first == [False, ["card"]]
    assert written == len(said) == 3
    assert heard == ["card", "over"]


def test_no_line_is_lost_when_the_table_is_seen_anew(modules: Modules) -> None:
    """A snapshot loses no line: what was still to be shown is told first."""
    anew, told, said = story(
        modules,
        DEAL
        + """happen(over.slice(0, 2));
        made.happened({ kind: "snapshot", picture: tables.get("PLUM") });
        const anew = lines();
        while (!made._view) await settle();
        happen([{ verb: "bob_shows",
            changes: [{ ...trick, source: "hand/1", cards: ["6C", "7C"] }] },
            { verb: "bob_again",
                changes: [{ do: "move", source: "trick", target: "taken/1",
                    cards: ["6C", "7C"] }] }]);
        made.happened({ kind: "closed", picture: tables.get("PLUM"), reason: "idle" });
        const told = lines();
        made.end();
        return [anew, told, said];""",
    )
    assert anew == ["Bob replies.", "Bob takes."]
    assert told == [*anew, "Bob shows.", "Bob again."]
    assert said[:4] == told


def test_what_was_chosen_stays_when_the_table_is_seen_anew(modules: Modules) -> None:
    """The choice and the focus survive a short loss and a snapshot.

    The page is not reloaded meanwhile, even if the server has a new version.
    """
    chosen, lost, anew, settled, other, next_match, renewed = story(
        modules,
        DEAL
        + """const { view, info, question } = before;
        const cards = ["3C", "4C", "7D"];
        const hand = { ...view.zones["hand/0"], cards };
        const choices = { actions: [], texts: [], ways: [], parts: [],
            picks: [{ verb: "pass", cards, least: 2, most: 2 }] };
        const anew = (turn, match = 1) => {
            const picture = { ...before, info: { ...info, match },
                view: { ...view, zones: { ...view.zones, "hand/0": hand } },
                question: { ...question, turn, to_act: [0], choices } };
            tables.set("PLUM", picture);
            made.happened({ kind: "snapshot", picture });
        };
        const card = () => document.querySelector('[data-token="4C"]');
        const seen = () => [document.querySelectorAll(".card.is-chosen").length,
            document.activeElement === card()];
        anew(2);
        const { Updates } = await import("/updates.js");
        const renewed = [];
        const updates = new Updates(app, document.createElement("main"),
            () => renewed.push(made._view.picked.length));
        app.connection.session = { waits: false };
        card().focus(); card().click();
        updates.begin(); await settle();
        const told = [seen()];
        app.connection.state = "waiting"; made.happened({ kind: "state" });
        app.connection.state = "online"; made.happened({ kind: "state" });
        made.happened({ kind: "welcomed" });
        told.push(seen());
        anew(2); told.push(seen());
        happen(over.slice(0, 2)); const rests = !made._view.settled;
        anew(2); told.push([rests, made._view.settled, ...seen()]);
        anew(3); told.push(seen());
        const drawn = made._view;
        updates.renew(); await settle();
        anew(3, 2); told.push(made._view !== drawn);
        made.end();
        return [...told, renewed];""",
    )
    assert chosen == lost == anew == [1, True]
    assert settled == [True, True, 1, True]
    assert other == [0, True]
    assert next_match
    assert renewed == [0]


OWN_BOT = """
const choices = { actions: ["play 3C"], texts: [], picks: [], ways: [], parts: [] };
const asked_at = (turn, more = {}, playing = {}) => {
    const question = { ...before.question, turn, to_act: [0], choices, ...more };
    const info = { ...before.info, ...playing };
    tables.set("PLUM", { ...before, info, question });
    made.happened({ kind: "changed", picture: tables.get("PLUM") });
};
const { picture: shown } = made, sent = [];
const answers = { hint: [], act: [] };
app.connection.ask = (type, fields) => {
    sent.push([type, fields.turn ?? null]);
    return new Promise((resolve) => answers[type]?.push(resolve));
};
app.alert = (text) => said.push(text);
app.refusal = ({ code }) => code;
const hint = (turn) => answers.hint.pop()({ type: "hint", turn, action: "play 3C" });
const toggle = () => document.querySelector(".head [aria-pressed]");
const seen = () => [toggle().getAttribute("aria-pressed"),
    document.querySelector(".question").textContent,
    [...document.querySelectorAll(".choice")].map((each) => each.textContent).join()];
const taken = () => sent.splice(0);
const clicked = async (node) => { node.click(); await made._botLoaded; await settle(); };
asked_at(2);
"""


def test_a_bot_plays_the_own_seat_until_one_acts(modules: Modules) -> None:
    """A bot in one's own seat answers each question once, until one clicks."""
    before, on, moves, lost, off, late, heard = story(
        modules,
        DEAL
        + OWN_BOT
        + """const start = seen();
        toggle().focus();
        await clicked(toggle());
        const on = [...seen(), document.activeElement === toggle()];
        hint(2); await settle();
        asked_at(2); await settle();
        answers.act.shift()({ type: "ok" }); await settle();
        asked_at(2); asked_at(3); await settle();
        const moves = taken();
        app.connection.state = "waiting"; made.happened({ kind: "state" });
        app.connection.state = "online"; made.happened({ kind: "state" });
        made.happened({ kind: "welcomed" });
        made.happened({ kind: "snapshot", picture: tables.get("PLUM") });
        await settle(); hint(3); await settle();
        const lost = [...taken(), seen()[0]];
        answers.act.shift()({ type: "ok" }); asked_at(4); await settle(); taken();
        document.querySelector(".card.in-hand").click();
        const off = seen();
        hint(4); await settle();
        const late = taken();
        made.end();
        return [start, on, moves, lost, off, late, said];""",
    )
    plays, again = "A bot plays for you until you are back.", "You play for yourself again."
    assert before == off == ["false", "It is your turn.", "Play 3C"]
    assert on == ["true", plays, "Play again yourself", True]
    assert moves == [["hint", None], ["act", 2], ["hint", None]]
    assert lost == [["act", 3], "true"]
    assert late == []
    assert heard == [plays, again]


def test_a_bot_for_the_own_seat_ends_by_a_key_a_refusal_and_the_match(modules: Modules) -> None:
    """A bot in one's own seat ends by a key, a refused move, or the match's end."""
    key, button, refused, tried, rests, ended = story(
        modules,
        DEAL
        + OWN_BOT
        + """await clicked(toggle());
        const pressed = (key) => new KeyboardEvent("keydown", { key, bubbles: true });
        document.querySelector(".felt").dispatchEvent(pressed("Escape"));
        const key = toggle().getAttribute("aria-pressed");
        await clicked(toggle()); await clicked(document.querySelector(".choice"));
        const button = toggle().getAttribute("aria-pressed");
        await clicked(toggle());
        answers.hint.at(-1)({ type: "error", code: "no_hints" }); await settle();
        const refused = [toggle().getAttribute("aria-pressed"), said.includes("no_hints")];
        await clicked(toggle()); taken();
        answers.hint.at(-1)({ type: "error", code: "try_again" });
        while (!sent.length) await settle();
        const tried = taken();
        hint(2); await settle(); answers.act.pop()({ type: "ok" }); await settle();
        asked_at(5, { to_act: [] }); taken();
        happen(over.slice(0, 2)); const rests = [made.settled];
        tables.get("PLUM").question = { turn: 6, to_act: [0], choices, reserve: [] };
        made.happened({ kind: "changed", picture: tables.get("PLUM") });
        rests.push(taken().length);
        while (!sent.length) await settle();
        asked_at(7, {}, { phase: "finished" }); await settle();
        const ended = [made.isPlayedFor, document.querySelector(".question").textContent];
        made.end();
        return [key, button, refused, tried, rests, ended];""",
    )
    assert (key, button, refused) == ("false", "false", ["false", True])
    assert tried == [["hint", None]]
    assert rests == [False, 0]
    assert ended == [False, "The match is over."]


def test_what_taking_back_costs_is_told_before_the_first_time(modules: Modules) -> None:
    """The first undo must be confirmed if it costs the match its result."""
    told = modules.evaluate(
        """async () => {
            const { Dialogs } = await import("/table/dialogs.js");
            const told = [];
            const sure = async (text) => { told.push(text); return told.length > 1; };
            const undo = async () => { told.push("done"); return null; };
            const table = { scene: { info: {} }, say: (key) => key, callbacks: { undo, sure } };
            const dialogs = new Dialogs(table);
            await dialogs.undo();
            await dialogs.undo();
            table.scene.info.practice = true;
            await dialogs.undo();
            return told;
        }"""
    )
    assert told == ["undo_first", "undo_first", "done", "done"]


def test_the_reserve_is_called_one_and_a_clock_says_what_comes_then(modules: Modules) -> None:
    """The reserve is named in one's own panel, with what happens when the time is up."""
    told = modules.evaluate(
        """async (texts) => {
            const { showClocks } = await import("/table/clocks.js");
            const { now } = await import("/clock.js");
            const { Speaker } = await import("/words.js");
            const words = new Speaker(texts);
            const clock = document.createElement("span");
            const show = (turn, reserve, asked = 0) => {
                clock.dataset.seat = asked;
                const clocks = { turn, reserve, since: now() };
                const info = { phase: "playing", seats: [{ kind: "human" }, { kind: "human" }] };
                const question = { to_act: [asked] };
                showClocks([clock], { clocks, question, words, seat: 0, info });
                const { title } = clock;
                return [clock.textContent, title.split(". ")[0], title.split(" ").at(-1)];
            };
            return [show(90, [300, 250]), show(-10, [300, 250]), show(-10, [300, 250], 1),
                show(30, []), show(null, [300, 250])];
        }""",
        page_texts(FOLDER, "en"),
    )
    assert told == [
        ["1:30", "Time for this turn", "runs."],
        ["Reserve 4:50", "Reserve for the match", "play."],
        ["4:00", "Reserve for the match", "play."],
        ["0:30", "Time for this turn", "move."],
        ["", "", ""],
    ]


def test_a_bot_that_takes_over_is_announced_where_everybody_looks(modules: Modules) -> None:
    """A bot that takes over a seat is announced above the cards, once."""
    assert story(
        modules,
        """const shown = [];
        app.alert = (...given) => shown.push(given);
        const made = room("playing", 0, 0);
        made.seen([{ verb: "timed_out", args: { seat: 1 } }, { verb: "rained", args: {} }], {
            info: made.picture.info, question: { to_act: [] }, seat: 0 });
        made.seen([{ verb: "taken_over", args: { seat: 2, strength: 1 } }], {
            info: made.picture.info, question: { to_act: [] }, seat: 0, fresh: true });
        return shown;""",
    ) == [["Bob's time is up. A bot makes this move.", True, False]]


def test_a_bot_plays_for_somebody_whose_time_is_up(modules: Modules) -> None:
    """A bot can be let in for a player whose time is up, by the host or by all."""
    host, player, spectator, sent = story(
        modules,
        """const sent = [];
        app.ask = async (type, { table, ...fields }) => { sent.push([type, fields]); };
        app.alert = () => {};
        const late = async (seat, slow, ...seats) => {
            const made = room("playing", seat, 0);
            Object.assign(tables.get("PLUM").question, { to_act: slow });
            await settle();
            const notice = { kind: "time_up", table: "PLUM", seats };
            tables.set("PLUM", withNotice(tables.get("PLUM"), notice));
            made.happened({ kind: "notice", notice });
            made.happened({ kind: "changed", picture: tables.get("PLUM") });
            await import("/room/notices.js"); await settle();
            await made._asks; await settle();
            const found = [...document.querySelectorAll(".asking button")];
            return found.map((each) => each.textContent);
        };
        const player = [await late(1, [2], 2), await late(1, [0, 1], 0, 1)];
        const spectator = await late(null, [0], 0);
        const host = await late(0, [1, 2], 1);
        document.querySelector(".asking button").click();
        tables.get("PLUM").info.seats[1].stand_in = true;
        app.screen.happened({ kind: "changed", picture: tables.get("PLUM") });
        await settle();
        host.push(document.querySelectorAll(".asking button").length);
        tables.get("PLUM").info.seats[0].stand_in = true;
        app.screen.happened({ kind: "changed", picture: tables.get("PLUM") });
        const back = [...document.querySelectorAll(".head button")];
        back.find((each) => each.textContent === "Play again yourself").click();
        return [host, player, spectator, sent];""",
    )
    assert host == ["Let a bot play for Bob", 0]
    assert player == [[], ["Let a bot play for Ann"]]
    assert spectator == []
    assert sent == [["stand_in", {"seat": 1}], ["back", {}]]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "Bob and Cid are warming up, about 10 s. Until then: easy bot.",
                "Bob is warming up, about 3 s. The match waits.",
                "Bob is ready: strong bot.",
                "Bob cannot be prepared on this server: bot 2 instead.",
                "The bot that gives hints is ready.",
            ],
        ),
        (
            "de",
            [
                "Bob und Cid werden vorbereitet, ungefähr 10 s. Bis dahin: Bot (leicht).",
                "Bob wird vorbereitet, ungefähr 3 s. Die Partie wartet.",
                "Bob ist bereit: Bot (stark).",
                "Dieser Server kann Bob nicht vorbereiten; stattdessen: Bot 2.",
                "Der Bot für Tipps ist bereit.",
            ],
        ),
    ],
)
def test_bots_that_are_prepared_are_told_of_by_their_level(
    modules: Modules, language: str, sentences: list[str]
) -> None:
    """Bots that are being prepared are named by their level, or by number."""
    told = story(
        modules,
        """const { noticed } = await import("/room/notices.js");
        const bots = [{ strength: 1, levels: ["easy"] }, { strength: 3, levels: ["strong"] }];
        return [
            { kind: "warming", seats: [1, 2], strength: 1, seconds: 11.2 },
            { kind: "warming", seats: [1], seconds: 3.4 },
            { kind: "warmed", seats: [1], strength: 3 },
            { kind: "not_warmed", seats: [1], strength: 2 },
            { kind: "warmed", seats: [] },
        ].map((notice) => noticed(app, notice, picture("playing", 0, 0), { bots }));""",
        language,
    )
    assert [each.replace("\u00a0", " ") for each in told] == sentences


@pytest.mark.parametrize(
    ("seat", "asks", "leaves"), [(None, False, ["PLUM"]), (None, True, []), (0, False, [])]
)
def test_who_turns_to_another_screen_watches_no_longer(
    modules: Modules, seat: int | None, asks: bool, leaves: list[str]
) -> None:
    """A spectator who leaves the screen stops watching; players and requests stay."""
    told = story(
        modules,
        f"""const {{ seat, asks }} = {json.dumps({"seat": seat, "asks": asks})};
        const left = [];
        app.connection.unwatch = (code) => left.push(code);
        app.connection.ask = async () => ({{ type: "asked", seconds: 60 }});
        const made = app.screen = new Room(app, "PLUM");
        if (asks) await new Promise((resolve) => setTimeout(resolve, 50));
        tables.set("PLUM", picture("playing", seat, 0));
        made.happened({{ kind: "snapshot", picture: tables.get("PLUM") }});
        await settle();
        made.end();
        return left;""",
    )
    assert told == leaves


def test_a_panel_names_what_its_numbers_count(modules: Modules) -> None:
    """A panel names its numbers in the page's words."""
    chips = modules.evaluate(
        """async (texts) => {
            const { modelOf } = await import("/table/model.js");
            const { Speaker } = await import("/words.js");
            const words = new Speaker(texts, ["Ann", "Bob"]);
            const zones = { "taken/0": { backs: 15 }, "taken/1": { cards: ["QS"] } };
            const zoned = [{ kind: "taken", place: "pile", title: "taken" }];
            const layout = { zones: zoned, values: [] };
            const view = { zones, values: {} };
            const told = { view, seat: 0, words, layout, names: ["Ann", "Bob"] };
            return modelOf(told).seats.map((seat) => seat.chips);
        }""",
        page_texts(FOLDER, "en"),
    )
    assert chips[0] == [["cards", "15"]]
    assert chips[1][0] == ["card", "1"]


def test_what_lies_over_a_table_takes_no_focus_out_of_view(modules: Modules) -> None:
    """A layer over the table neither hides nor loses the focus."""
    focused = modules.evaluate(
        """async () => {
            const { Sheets } = await import("/table/sheets.js");
            const root = document.createElement("div");
            const opener = root.appendChild(document.createElement("button"));
            const keys = { parked: null, lost: null, rove() {} };
            const table = { say: (key) => key, keys, root, scene: { info: {} } };
            const sheets = new Sheets(table);
            root.append(sheets.element);
            const focused = [];
            const note = () => focused.push(document.activeElement === opener ? "opener"
                : document.activeElement.textContent);
            const rounds = [["finished", 9000], ["finished", 0], ["playing", 9000]];
            for (const [phase, margin] of rounds) {
                table.scene.info.phase = phase;
                root.style.marginTop = `${margin}px`;
                document.body.replaceChildren(root);
                window.scrollTo(0, 0);
                opener.focus({ preventScroll: true });
                sheets.open("score", document.createElement("p"));
                note();
                sheets.close();
                note();
            }
            return focused;
        }"""
    )
    back = "opener"
    assert focused == [back, back, "go_on_button", back, "go_on_button", back]


def test_nobody_is_removed_by_a_slip_of_the_finger(modules: Modules) -> None:
    """Removing a player must be confirmed; removing a bot need not."""
    questions, sent = story(
        modules,
        """const questions = [], sent = [];
        app.ask = async (type, { seat }) => { sent.push([type, seat]); };
        let answer = false;
        app.sure = async (question) => { questions.push(question); return answer; };
        room("lobby", 0, 0); tell("lobby", 0, 0);
        const remove = document.querySelector("[title='Remove Bob from the table']");
        remove.click(); await settle();
        answer = true;
        remove.click(); await settle();
        const { info, ...rest } = tables.get("PLUM");
        const seats = [info.seats[0], info.seats[1], { kind: "bot", name: "Dora", strength: 1 }];
        tables.set("PLUM", { ...rest, info: { ...info, seats } });
        app.screen.happened({ kind: "changed", picture: tables.get("PLUM") });
        document.querySelector("[title='Remove Dora']").click();
        return [questions, sent];""",
    )
    assert questions == ["Remove Bob from the table? They cannot come back to it."] * 2
    assert sent == [["kick", 1], ["remove_bot", 2]]


def test_who_asks_for_another_match_reads_that_it_is_said(modules: Modules) -> None:
    """A player who asks for another match sees that it was said, or can ask again."""
    told = story(
        modules,
        """let answer = null;
        app.ask = async () => answer;
        room("finished", 1, 0); await settle();
        const wish = document.querySelector(".over button");
        const told = [];
        for (answer of [null, { type: "ok" }]) {
            wish.click(); await settle();
            told.push([wish.textContent, wish.disabled]);
        }
        return told;""",
    )
    assert told == [
        ["Ask for another match", False],
        ["You have asked for another match", True],
    ]


def test_who_becomes_the_host_reads_it_in_sight(modules: Modules) -> None:
    """A new host is told above the cards; others see it in the log."""
    told = story(
        modules,
        """const told = [];
        app.alert = (text) => told.push(text);
        for (const seat of [1, 2]) {
            room("finished", 1, 0); await settle();
            const before = tables.get("PLUM"), after = picture("finished", 1, seat);
            tables.set("PLUM", after);
            const facts = [{ verb: "host_changed", args: { seat } }];
            app.screen.happened({ kind: "event", picture: after, before, facts });
            await settle();
        }
        return told;""",
    )
    assert len(told) == 1
    assert "You" in told[0]
