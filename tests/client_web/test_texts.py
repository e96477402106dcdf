"""The page's own texts and forms: complete, and without unused ones."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from protocol.table_settings import CAME_LATER, TableSettings
from protocol.texts.catalogue import LANGUAGES, english, own_of
from server.net.page_files import FIRST, FOLDER, SCRIPTS, page_files
from server.net.page_modules import imported
from server.net.page_texts import later_texts, page_texts
from tests.client_web.modules import Modules

SOURCES = {path: path.read_text() for path in FOLDER.rglob("*.js")}
ASKED = re.compile(r"""\b(?:t|page)\(\s*(?:[^"`()]*\? )?["`]([a-z_.]+(?:\$\{\w+\})?)["`]""")
LITERAL = re.compile(r"""["`]([a-z_.]+)["`]""")


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


def entries(texts: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, each in texts.items():
        if isinstance(each, dict):
            yield from entries(each, f"{before}{name}.")
        else:
            yield f"{before}{name}", each


def keys(texts: Mapping[str, Any]) -> list[str]:
    return [key for key, _ in entries(texts)]


def test_each_text_of_the_page_is_there_and_is_used() -> None:
    """Every text exists in every language and is used by the page."""
    source = "\n".join(SOURCES.values())
    asked, literals = set(ASKED.findall(source)), set(LITERAL.findall(source))
    begun = tuple(key.partition("$")[0] for key in asked if "$" in key)
    for language in LANGUAGES:
        texts = set(keys(own_of("page", language, FOLDER / "texts")))
        shown = set(keys(page_texts(FOLDER, language)["page"]))
        assert {key for key in asked - shown if "$" not in key} == set()
        assert {key for key in texts - literals if not key.startswith(begun)} == set()


def test_the_first_screen_has_the_texts_that_it_asks_for() -> None:
    """What the modules of the first file say comes with them, all other texts in another file."""
    first = imported({name_of(path): source for path, source in SOURCES.items()}, *SCRIPTS[FIRST])
    for language in LANGUAGES:
        files = [page_files().files[f"texts/{language}.{kind}"] for kind in ("json", "rest.json")]
        early, late = (dict(entries(json.loads(file.plain))) for file in files)
        asked = {f"page.{key}" for name in first for key in ASKED.findall(SOURCES[FOLDER / name])}
        assert {key for key in asked if "$" not in key} <= early.keys()
        assert not late.keys() & {key for key in early if key.startswith("page.")}
        assert early | late == dict(entries(json.loads(json.dumps(page_texts(FOLDER, language)))))


def test_the_form_has_every_setting_of_a_table(modules: Modules) -> None:
    """The form has every setting of a table, with valid values, defaults first, and help.

    Newer settings are shown only if the server knows them.
    """
    settings = modules.evaluate(
        """async ([texts, settings]) => {
            const { settingsForm } = await import("/lobby/options.js");
            const t = (key, args) => args?.value ? `Default: ${args.value}.` : key;
            const app = { t, texts, session: { knows: () => true } };
            const { private: hidden, fields, read } = settingsForm(app, settings);
            const every = [];
            const inputs = fields.map((field) => field.querySelector("select"));
            for (const input of inputs.filter(Boolean)) {
                for (const option of input.options) {
                    input.value = option.value;
                    every.push(read());
                }
                input.value = input.options[0].value;
            }
            const usual = settingsForm(app, settings).read();
            app.session.knows = () => false;
            const first = settingsForm(app, settings).read();
            const told = [hidden, ...fields].map((field) => field.textContent);
            return { usual, every, told, first: Object.keys(first) };
        }""",
        [page_texts(FOLDER, "en"), json.loads(json.dumps(later_texts("en")["settings"]))],
    )
    assert list(settings["usual"]) == list(TableSettings.model_fields)
    assert set(settings["first"]) == TableSettings.model_fields.keys() - CAME_LATER.keys()
    assert TableSettings.model_validate(settings["usual"]) == TableSettings()
    for each in settings["every"]:
        TableSettings.model_validate(each)
    for name, told in zip(settings["usual"], settings["told"], strict=True):
        about = english().settings[name]
        assert told.startswith(about.title.rstrip(".")), name
        assert f"{about.help} Default: " in told, name
    assert settings["told"][0].endswith("players need its link or code. Default: no.")


def test_an_option_without_an_effect_is_not_shown(modules: Modules) -> None:
    """An option without an effect is hidden until its condition holds, and has help.

    The form sends only what was changed.
    """
    shown = modules.evaluate(
        """async () => {
            const { optionForm } = await import("/lobby/options.js");
            const t = (key, { value, low, high }) =>
                key === "new.usual" ? `Default: ${value}.` : `From ${low} to ${high}.`;
            const app = { t, words: { worded: () => null } };
            const game = { options: [
                { name: "rules", title: "rules", default: "old", words: ["old", "new"],
                  titles: { old: "as ever" } },
                { name: "moon", title: "moon", default: 3, low: 1, high: 9, help: "Who scores.",
                  depends: { rules: ["new"] } },
            ] };
            const { fields, read } = optionForm(app, game, 2);
            const [rules, moon] = fields;
            const before = moon.hidden;
            rules.querySelector("select").value = "new";
            rules.querySelector("select").dispatchEvent(new Event("change", { bubbles: true }));
            const words = [...rules.querySelectorAll("option")].map((each) => each.textContent);
            return [before, moon.hidden, words, moon.textContent, read()];
        }"""
    )
    assert shown == [
        True,
        False,
        ["as ever", "new"],
        "MoonWho scores. From 1 to 9. Default: 3.",
        {"rules": "new"},
    ]


@pytest.mark.parametrize(("width", "lines"), [(640, [2, 1]), (338, [1, 1, 1])])
def test_the_fields_of_a_form_stand_in_lines(
    modules: Modules, width: int, lines: list[int]
) -> None:
    """The fields of a form stand in lines on desk and phone, whatever their titles and help.

    A checkbox stands in the line of the titles and moves no field.
    """
    rows = modules.evaluate(
        """async (width) => {
            const { el, field, select } = await import("/dom.js");
            const style = el("link", { rel: "stylesheet", href: "/page.css" });
            await new Promise((done) => { style.onload = done; document.head.append(style); });
            const box = () => el("input", { type: "checkbox" });
            const text = "What a bid of nothing scores, or costs if it fails and nobody helps";
            const fields = [field("Deals", select([["1", "one"]], "1"), "Some."),
                field(text, select([["1", text]], "1"), `${text}. ${text}.`),
                field(text, box(), text), field("Goal", select([["1", "one"]], "1"), text)];
            const form = el("div", { class: "fields" }, fields);
            form.style.width = `${width}px`;
            document.body.append(form);
            const rows = new Map();
            for (const each of fields.filter((field) => field.querySelector("select"))) {
                const [input, help] = ["select", "small"].map((name) =>
                    each.querySelector(name).getBoundingClientRect());
                const middle = Math.round(input.y + input.height / 2);
                const row = rows.get(middle) ?? [];
                rows.set(middle, [...row, [Math.round(help.y), help.y >= input.bottom,
                    input.right <= each.getBoundingClientRect().right]]);
            }
            return [...rows.values()];
        }""",
        width,
    )
    assert [len(row) for row in rows] == lines
    for row in rows:
        assert len({top for top, _, _ in row}) == 1
        assert all(below and fits for _, below, fits in row)
