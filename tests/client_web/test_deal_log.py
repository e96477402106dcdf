"""The facts of a deal that a snapshot leaves out, read from the table's log."""

from typing import Any

from tests.client_web.modules import Modules

READ = """async ([seq, pages]) => {
    const { dealFacts } = await import("/room/talk.js");
    const asked = [];
    const ask = async (type, fields) => { asked.push([type, fields.after]); return pages.shift(); };
    const app = { connection: { ask }, refusal: (error) => `No: ${error.code}.` };
    const facts = await dealFacts(app, { table: "PLUM", seq });
    return [asked, typeof facts === "string" ? facts : facts.map((fact) => fact.verb)];
}"""


def page(last: int, **entries: list[str]) -> dict[str, Any]:
    told = [
        {"seq": int(name[1:]), "facts": [{"verb": verb} for verb in verbs]}
        for name, verbs in entries.items()
    ]
    return {"type": "log", "last": last, "entries": told}


def test_the_deal_is_read_from_its_beginning(modules: Modules) -> None:
    """The deal's facts are read from its beginning, over as many pages as needed."""
    pages = [
        page(302, _45=["scored"], _300=["scored", "deal_started", "dealt"]),
        page(302, _301=["passed"], _302=[]),
    ]
    asked, verbs = modules.evaluate(READ, [300, pages])
    assert asked == [["log", 44], ["log", 300]]
    assert verbs == ["deal_started", "dealt", "passed"]


def test_a_log_that_is_refused_is_a_sentence(modules: Modules) -> None:
    """A refused log gives a sentence and no facts."""
    pages = [{"type": "error", "code": "forbidden"}]
    assert modules.evaluate(READ, [7, pages]) == [[["log", 0]], "No: forbidden."]
