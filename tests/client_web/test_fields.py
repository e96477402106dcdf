"""The fields of a form stand in lines, checkboxes included."""

from typing import Any

from server.net.page_files import FOLDER
from tests.client_web.modules import Modules

BOXES = """async (css) => {
    const { el, field, select } = await import("/dom.js");
    const style = el("style", { text: css });
    const chosen = field("Time", select([["", "usual"]], ""), "After so many seconds a bot moves.");
    const ticked = field("Hints", el("input", { type: "checkbox" }), "Players may ask a bot.");
    const alone = field("Private", el("input", { type: "checkbox" }), "It is not in the list.");
    const fields = el("div", { class: "fields" }, [chosen, ticked]);
    fields.style.width = "600px";
    document.head.append(style);
    document.body.replaceChildren(fields, alone);
    const boxes = (of) => Object.fromEntries(["span", "input, select", "small"].map((which) => {
        const { left, top, bottom } = of.querySelector(which).getBoundingClientRect();
        return [which.split(",")[0], [left, top, bottom]];
    }));
    const told = [fields, chosen, ticked, alone].map((each) =>
        each === fields ? [] : [boxes(each), each.getBoundingClientRect().left]);
    style.remove();
    return told.slice(1);
}"""


def test_a_box_to_tick_stands_in_the_line_of_the_titles(modules: Modules) -> None:
    """A checkbox stands in the line of the titles, with its help below the title."""
    css = (FOLDER / "page.css").read_text("utf-8")
    told: list[Any] = modules.evaluate(BOXES, css)
    (chosen, _), (ticked, edge), (alone, left) = told
    assert abs(ticked["span"][1] - chosen["span"][1]) <= 1
    assert abs(ticked["input"][1] - chosen["span"][1]) <= 2
    assert ticked["input"][0] == edge
    assert alone["input"][0] == left
    for boxes in (ticked, alone):
        assert boxes["small"][0] == boxes["span"][0]
        assert 0 <= boxes["small"][1] - boxes["span"][2] <= 8
