"""The lobby: names of games and buttons, their order, and how much is shown."""

from typing import Any

import pytest

from engine.recycle.games import names as files
from engine.titles import title_of
from protocol.to_server import PAGE, FollowTables
from protocol.wire_form import WireForm
from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from server.tables.listing import Listing
from tests.client_web.modules import Modules
from tests.client_web.test_new_table import cards

LOBBY = """
const { Lobby } = await import("/lobby/lobby.js");
const { NewTable } = await import("/lobby/new_table.js");
const { Speaker } = await import("/words.js");
// What the lobby loads later is there already: nothing depends on how long that takes.
await import("/lobby/past.js");
await import("/cards/table_picture.js");
const words = new Speaker(texts), kept = new Map(), known = new Set(["follow_tables"]);
const answers = { games: { games }, follow_tables: { tables: [], order: [] } };
const app = {
    texts, words, games, t: (key, args) => words.page(key, args), more: async () => null,
    memory: { get: (name) => kept.get(name) ?? null, set: (name, value) => kept.set(name, value) },
    session: { online: true, tables: new Map(), knows: (feature) => known.has(feature) },
    connection: { tell() {} }, ask: async (type) => answers[type], go() {},
    load: (loading) => loading(), worded: async (told) => told,
};
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const settled = async () => { for (let turns = 0; turns < 9; turns += 1) await settle(); };
const lobby = async () => {
    app.screen?.end();
    app.screen = new Lobby(app);
    document.body.replaceChildren(app.screen.element);
    await settled();
};
const all = (selector) => [...document.querySelectorAll(selector)];
const seen = (selector) => all(selector).filter((each) => each.checkVisibility());
const seats = [{ kind: "human", name: "Ann" }, { kind: "empty" }];
const table = (code, { id: game, title, seats: [most] }) => ({ table: code, game, title,
    phase: "lobby", seats: Array.from({ length: most }, (_, at) => seats[at] ?? seats[1]) });
const PAST = { code: "PLUM", title: "Hearts", number: 1, names: ["Ann"], at: 1 };
"""


def story(modules: Modules, script: str, language: str = "en", **given: Any) -> Any:
    """The result of a script after `LOBBY`."""
    told = {"texts": page_texts(FOLDER, language), "games": cards(), **given}
    fields = ", ".join(told)
    return modules.evaluate(f"async ({{ {fields} }}) => {{ {LOBBY} {script} }}", told)


def described(name: str) -> WireForm:
    """The card of a described game as a server sends it."""
    stem = name.removesuffix(".rcy")
    return {
        "id": f"{name}@{'5f' * 16}",
        "title": title_of(stem),
        "seats": [int(stem[-1])],
        "usual_seats": int(stem[-1]),
        "options": [],
        "strengths": [0],
        "described": True,
        "about": f"Only {title_of(stem)} is like this.",
        "figures": {"choices": 24, "skill": 0.2} if stem.startswith("Agram") else None,
    }


def hosted() -> list[WireForm]:
    """Our games, those of all our files, and one with another's title."""
    return [*cards(), *(described(f"{name}.rcy") for name in (*files(), "Agram_3"))]


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_two_games_are_called_the_same(modules: Modules, language: str) -> None:
    """No two games have one name on tiles, in the filter, in the form, or at tables.

    The accessible name of a button begins with its text.
    """
    filters, form, rows, buttons = story(
        modules,
        """answers.follow_tables = {
            tables: games.map((game, at) => table(`T${at}`, game)),
            order: games.map((game, at) => `T${at}`),
        };
        await lobby();
        document.querySelector(".awaiting > button").click();
        const written = (nodes) => nodes.map((each) => each.textContent);
        const filters = written([...document.querySelector(".filters select").options]);
        const rows = written(all(".table-row strong"));
        const buttons = seen("button").map((each) =>
            [each.getAttribute("aria-label") ?? each.textContent, each.textContent]);
        const made = new NewTable(app, "whist");
        await settled();
        const form = written([...made.element.querySelector("select").options]);
        return [filters, form, rows, buttons];""",
        language,
        games=hosted(),
    )
    count = len(hosted())
    assert len(set(filters)) == 1 + count
    assert filters[1:] == form == rows
    assert "Whist (Oh Hell)" in form
    of_agram = [each for each in form if each.startswith("Agram, 3")]
    assert {each.rpartition(" ")[2] for each in of_agram} == {"Agram3.rcy", "Agram_3.rcy"}
    names = [name for name, _ in buttons]
    assert len(names) == len(set(names)) > 2 * count
    assert [name for name, shown in buttons if not name.startswith(shown)] == []


def test_files_of_one_title_are_one_tile(modules: Modules) -> None:
    """Files of one title are one tile, with its sentence and all its numbers of players.

    The number that is chosen there is played; at first it is what was played last, else four.
    """
    titles, agram, pairs, chosen = story(
        modules,
        """const asked = [];
        const ask = app.ask;
        app.ask = (type, fields) => { asked.push(fields?.game ?? type); return ask(type); };
        Object.assign(answers, { create_table: { table: "PLUM" }, start: {} });
        kept.set("played", { "file Pairs": { at: 1, game: games.find(({ id }) =>
            id.startsWith("Pairs2")).id } });
        await lobby();
        const tile = (title) => all(".game").find((each) =>
            each.querySelector("bdi").textContent === title && each.querySelector(".mark"));
        const told = (title) => {
            const [about, short] = ["p", ".short small"].map((each) =>
                tile(title).querySelector(each).textContent);
            const players = tile(title).querySelector("select");
            const numbers = [...players.options].map((each) => each.text);
            return [about, short, numbers, players.value];
        };
        const titles = all(".game bdi").map((each) => each.textContent);
        const before = [told("Agram"), told("Pairs")];
        const players = tile("Agram").querySelector("select");
        players.value = [...players.options].at(-1).value;
        tile("Agram").querySelector(".main").click();
        await settled();
        const { at, game } = kept.get("played")["file Agram"];
        return [titles, ...before, [asked.at(-2), game, at > 0]];""",
        games=hosted(),
    )
    families = {title_of(name.removesuffix(".rcy")) for name in files()}
    assert len(titles) == len(cards()) + len(families)
    about, players, options, usual = agram
    assert about == "Only Agram is like this."
    assert players == "2 to 5 players · about 2 minutes · much luck"
    assert options[:2] == ["2 players", "3 players, Agram3.rcy"]
    assert options[2:] == ["3 players, Agram_3.rcy", "4 players", "5 players"]
    assert usual.startswith("Agram4.rcy@")
    # A game without figures says nothing.
    assert pairs[1].startswith("2 to 5 players · played")
    assert pairs[3].startswith("Pairs2.rcy@")
    game = f"Agram5.rcy@{'5f' * 16}"
    assert chosen == [game, game, True]


def test_a_search_finds_games_and_tables(modules: Modules) -> None:
    """One search finds games by title, sentence or file, and asks the server for tables."""
    hits, asked, none, order = story(
        modules,
        """const asked = [];
        const ask = app.ask;
        app.ask = (type, fields) => {
            if (fields?.text) asked.push(fields.text);
            return ask(type);
        };
        kept.set("played", { spades: { at: 2, game: "spades" } });
        await lobby();
        const input = document.querySelector("input[type=search]");
        const titles = () => seen(".game bdi").map((each) => each.textContent);
        const find = (text) => {
            input.value = text;
            input.dispatchEvent(new Event("input"));
            return titles();
        };
        const order = titles().slice(0, 2);
        const hits = ["CRÀZY", "  like agram", "hearts four"].map(find);
        const none = [find("xyz"), document.querySelector(".offer > .quiet").textContent];
        find("agram");
        await new Promise((resolve) => setTimeout(resolve, 300));
        return [hits, asked, none, order];""",
        games=hosted(),
    )
    assert hits == [["Crazy Eights"], ["Agram"], []]
    assert asked == ["agram"]
    assert none == [[], "No game fits."]
    assert order == ["Spades", "Black Queen"]


def test_many_games_are_drawn_little_by_little(modules: Modules) -> None:
    """Of many games some are drawn; the others on request, with a table for each."""
    first, button, every, pictures = story(
        modules,
        """await lobby();
        const tiles = () => all(".game").length, [first, all_] = [tiles(), ".offer > button"];
        const button = seen(all_).map((each) => each.textContent);
        document.querySelector(all_).click();
        const isWhole = () => all(".picture svg").length === games.length;
        for (let turns = 0; turns < 400 && !isWhole(); turns += 1) await settle();
        return [first, button, tiles(), all(".picture svg").length];""",
        games=[*cards(), *(described(f"Game{chr(65 + at)}x4.rcy") for at in range(60))],
    )
    count = 60 + len(cards())
    assert first < count // 2
    assert button == [f"Show all {count}"]
    assert every == pictures == count


def test_a_link_names_the_file_and_the_number_of_players(modules: Modules) -> None:
    """An invitation to a game from a file says so, and for how many."""
    link, invited = story(
        modules,
        """const { gameNameAt } = await import("/lobby/bots.js");
        const { share } = await import("/sharing/share.js");
        Object.assign(app, { root: "http://page.test/" });
        app.session.name = "Ann";
        share(app, "PLUM", gameNameAt(app, table("PLUM", games.at(-1))));
        const link = document.querySelector("dialog input").value;
        document.querySelector("dialog").close();
        const { Entry } = await import("/lobby/entry.js");
        location.hash = new URL(link).hash;
        const invited = new Entry(app, "PLUM").element.querySelector("p").textContent;
        location.hash = "";
        return [link, invited];""",
        games=[*cards(), described("Agram3.rcy"), described("CrazyEights4.rcy")],
    )
    crazy = "Crazy Eights, 4 players, from a file"
    assert "rcy" not in link
    assert invited == f"Ann invites you to a game of {crazy}, at table PLUM."


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "medium and easy are the same bot here."),
        ("de", "mittel und leicht sind hier derselbe Bot."),
    ],
)
def test_where_two_words_mean_one_bot_the_lobby_says_so(
    modules: Modules, language: str, told: str
) -> None:
    """A game whose words name one bot says so on its card, and covers nothing at the table."""
    cards_say, menu, said = story(
        modules,
        """const said = [], asked = [];
        Object.assign(app, { alert: (text) => said.push(text) });
        Object.assign(answers, { create_table: { table: "PLUM" }, start: {} });
        await lobby();
        const shown = () => Object.fromEntries(all(".game").map((each) =>
            [each.querySelector("h3").textContent, each.querySelector(".same").textContent]));
        const select = document.querySelector(".head select");
        const at = games.findIndex((game) => game.id === "hearts");
        const cards = [shown()];
        for (const level of ["strong", "easy", "medium"]) {
            select.value = level;
            select.dispatchEvent(new Event("change"));
            if (level === "strong") cards.push(shown());
            all(".game .main").at(at).click();
            await settled();
            said.push(level);
        }
        const { strengthNames } = await import("/lobby/bots.js");
        return [cards, strengthNames(app, games[at]).map(([, text]) => text), said];""",
        language,
    )
    same = {name for name, text in cards_say[0].items() if text == told}
    assert same == {"Hearts", "Spades"}
    assert {text for name, text in cards_say[0].items() if name not in same} == {""}
    assert set(cards_say[1].values()) == {""}
    assert any(" = " in text for text in menu)
    assert said == ["strong", "easy", "medium"]


def test_tables_that_wait_for_people_come_first(modules: Modules) -> None:
    """Own tables come first, then those that wait, all games, other tables and past matches."""
    headings, waiting, others = story(
        modules,
        """kept.set("past", [PAST]);
        const info = table("MINE", games[0]);
        app.session.tables.set("MINE", { table: "MINE", seat: 0, info });
        const [wait, full, runs] = ["WAIT", "FULL", "RUNS"].map((code) => table(code, games[1]));
        full.seats = full.seats.map(() => seats[0]);
        runs.phase = "playing";
        answers.follow_tables = { tables: [wait, full, runs], order: ["WAIT", "FULL", "RUNS"] };
        await lobby();
        const headings = seen("h1, h2, .games").map((each) =>
            each.matches(".games") ? each.children.length : each.textContent);
        const codes = (place) => seen(`${place} .table-row`).map((row) => row.dataset.key);
        return [headings, codes(".awaiting"), codes(".others")];""",
        games=[*cards(), described("Agram3.rcy")],
    )
    assert headings == [
        "Play",
        "Your tables",
        "Waiting for players",
        "Games",
        len(cards()) + 1,
        "Other tables",
        "Your last matches",
    ]
    assert (waiting, others) == (["WAIT"], ["FULL", "RUNS"])


@pytest.mark.parametrize("count", [PAGE, PAGE + 1])
def test_the_list_says_that_it_ends_early(modules: Modules, count: int) -> None:
    """If more tables match than are listed, the page says how to find them."""
    listing = Listing()
    for at in range(count):
        seats = ({"kind": "human", "name": "Bob"}, {"kind": "empty"})
        listing.update(
            f"T{at}",
            {
                "table": f"T{at}",
                "game": "hearts",
                "title": "Hearts",
                "phase": "lobby",
                "seats": seats,
                "settings": {},
            },
        )
    window = listing.window(FollowTables(id=1))
    told = {"tables": list(window.tables.values()), "order": list(window.tables)}
    some, rows, focused, before, after = story(
        modules,
        """answers.follow_tables = lists;
        await lobby();
        const rest = () => document.querySelector(".tables + .quiet").textContent;
        const some = seen(".table-row").length;
        document.querySelector(".awaiting > button").click();
        const rows = seen(".table-row").length, before = rest();
        const focused = document.activeElement.closest(".table-row") === all(".table-row")[some];
        app.screen.happened({ kind: "lobby", lobby: { order: lists.order.slice(1) } });
        return [some, rows, focused, before, rest()];""",
        lists={**told, "more": True} if window.more else told,
    )
    assert some < 10
    assert (rows, focused) == (PAGE, True)
    more = "More tables match: search for a name or choose a game."
    assert before == (more if count > PAGE else "")
    assert after == ""


def test_last_matches_wait_for_the_welcome(modules: Modules) -> None:
    """Past matches are shown after the welcome, when it is known if reviews exist, and stay."""
    before, buttons, same = story(
        modules,
        """kept.set("past", [PAST]);
        app.session.online = false;
        await lobby();
        const before = all(".past").length;
        Object.assign(app.session, { online: true });
        known.add("review");
        app.screen.happened({ kind: "welcomed" });
        await settled();
        const buttons = all(".past button").map((each) => each.textContent);
        const [list] = all(".past");
        app.screen.happened({ kind: "welcomed" });
        await settled();
        return [before, buttons, all(".past")[0] === list];""",
    )
    assert before == 0
    assert buttons == ["Replay", "Review"]
    assert same


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", ("playing", "match over")), ("de", ("Partie läuft", "Partie vorbei"))],
)
def test_a_table_says_in_a_word_what_it_does(
    modules: Modules, language: str, told: tuple[str, str]
) -> None:
    """The list, its filter and the head of the table use one word for a table's phase."""
    rows, choices, heads = story(
        modules,
        """const { Head } = await import("/room/head.js");
        const phases = ["playing", "finished"];
        const tables = phases.map((phase, at) => ({ ...table(`PLUM${at}`, games[0]), phase }));
        answers.follow_tables = { tables, order: tables.map((each) => each.table) };
        await lobby();
        const info = (phase) => ({ ...table("PLUM", games[0]), phase });
        const head = (phase) => {
            const room = { app, code: "PLUM" };
            const made = new Head(room);
            made.show({ seat: null, spectators: 0, info: info(phase) }, null);
            return made.element.querySelector(".quiet").textContent;
        };
        const rows = all(".others .table-row span.quiet").map((each) => each.textContent);
        const choices = all(".filters select")[1].innerText.split("\\n");
        return [rows, choices, phases.map(head)];""",
        language,
    )
    for row, head, phase in zip(rows, heads, told, strict=True):
        assert f" · {phase}" in row
        assert head == f"PLUM · {phase}"
    assert choices[2:] == list(told)


def test_one_s_own_table_is_not_among_those_to_sit_down_at(modules: Modules) -> None:
    """One's own tables stand above the others, and are listed once one has left."""
    both, after = story(
        modules,
        """const plum = table("PLUM", games[0]), pear = table("PEAR", games[0]);
        answers.follow_tables = { tables: [plum, pear], order: ["PLUM", "PEAR"] };
        app.session.tables.set("PLUM", { table: "PLUM", seat: 0, info: plum });
        await lobby();
        const codes = () => all(".table-row").map((row) => row.dataset.key);
        const both = codes();
        app.session.tables.clear();
        app.screen.happened({ kind: "closed" });
        return [both, codes()];""",
    )
    assert both == ["PLUM", "PEAR"]
    assert sorted(after) == ["PEAR", "PLUM"]
