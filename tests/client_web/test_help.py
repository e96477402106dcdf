"""The help beside a table: its contents, and the key that opens it."""

from typing import Any

from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules

BEGIN = """
const { Help } = await import("/room/help.js");
const { isForPage } = await import("/dom.js");
const { Speaker } = await import("/words.js");
const words = new Speaker(texts);
const app = { texts, t: (key, args) => words.page(key, args), rules: async (game) => game.rules };
const game = {
    rules: "# Rules\\n<b>None.</b>\\n## Typing a move\\n`play QS`", strengths: [0, 1],
    bots: [{ strength: 0 }, { strength: 1, levels: ["easy"], how: "Takes what it can." }],
};
const help = new Help(app);
const before = document.createElement("button");
document.body.replaceChildren(before, help.element);
before.focus();
"""


def story(modules: Modules, script: str) -> Any:
    """The result of a script after `BEGIN`."""
    texts = page_texts(FOLDER, "en")
    return modules.evaluate(f"async (texts) => {{ {BEGIN} {script} }}", texts)


def test_the_help_has_keys_bots_and_rules(modules: Modules) -> None:
    """The help has keys, described bots and rules, as plain text."""
    parts, opened, bots, rules, signs = story(
        modules,
        """help.open(game, "rules");
        await null;
        const parts = [...help.element.querySelectorAll("details")];
        const [, bots, rules] = parts.map((part) => part.lastElementChild);
        return [parts.map((part) => part.firstElementChild.textContent),
            parts.map((part) => part.open), bots.textContent, rules.textContent,
            parts[0].lastElementChild.textContent];""",
    )
    assert parts == ["Keys and clicks", "How the bots think", "Rules"]
    assert opened == [False, False, True]
    assert bots == "easy botTakes what it can."
    assert rules == "Rules<b>None.</b>"
    letters, score = signs.split(". ", 1)
    assert letters == "The letters on the cards: A ace, K king, Q queen, J jack"
    assert score == "Beside a name, Σ is the score so far."


def test_rules_are_drawn_as_a_page(modules: Modules) -> None:
    """Rules are drawn with headings, lists, tables and emphasis, and any other markup as text."""
    drawn = modules.evaluate(
        """async (text) => {
            const { page } = await import("/room/markdown.js");
            const told = (node) => node.nodeType === Node.TEXT_NODE ? node.data
                : [node.localName, ...[...node.childNodes].map(told)];
            return page(text).map(told);
        }""",
        "# Fox\nTake *no* `x`.\nNone.\n\n- one\n- **two**\n1. <i>\n\n"
        "| a | b |\n|---|---|\n| 1 | −2 |",
    )
    assert drawn == [
        ["h3", "Fox"],
        ["p", "Take ", ["em", "no"], " ", ["code", "x"], ". None."],
        ["ul", ["li", "one"], ["li", ["strong", "two"]], ["li", "<i>"]],
        [
            "div",
            [
                "table",
                ["thead", ["tr", ["th", "a"], ["th", "b"]]],
                ["tbody", ["tr", ["td", "1"], ["td", "−2"]]],
            ],
        ],
    ]


def test_closed_help_gives_the_focus_back(modules: Modules) -> None:
    """Closing the help by its key, button or Escape returns the focus.

    Without a known game it has only keys. On a phone it begins with the rules.
    """
    told = story(
        modules,
        """help.toggle(null);
        const parts = help.element.querySelectorAll("details").length;
        const focused = document.activeElement === help.element;
        const key = new KeyboardEvent("keydown", { key: "Escape" });
        help.element.dispatchEvent(key);
        const closed = [help.element.hidden, document.activeElement === before];
        const asked = window.matchMedia;
        window.matchMedia = () => ({ matches: true });
        help.toggle(game);
        window.matchMedia = asked;
        const opened = [...help.element.querySelectorAll("details")].map(({ open }) => open);
        return [parts, focused, ...closed, opened];""",
    )
    assert told == [1, True, True, True, [False, False, True]]


def test_the_key_for_help_is_a_letter_in_a_field(modules: Modules) -> None:
    """The help's key is a letter in a text field, and does nothing with other keys or if used."""
    told = story(
        modules,
        """const press = (tag, more = {}) => {
            const node = document.createElement(tag);
            document.body.append(node);
            let told = null;
            node.addEventListener("keydown", (event) => { told = isForPage(event); });
            node.dispatchEvent(new KeyboardEvent("keydown", { key: "?", ...more }));
            return told;
        };
        const plain = ["button", "input", "select"].map((tag) => press(tag));
        return [...plain, press("p", { ctrlKey: true })];""",
    )
    assert told == [True, False, False, False]
