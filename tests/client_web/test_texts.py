"""The page's own words and forms: nothing is missing, and nothing is left over."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from protocol.table_settings import TableSettings
from protocol.texts.catalogue import LANGUAGES
from server.transport.page_files import FOLDER
from tests.client_web.modules import Modules

SOURCES = {path: path.read_text() for path in FOLDER.rglob("*.js")}
ASKED = re.compile(r"""\b(?:t|page)\(\s*(?:[^"`()]*\? )?["`]([a-z_.]+(?:\$\{\w+\})?)["`]""")
LITERAL = re.compile(r"""["`]([a-z_.]+)["`]""")


def keys(texts: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for name, text in texts.items():
        if isinstance(text, dict):
            yield from keys(text, f"{before}{name}.")
        else:
            yield f"{before}{name}"


def test_each_text_of_the_page_is_there_and_is_used() -> None:
    """In every language; a key with a word of the program in it stands for all that begin so."""
    source = "\n".join(SOURCES.values())
    asked, literals = set(ASKED.findall(source)), set(LITERAL.findall(source))
    begun = tuple(key.partition("$")[0] for key in asked if "$" in key)
    for language in LANGUAGES:
        texts = set(keys(tomllib.loads((FOLDER / "texts" / f"{language}.toml").read_text())))
        assert {key for key in asked - texts if "$" not in key} == set()
        assert {key for key in texts - literals if not key.startswith(begun)} == set()


def test_the_form_has_every_setting_of_a_table(modules: Modules) -> None:
    """With values that a server takes, and with what is usual as the first of them."""
    settings = modules.evaluate(
        """async () => {
            const { settingsForm, SETTINGS } = await import("/lobby/options.js");
            const app = { t: (key) => key, session: { knows: () => true } };
            const { element, read } = settingsForm(app);
            const every = [];
            for (const input of element.querySelectorAll("select")) {
                for (const option of input.options) {
                    input.value = option.value;
                    every.push(read());
                }
                input.value = input.options[0].value;
            }
            const usual = settingsForm(app).read();
            return { usual, every, names: Object.keys(SETTINGS) };
        }"""
    )
    assert settings["names"] == list(TableSettings.model_fields)
    assert TableSettings.model_validate(settings["usual"]) == TableSettings()
    for each in settings["every"]:
        TableSettings.model_validate(each)


def test_an_option_without_an_effect_is_not_shown(modules: Modules) -> None:
    """Until the option that it depends on has another value; what it means is told beside it."""
    shown = modules.evaluate(
        """async () => {
            const { optionForm } = await import("/lobby/options.js");
            const app = { words: { worded: () => null } };
            const game = { options: [
                { name: "rules", title: "rules", default: "old", words: ["old", "new"],
                  titles: { old: "as ever" } },
                { name: "moon", title: "moon", default: 3, low: 1, high: 9, help: "Who scores.",
                  depends: { rules: ["new"] } },
            ] };
            const { element, read } = optionForm(app, game);
            const [rules, moon] = element.children;
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
        "MoonWho scores.",
        {"rules": "new", "moon": 3},
    ]
