"""The form for a new table: its fields for each number of players, and what it sends."""

import json
from typing import Any

import pytest

from engine import GAMES, complete_options
from protocol.to_server import CreateTable
from protocol.wire_form import WireForm
from server.games.library import Library
from server.net.page_files import FOLDER
from server.net.page_texts import later_texts, page_texts
from tests.client_web.modules import Modules

FORM = """
const { NewTable } = await import("/lobby/new_table.js");
const { Speaker } = await import("/words.js");
const words = new Speaker(texts), sent = [], told = [];
const answer = { type: "ok", table: "PLUM" };
const app = {
    texts, words, games, t: (key, args) => words.page(key, args), more: async () => later,
    worded: async (told) => told, session: { online: true, knows: () => true }, go() {},
    connection: { ask: async (type, fields) => { sent.push({ type, ...fields }); return answer; } },
    refuse: (error) => told.push(words.worded(error.phrase)),
};
const form = new NewTable(app, "whist");
document.body.replaceChildren(form.element);
await new Promise((resolve) => setTimeout(resolve));
const labels = () => [...form.element.querySelectorAll(".field")];
const named = (title) => labels().find((each) => each.firstChild.textContent === title)
    .querySelector("input, select");
const choose = (title, value) => {
    const input = named(title);
    input.focus();
    if (input.type === "checkbox") input.checked = value;
    else input.value = value;
    input.dispatchEvent(new Event("change", { bubbles: true }));
};
const open = async () => {
    form.element.querySelector("button.main").click();
    await new Promise((resolve) => setTimeout(resolve));
};
const box = form.element.querySelector("details");
const CARDS = "Cards for each player in the first deal";
const HOOK = "The bids may not add up to the number of tricks";
"""


async def no_text(digest: str) -> None:
    """No texts for described games."""


def cards() -> list[WireForm]:
    """The cards of the games that a server offers."""
    library = Library(GAMES, no_text)
    return [library.card(info.id, whole=False) for info in GAMES]


def test_one_second_is_one(modules: Modules) -> None:
    """One second is singular, also beside fractions."""
    texts = story(
        modules,
        """box.open = true;
        const [bots] = [...form.element.querySelectorAll("select")].filter((each) =>
            [...each.options].some(({ value }) => value === "0.3"));
        return [...bots.options].map((each) => each.textContent.replace("\\u00a0", " "));""",
    )
    assert texts[1:] == ["0 seconds", "0.3 seconds", "1 second", "2 seconds"]


def story(modules: Modules, script: str) -> Any:
    """The result of a script after `FORM`."""
    given = [page_texts(FOLDER, "en"), cards(), json.loads(json.dumps(later_texts("en")))]
    return modules.evaluate(f"async ([texts, games, later]) => {{ {FORM} {script} }}", given)


def test_an_untouched_form_opens_a_table_as_the_game_has_it(modules: Modules) -> None:
    """An unchanged form opens a table with the game's defaults, for every number of players."""
    shown, sent = story(
        modules,
        """const shown = [];
        for (const { id, title, seats } of games) {
            for (const number of seats) {
                choose("Game", id);
                choose("Players", number);
                const titles = labels().map((each) => each.firstChild.textContent);
                const fields = labels().slice(titles.indexOf(app.texts.settings.private) + 1);
                shown.push(fields.map((each) => each.querySelector("input, select")).map((each) =>
                    each.type === "checkbox" ? each.checked : each.value));
                await open();
            }
        }
        return [shown, sent];""",
    )
    assert len(sent) == sum(len(info.seats) for info in GAMES)
    for fields, command in zip(shown, sent, strict=True):
        opened = CreateTable.model_validate({"id": 1, **command})
        game = GAMES.game(opened.game)
        assert opened.seats in game.info.seats
        usual = complete_options(game, opened.seats, {})
        assert complete_options(game, opened.seats, opened.options) == usual
        form = [value if isinstance(value, bool) else str(value) for value in usual.values()]
        assert fields[: len(form)] == form


def test_another_number_of_players_keeps_what_still_fits(modules: Modules) -> None:
    """Another number of players keeps fields, focus and values that fit, and resets others."""
    steps, focused, bounds, sent = story(
        modules,
        """const steps = [], field = named(CARDS), hook = named(HOOK);
        const step = (players) => { choose("Players", players); steps.push(field.value); };
        choose(HOOK, false);
        choose(CARDS, 9);
        step(4);
        step(6);
        step(7);
        choose(CARDS, 3);
        step(6);
        step(3);
        const focused = document.activeElement === named("Players");
        choose("Players", 6);
        const bounds = [field.min, field.max, field.closest("label").textContent];
        await open();
        return [steps, focused, bounds, sent[0].options];""",
    )
    assert steps == ["9", "8", "7", "3", "3"]
    assert focused
    assert bounds[:2] == ["1", "8"]
    assert "From 1 to 8. Default: 8." in bounds[2]
    assert sent == {"cards": 3, "hook": False}


def test_another_game_keeps_what_was_set_for_the_table(modules: Modules) -> None:
    """Another game keeps the table's settings and leaves their box open."""
    kept = story(
        modules,
        """box.open = true;
        choose("Spectators may watch", false);
        choose("Game", "hearts");
        await open();
        return [box.open, sent[0].settings.watchable, sent[0].seats];""",
    )
    assert kept == [True, False, 4]


@pytest.mark.parametrize("code", ["option_number", "option_yes_or_no"])
def test_a_refusal_names_the_field_as_the_form_does(modules: Modules, code: str) -> None:
    """A refusal is shown at its field, whose box opens and which gets the focus."""
    told, is_open, focused = story(
        modules,
        f"""const args = {{ option: "cards", low: 1, high: 8 }};
        Object.assign(answer, {{
            type: "error", code: "bad_option", phrase: {{ code: "{code}", args }},
        }});
        await open();
        return [told, box.open, document.activeElement === named(CARDS)];""",
    )
    (sentence,) = told
    assert sentence.startswith("“Cards for each player in the first deal” must be ")
    assert is_open
    assert focused


def test_what_the_browser_does_not_take_is_shown(modules: Modules) -> None:
    """A value that the browser refuses opens its box, and nothing is sent."""
    is_open, sent, ahead = story(
        modules,
        """choose(CARDS, 99);
        await open();
        const before = [box.open, sent.length];
        choose("Game", "hearts");
        choose("Points at which the match ends (standard rules)", 999999);
        const other = named("The set of rules").options[1].value;
        choose("The set of rules", other);
        await open();
        const [{ options }] = sent;
        return [...before, [sent.length, options.rules === other, "target" in options]];""",
    )
    assert is_open
    assert sent == 0
    assert ahead == [1, True, False]
