"""A drawn table: its tools, and the look of cards by the browser's settings."""

import json

import pytest

from tests.chromium import PHONE
from tests.client_web.modules import Modules
from tests.client_web.tables import drawn

HINT = """
const { seat } = told;
const [card] = told.view.zones[`hand/${seat}`].cards;
const other = told.legend.find(({ token }) => token !== card).token;
const [move, less] = [`play ${card}`, `play ${other}`];
const choices = { actions: [move, "pass"], texts: [], picks: [], ways: [], parts: [] };
const question = { turn: 7, to_act: [seat], choices };
const lead = { action: move, candidates: [], weaker: false, seconds: null,
    phrase: { code: "hint_lead", args: { move, value: 4, other: less, less: -1 } } };
const candidates = [{ action: move, value: 4.25, why: { deviation: 0.5 } },
    { action: less, value: -1.2, why: { deviation: 0.6, playouts: 40 } }];
drawn.show({ ...told, question });
await drawn.loaded;
"""
"""A question that a card answers, and a hint that prefers it to another one."""


def test_settings_are_seen_at_once(modules: Modules) -> None:
    """Two colours and large corners apply at once to all cards when the table is drawn again."""
    before, after = drawn(
        modules,
        """drawn.show(told);
        const faces = () => [element.querySelectorAll('[data-face^="large"]').length > 0,
            element.querySelectorAll('[data-face^="full"]').length > 0,
            element.querySelector(".two-colours") !== null];
        const before = faces();
        settings.set("suits", "two").set("indices", "large");
        drawn.show({ ...told, fresh: false, facts: [] });
        return [before, faces()];""",
    )
    assert (before, after) == ([False, True, False], [True, False, True])


def test_a_mouse_over_a_card_shows_it_large(modules: Modules) -> None:
    """A mouse over an open card shows it large, unless it moves away.

    A finger has to tap one.
    """
    own, elsewhere, lying, back, finger, moving, left = drawn(
        modules,
        """element.style.setProperty("width", "390px");
        drawn.show(told);
        await drawn.loaded;
        const peek = element.querySelector(".peek"), root = element.firstChild;
        const over = (node, kind = "pointermove", pointerType = "mouse", at = node) => {
            const { left, top } = root.getBoundingClientRect();
            const { x, y } = drawn.felt.items.get(at.dataset.key) ?? { x: 0, y: 0 };
            const where = { clientX: left + x + 5, clientY: top + y + 5 };
            node.dispatchEvent(new PointerEvent(kind, { pointerType, bubbles: true, ...where }));
            return peek.hidden ? null : peek.querySelector("[data-face]")?.dataset.face
                ?? peek.firstChild.dataset.face;
        };
        const card = (kind) => element.querySelector(`button.card${kind}`);
        const token = (kind) => card(kind).dataset.token;
        const shows = (kind) => [over(card(kind))?.includes(token(kind)), peek.offsetWidth
            > card(kind).offsetWidth];
        const told_of = [shows(".in-hand"), over(element.querySelector(".felt")),
            shows('[data-token]:not(.in-hand)')];
        const hidden = element.querySelector(".card:not([data-token]), .card.is-back");
        told_of.push(hidden && over(hidden), over(card(".in-hand"), "pointermove", "touch"));
        const moving = over(card(".in-hand"), "pointermove", "mouse", root);
        over(card(".in-hand"));
        return [...told_of, moving, over(root, "pointerleave")];""",
    )
    assert own == lying == [True, True]
    assert elsewhere is back is finger is moving is left is None


def test_a_mouse_that_rests_shows_no_card_large(modules: Modules) -> None:
    """A resting mouse does not enlarge cards that slide under it."""
    rests, points, closes = drawn(
        modules,
        """element.style.setProperty("width", "390px");
        drawn.show(told);
        await drawn.loaded;
        const peek = element.querySelector(".peek"), root = element.firstChild;
        const cards = [...element.querySelectorAll("button.card.in-hand")];
        const shown = (kind, node) => {
            const { left, top } = root.getBoundingClientRect();
            const { x, y } = drawn.felt.items.get(node.dataset.key);
            const where = { clientX: left + x + 5, clientY: top + y + 5 };
            const given = { pointerType: "mouse", bubbles: true, ...where };
            node.dispatchEvent(new PointerEvent(kind, given));
            return !peek.hidden;
        };
        return [shown("pointerover", cards[0]), shown("pointermove", cards[0]),
            shown("pointerover", cards[1])];""",
        moment=0,
    )
    assert [rests, points, closes] == [False, True, False]


def test_cards_to_choose_are_played_in_the_language_of_the_page(modules: Modules) -> None:
    """The button for chosen cards is in the page's language and counts them.

    The button is there, disabled, before enough are chosen.
    """
    show = """drawn.show(told);
        const button = () => [drawn.ask.buttons.firstChild.textContent,
            drawn.ask.buttons.firstChild.getAttribute("aria-disabled")];
        const told_of = [drawn.ask.question.textContent, button()];
        for (const at of [0, 1]) {
            const cards = element.querySelectorAll("button.card.in-hand");
            cards[at].click();
            told_of.push(button());
        }
        return told_of;"""
    question, *buttons = drawn(modules, show, subject="Cribbage2", moment=0, language="de")
    assert question == "Lay two cards away. They go to the crib, which counts for the dealer."
    assert buttons == [["Wählen: 2 Karten", each] for each in ("true", "true", "false")]


def test_stock_and_discard_are_offered_alike(modules: Modules) -> None:
    """Stock and discard pile are offered alike, with a button and a mark each."""
    question, buttons, marks = drawn(
        modules,
        """drawn.show(told);
        const open = [...element.querySelectorAll(".spot.is-open, .card.is-taken")];
        return [drawn.ask.question.textContent,
            [...element.querySelectorAll(".choice")].map((each) => each.textContent),
            open.map((each) => each.dataset.zone).sort()];""",
        "Golf4",
        moment=0,
    )
    assert question == "Draw a card. The top of the discard, or one that nobody has seen."
    assert buttons[0] == "Draw a card from the stock"
    assert buttons[1].startswith("Take ")
    assert buttons[1].endswith(" from the discard")
    assert marks == ["discard", "stock"]


@pytest.mark.parametrize(
    ("subject", "language", "asked"),
    [
        ("whist-4", "en", "How many tricks do you bid?"),
        ("whist-4", "de", "Wie viele Stiche sagst du an?"),
        ("spades-4", "en", "How many tricks do you bid? 0 is nil: you take none."),
        ("hearts-4", "en", "Choose 3 cards to pass to Bob."),
        ("hearts-4", "de", "Wähle 3 Karten für Bob."),
    ],
)
def test_a_question_says_what_it_asks(
    modules: Modules, subject: str, language: str, asked: str
) -> None:
    """A question is asked in the words of the game, if it has any."""
    show = "drawn.show(told); return drawn.ask.question.textContent;"
    assert drawn(modules, show, subject, moment=0, language=language) == asked


def test_a_large_index_shows_in_a_fan(modules: Modules) -> None:
    """A large index is no wider than the visible part of a card in a fan."""
    boxes = modules.evaluate(
        """async () => {
            const { Faces } = await import("/cards/faces.js");
            const forms = document.createElement("link");
            const holder = document.createElement("div");
            document.body.replaceChildren(forms, holder);
            await new Promise((resolve) => {
                forms.addEventListener("load", resolve);
                forms.rel = "stylesheet";
                forms.href = "/table/table.css";
            });
            const faces = new Faces(holder);
            faces.large = true;
            faces.read(["A♠", "10♥", "Q♦", "7"].map((label) => ({ token: label, label })));
            return ["A♠", "10♥", "Q♦", "7"].map((token) => {
                const svg = faces.svg();
                holder.append(svg);
                faces.fill(svg, token, "full");
                const shown = faces.sprite.querySelector("symbol:last-of-type");
                svg.replaceChildren(...shown.cloneNode(true).children);
                const { x, width, height } = svg.querySelector("text.f-index").getBBox();
                return [x, x + width, height];
            });
        }"""
    )
    for left, right, height in boxes:
        assert left >= 1
        assert right <= 28
        assert height > 40


def test_a_trick_of_before_is_asked_for(modules: Modules) -> None:
    """An omitted last trick is requested; if there was none, the table says so."""
    shown, problem, said = drawn(
        modules,
        """callbacks.earlier = async () => earlier;
        let earlier = [];
        const played = (seat, card) => ({ changes: [
            { do: "move", source: `hand/${seat}`, target: "trick", cards: [card] } ] });
        drawn.show({ ...told, deal: [], earlier: 60 });
        await drawn.loaded;
        const last = async () => {
            tool("Last trick").click();
            await new Promise((resolve) => setTimeout(resolve));
        };
        await last();
        const problem = element.querySelector(".question").textContent;
        earlier = [played(0, "QS"), played(1, "2S"),
            { changes: [{ do: "move", source: "trick", target: "taken/0", cards: ["QS", "2S"] }] }];
        await last();
        const shown = [...element.querySelectorAll(".faces li")].map((each) => each.textContent);
        return [shown, problem, said];""",
    )
    assert shown == ["You: queen of spades", "Bob: two of spades"]
    assert problem == "No trick of this deal has been taken yet."
    assert said == [problem]


def test_a_trick_that_was_taken_back_is_not_the_last(modules: Modules) -> None:
    """After an undo the last trick is that of the present deal."""
    assert drawn(
        modules,
        """const there = () => [...element.querySelectorAll(".tool")]
            .some((each) => each.textContent === "Last trick");
        const move = (source, target, cards) => ({ verb: "x", args: {},
            changes: [{ do: "move", source, target, cards }] });
        const deal = [move("hand/0", "trick", ["QS"]), move("hand/1", "trick", ["2S"]),
            move("trick", "taken/0", ["QS", "2S"])];
        drawn.show({ ...told, deal, earlier: 0 });
        await drawn.loaded;
        const before = there();
        const undone = { verb: "undone", args: { seat: 0, moves: 2 }, changes: [] };
        drawn.show({ ...told, fresh: false, before: told.view, facts: [undone], deal: [] });
        return [before, there()];""",
    ) == [True, False]


def test_the_last_trick_lies_on_the_table_after_a_match(modules: Modules) -> None:
    """After a match the last trick lies on the table, each card before its player."""
    playing, over, anew = drawn(
        modules,
        """const lying = () => [...drawn.model.seats].sort((a, b) => a.seat - b.seat)
            .flatMap(({ seat, trick }) => trick.map((card) => [seat, card.token]));
        const faces = () => [...element.querySelectorAll(".card[data-zone=trick]")]
            .map((card) => card.ariaLabel);
        const move = (source, target, cards) => ({ verb: "x", args: {},
            changes: [{ do: "move", source, target, cards }] });
        const deal = [move("hand/0", "trick", ["QS"]), move("hand/1", "trick", ["2S"]),
            move("trick", "taken/0", ["QS", "2S"])];
        const zones = { ...told.view.zones, trick: { cards: [], backs: 0 } };
        const shown = { ...told, view: { ...told.view, zones }, deal, earlier: 0 };
        const during = (phase, more = {}) => ({ ...shown, ...more, info: { ...told.info, phase } });
        drawn.show(during("playing"));
        await drawn.loaded;
        const playing = [lying(), faces()];
        drawn.show(during("finished"));
        const over = [lying(), faces()];
        drawn.show(during("playing", { deal: [] }));
        return [playing, over, [lying(), faces()]];""",
    )
    assert playing == anew == [[], []]
    assert over == [[[0, "QS"], [1, "2S"]], ["two of spades, trick", "queen of spades, trick"]]


def test_what_is_said_of_the_table_has_a_fixed_order(modules: Modules) -> None:
    """The values of the table and of a seat have a fixed order."""
    one, other, chips = drawn(
        modules,
        """const { modelOf } = await import("/table/model.js");
        drawn.show(told);
        const values = Object.entries(told.view.values);
        const turned = Object.fromEntries(values.reverse());
        const of = (view) => modelOf({ ...told, view }).status.map(([title]) => title);
        const { valuesOf } = await import("/table/values.js");
        const counted = { "tricks/0": 1, "bid/0": 2, "bags/0": 3 };
        const values_ = (values) => valuesOf(0, null, { ...told, view: { ...told.view, values },
            layout: { values: ["bags", "bid", "tricks"].map((kind) =>
                ({ kind, title: kind, shown: "seat" })) } });
        const chips = [counted, Object.fromEntries(Object.entries(counted).reverse())]
            .map((values) => values_(values).chips.map(([title]) => title));
        return [of(told.view), of({ ...told.view, values: turned }), chips];""",
        "schnapsen-2",
    )
    assert one == other
    assert chips == [["bags", "bid", "tricks"]] * 2
    assert one[0] == "deal"


def test_a_move_without_a_card_is_no_main_button_among_cards(modules: Modules) -> None:
    """A move without a card is a secondary button if the question also has cards."""
    among, alone = drawn(
        modules,
        """const ask = (actions) => {
            const choices = { actions, texts: [], picks: [], ways: [], parts: [] };
            const question = { turn: told.question.turn, to_act: [told.seat], choices };
            drawn.show({ ...told, question });
            return [...element.querySelectorAll(".choice")].map((each) =>
                each.classList.contains("is-quiet"));
        };
        const [card] = told.view.zones[`hand/${told.seat}`].cards;
        return [ask([`play ${card}`, "close"]), ask(["pass", "close"])];""",
        "schnapsen-2",
    )
    assert among == [True]
    assert alone == [False, False]


def test_a_hint_moves_nothing(modules: Modules) -> None:
    """On a phone a hint of several lines, and a refusal, leave hand and panels where they are."""
    before, hinted, refused, above = drawn(
        modules,
        """element.style.setProperty("width", "320px");
        element.style.setProperty("height", "590px");
        """
        + HINT
        + """callbacks.hint = async () => ({ ...lead, weaker: true, seconds: 23 });
        const places = () => [...element.querySelectorAll(".card, .panel")].map((each) =>
            ["--x", "--y", "--w"].map((name) => each.style.getPropertyValue(name)).join());
        const before = places();
        await drawn.dialogs.hint();
        const hinted = places();
        const above = element.querySelector(".ask.is-longer") !== null;
        drawn.complain("You must follow suit, and this card is of another one. ".repeat(3));
        return [before, hinted, places(), above];""",
    )
    assert before == hinted == refused
    assert above


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "{0}: about 5 points better than {1}.",
                "{0}: hardly better than {1}.",
                "Hint of a plain bot: {0}: about 5 points better than {1}"
                " (a stronger hint is being prepared, about 25 s).",
                "A plain bot would choose: {0} (no stronger bot is ready here).",
            ],
        ),
        (
            "de",
            [
                "{0}: etwa 5 Punkte besser als {1}.",
                "{0}: kaum besser als {1}.",
                "Tipp eines einfachen Bots: {0}: etwa 5 Punkte besser als {1}"
                " (ein stärkerer Tipp wird vorbereitet, ungefähr 25 s).",
                "Ein einfacher Bot würde wählen: {0} (ein stärkerer Bot ist hier nicht bereit).",
            ],
        ),
    ],
)
def test_a_hint_shows_its_card_and_says_how_much_better_it_is(
    modules: Modules, language: str, sentences: list[str]
) -> None:
    """A hint marks its card, says in points how much better it is, and names a weaker bot."""
    labels, shown = drawn(
        modules,
        HINT
        + """const plain = { code: "hint_weaker", args: { move, strength: 1 } };
        const even = { ...lead.phrase, args: { ...lead.phrase.args, less: 3.8 } };
        const hints = [lead, { ...lead, phrase: even }, { ...lead, weaker: true, seconds: 23 },
            { ...lead, phrase: plain, weaker: true }];
        const shown = [];
        for (const hint of hints) {
            callbacks.hint = async () => hint;
            tool(told.words.page("table.hint")).click();
            while (said.length === shown.length) await new Promise((done) => setTimeout(done));
            const cards = [...element.querySelectorAll(".card.is-hint")];
            shown.push([element.querySelector(".question").textContent, said.at(-1),
                cards.map((each) => each.dataset.token === card)]);
        }
        return [[card, other].map((token) => told.words.label(token)), shown];""",
        language=language,
    )
    texts = [sentence.format(*labels) for sentence in sentences]
    assert shown == [[text, text, [True]] for text in texts]


def test_a_plain_hint_is_replaced_when_the_strong_bot_is_ready(modules: Modules) -> None:
    """A plain hint is replaced when the strong bot is ready; other hints stay."""
    before, refused, after, asked = drawn(
        modules,
        f"""{HINT}
        let asked = 0;
        const answers = [{{ ...lead, weaker: true, seconds: 2 }}, "Wait a moment.", lead];
        callbacks.hint = async () => answers[asked++];
        const shown = () => drawn.ask.question.textContent.includes("stronger hint");
        await drawn.dialogs.hint();
        const before = shown();
        await drawn.dialogs.renew();
        const refused = shown();
        await drawn.dialogs.renew();
        const after = shown();
        await drawn.dialogs.renew();
        return [before, refused, after, asked];""",
    )
    assert (before, refused, after, asked) == (True, True, False, 3)


def test_a_hint_of_another_turn_is_not_shown(modules: Modules) -> None:
    """A hint for another turn is not shown."""
    assert drawn(
        modules,
        HINT
        + """callbacks.hint = async () => {
            drawn.show({ ...told, question: { ...question, turn: 8 } });
            return { ...lead, candidates };
        };
        const before = element.querySelector(".question").textContent;
        await drawn.dialogs.hint();
        return [element.querySelector(".question").textContent === before, said.length,
            element.querySelectorAll(".is-hint").length];""",
    ) == [True, 0, 0]


def test_a_hint_is_read_whole_on_a_phone(modules: Modules) -> None:
    """On a phone the longest hint is shown whole."""
    modules.run(modules.page.set_viewport_size(PHONE))
    heights = drawn(
        modules,
        HINT
        + """const styles = ["/page.css", "/table/table.css"].map((href) =>
            Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
        await Promise.all(styles.map((style) => new Promise((done) => {
            style.addEventListener("load", done);
            document.head.append(style);
        })));
        element.style.setProperty("width", "390px");
        const heights = [];
        for (const code of ["hint_lead", "hint_votes", "hint_trick_behind"]) {
            const phrase = { code, args: { move, value: 62, other: less, less: 20 } };
            callbacks.hint = async () => ({ ...lead, phrase, candidates });
            await drawn.dialogs.hint();
            const text = element.querySelector(".question");
            heights.push([text.scrollHeight, text.clientHeight]);
        }
        return heights;""",
        language="de",
    )
    assert all(needed <= given for needed, given in heights), heights


@pytest.mark.parametrize(
    ("language", "heads", "why"),
    [
        (
            "en",
            ["", "Bid", "Tricks", "This deal", "Total"],
            "Bob wins the deal with 66 card points to 46.",
        ),
        (
            "de",
            ["", "Angesagt", "Stiche", "Diese Runde", "Gesamt"],
            "Bob gewinnt die Runde mit 66 zu 46 Augen.",
        ),
    ],
)
def test_a_score_says_why_the_deal_ended_so(
    modules: Modules, language: str, heads: list[str], why: str
) -> None:
    """The score of a deal shows what was told last, the bids and tricks, and one's own row."""
    shown = drawn(
        modules,
        """drawn.show(told);
        await drawn.loaded;
        const { titled } = await import("/lobby/translated.js");
        const set = (key, value) => ({ do: "set", key, value });
        const trick = { do: "move", source: "hand/1", target: "trick", cards: 1 };
        const facts = [
            { verb: "card_played", args: { seat: 1, card: "2C" }, changes: [trick] },
            { verb: "deal_won", args: { seat: 1, points: 66, against: 46, score: 2 } },
            { verb: "deal_scored", args: { deal: 3, scores: [-1, 2], totals: [4, 2] }, changes: [
                set("sheet/bid/2", [0, 0]), set("sheet/bid/3", [1, 0]),
                set("sheet/tricks/3", [2, 3]), set("sheet/score/3", [-1, 2])] },
            { verb: "deal_started", args: { deal: 4 } },
        ].map((fact) => ({ changes: [], words: "", ...fact }));
        const zones = { ...told.view.zones, "hand/1": { cards: [], backs: 9 } };
        const before = { ...told.view, zones };
        const layout = titled(told, "whist", texts.titles).layout;
        drawn.show({ ...told, layout, fresh: false, before, facts });
        const texts_of = (kind) => [...element.querySelectorAll(`.sheet ${kind}`)]
            .map((each) => each.textContent);
        return [texts_of("thead > tr > *"), texts_of(".why"), texts_of("tr.is-own > *"),
            texts_of("tbody tr:last-child > *")];""",
        language=language,
    )
    told_heads, told_why, own, other = shown
    assert (told_heads, told_why) == (heads, [why])
    assert own[1:] == ["1", "2", "−1", "4"]
    assert other[:5] == ["Bob", "0", "3", "2", "2"]


def test_a_table_says_what_is_known_of_its_connection_and_of_a_move(modules: Modules) -> None:
    """A lost connection or a slow move is shown, and no card can be tapped meanwhile."""
    asked, offline, back, sent, answered = drawn(
        modules,
        """const wait = window.setTimeout;
        let late = null, answer = null;
        drawn.show(told);
        await drawn.loaded;
        const question = () => element.querySelector(".question").textContent;
        const asked = question();
        const tap = () => { drawn.noted = "Tap again to play it."; drawn.draw(); };
        tap(); drawn.show({ ...told, fresh: false, online: false });
        const offline = [question(), drawn.isMine()];
        drawn.show({ ...told, fresh: false }); const back = question();
        callbacks.act = () => new Promise((resolve) => { answer = resolve; });
        window.setTimeout = (call, ...given) => { late = call; return wait(() => {}, ...given); };
        const made = drawn.act(drawn.read.moves[0]?.action ?? "pass", drawn.read.turn);
        window.setTimeout = wait;
        const first = question(); late();
        const sent = [first, question(), said.at(-1)];
        answer(null); await made;
        return [asked, offline, back, sent, question()];""",
    )
    no_link = "No connection: you can move as soon as it is back."
    assert offline == [no_link, False]
    assert back == "Tap again to play it."
    assert sent == [back, *["Your move is on its way …"] * 2]
    assert answered == asked != ""


def test_partners_have_a_line_of_their_own(modules: Modules) -> None:
    """Each team's bids and tricks are added up in a line, with its bags and what wins.

    Where there is no room for lines they are a table.
    """
    values = {
        **{f"bid/{seat}": bid for seat, bid in enumerate((3, 4, 2, 0))},
        **{f"tricks/{seat}": taken for seat, taken in enumerate((2, 3, 1, 0))},
        **{f"bags/{seat}": bags for seat, bags in enumerate((3, 1, 3, 1))},
        **{f"team/{seat}": seat % 2 for seat in range(4)},
        **{f"total/{seat}": (210, -40)[seat % 2] for seat in range(4)},
        "team_total/0": 210,
        "team_total/1": -40,
        "option/target": 500,
    }
    teams, seats, spoken, tables = drawn(
        modules,
        f"""drawn.show({{ ...told, view: {{ ...told.view, values: {json.dumps(values)} }} }});
        await drawn.loaded;
        const texts = (selector) => [...element.querySelectorAll(selector)]
            .map((each) => each.textContent);
        const tables = [1200, 390, 290].map((width) => {{
            element.style.setProperty("width", `${{width}}px`);
            drawn.resized();
            return Boolean(element.querySelector(".teams.is-table"));
        }});
        return [texts(".team"), texts(".panel"), texts(".in-words li")[0], tables];""",
        "spades-4",
    )
    assert teams == ["Webid5tricks3bags3Σ210 / 500", "Theybid4tricks3bags1Σ−40 / 500"]
    assert all("bags" not in seat and "Σ" not in seat for seat in seats)
    assert tables == [False, False, True]
    assert "We: bid 5, tricks 3, bags 3, Score 210 / 500" in spoken


def test_what_came_in_a_pass_is_marked_until_one_plays(modules: Modules) -> None:
    """Cards that came into the hand are marked, and said to be new, until the player gives one."""
    marked, named, after, dealt = drawn(
        modules,
        """const zones = { "hand/0": { cards: ["2C", "AS", "KH"] }, "hand/1": { backs: 3 } };
        const view = { ...told.view, zones };
        const move = (source, target, cards) =>
            ({ verb: "x", args: {}, words: "", changes: [{ do: "move", source, target, cards }] });
        const pass = [move("deck", "hand/0", ["2C", "3C", "4C"]),
            move("hand/0", "passing/0", ["3C", "4C"]), move("passing/1", "hand/0", ["AS", "KH"]),
            move("hand/0", "hand/0", ["2C", "AS", "KH"])];
        const show = (deal) => {
            drawn.show({ ...told, view, deal });
            return [...element.querySelectorAll(".card.is-new")].map((card) => card.dataset.token);
        };
        const marked = show(pass).sort();
        const named = element.querySelector(".card.is-new").getAttribute("aria-label");
        const played = [...pass, move("hand/0", "trick", ["5C"])];
        return [marked, named, show(played), show(pass.slice(0, 1))];""",
        "hearts-4",
    )
    assert marked == ["AS", "KH"]
    assert named.endswith(", new")
    assert after == dealt == []


def test_taking_back_is_offered_to_those_who_have_moved(modules: Modules) -> None:
    """Cards that are dealt are no move; what a player did with theirs is one, as is a bid."""
    moved = modules.evaluate(
        """async () => {
            const { hasMoved } = await import("/table/tools.js");
            const fact = (seat, ...changes) => ({ args: { seat }, changes });
            const move = (source, target) => ({ do: "move", source, target, cards: 1 });
            const scene = { seat: 0, view: { values: { deal: 1 } } };
            const dealt = fact(0, move("deck", "hand/0"));
            const after = (...facts) => hasMoved({ ...scene, deal: [dealt, ...facts] });
            return [after(), after(fact(1, move("hand/1", "trick"))),
                after(fact(0, move("hand/0", "trick"))), after(fact(0, { do: "set" })),
                hasMoved({ ...scene, view: { values: { deal: 2 } } })];
        }"""
    )
    assert moved == [False, False, True, True, True]
