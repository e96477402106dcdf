"""A table of a random match, drawn on the empty page in which tests call modules."""

from typing import Any

from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules
from tests.client_web.pictures import moments_of

DRAW = """
const { TableView } = await import("/table/table.js");
const { pictureOf, namesOf } = await import("/picture.js");
const { Speaker } = await import("/words.js");
const told = (() => {
    const picture = pictureOf(message);
    const names = namesOf(picture.info);
    return { ...picture, code: picture.table, fresh: true, before: null, facts: [], game: null,
        deal: picture.facts, names, clocks: null, online: true,
        words: new Speaker(texts, names, picture.legend, picture.seat) };
})();
const element = document.createElement("div");
element.style.setProperty("width", "1200px");
element.style.setProperty("height", "700px");
document.body.replaceChildren(element);
const settings = new Map(), said = [];
const callbacks = {
    setting: (name) => settings.get(name) ?? null,
    set: (name, value) => settings.set(name, value),
    say: (text) => said.push(text),
};
const drawn = new TableView(element, callbacks);
const tool = (text) => [...element.querySelectorAll(".tool")]
    .find((each) => each.textContent === text);
"""


def drawn(
    modules: Modules,
    script: str,
    subject: str = "whist-4",
    moment: int = 1,
    language: str = "en",
) -> Any:
    """The result of a script about a new `TableView`; `told` is passed to the script."""
    given = [moments_of(subject)[moment], page_texts(FOLDER, language)]
    return modules.evaluate(
        f"async ([message, texts]) => {{ {DRAW} try {{ {script} }} finally {{ drawn.end(); }} }}",
        given,
    )
