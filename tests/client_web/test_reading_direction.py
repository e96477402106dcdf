"""Right-to-left names and words do not affect what stands beside them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from client_cli.text import Look, clean, cut, line, paint, text_width, words
from engine.cards import FRENCH, LegendCard
from engine.facts import Fact
from engine.phrases import Phrase
from protocol.isolates import FSI, isolated, parts, without_isolates
from protocol.safe_text import safe_text
from protocol.texts import LANGUAGES, sentence, speaking, worded
from protocol.texts.catalogue import english
from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules
from tests.protocol.everything_said import TABLE_PHRASES, game_facts, table_facts

HEBREW = ("אבי 7", "בני!", "גילה", "דן (ד)")
ARABIC = ("سارة", "٣ علي", "Omar عمر", "ليلى.")
NAMES = {"Hebrew": HEBREW, "Arabic": ARABIC}
CARDS = (*FRENCH[:20], LegendCard("X", "מלך 1", "", 99, "red"))
ESCAPES = (
    "\u2069 א",
    "\u2066א",
    "א\u202e",
    "\u2067\u2068ב",
    "\u2069\u2069ג\u2066\u202d",
    "א\u2029",
)
"""Names that would leave an isolate, or have what follows in theirs."""

# Those of these sentences whose parts lie in another order than they are written in. Of each part
# the letters are measured that a browser has drawn.
TURNED = """async (said) => {
    const line = document.createElement("p");
    document.body.replaceChildren(line);
    line.style.cssText = "white-space: nowrap; font: 16px sans-serif";
    return said.filter((parts) => {
        line.textContent = parts.join("");
        let [at, edge, isTurned] = [0, -Infinity, false];
        for (const part of parts) {
            const range = document.createRange();
            range.setStart(line.firstChild, at);
            range.setEnd(line.firstChild, at += part.length);
            const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
            if (!boxes.length || !part.trim()) continue;
            isTurned ||= Math.min(...boxes.map((box) => box.left)) < edge - 1;
            edge = Math.max(...boxes.map((box) => box.right));
        }
        return isTurned;
    });
}"""
TOLD = """async ([texts, facts, phrases, names, legend]) => {
    const { Speaker } = await import("/words.js");
    const speaker = (you) => new Speaker(texts, names, legend, you);
    return {
        facts: facts.map(([fact, you]) => speaker(you).sentence(fact)),
        phrases: phrases.map((phrase) => speaker(null).worded(phrase)),
    };
}"""


def everything(names: Sequence[str]) -> list[tuple[Fact, int | None]]:
    """Every fact with `names` in it, as told to a reader and to others."""
    once: dict[str, Fact] = {}
    for fact in (*game_facts(), *table_facts()):
        args = {**fact.args, "name": names[0]} if "name" in fact.args else fact.args
        shape = f"{fact.verb} {sorted((name, type(value)) for name, value in args.items())}"
        once.setdefault(shape, Fact(fact.verb, args, fact.changes, fact.words))
    entries = english().facts.items()
    once.update(
        (verb, Fact(verb, {**entry.example, **named(entry.example, names)}))
        for verb, entry in entries
    )
    return [*product(once.values(), (None, 0))]


def named(example: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The arguments of an example, with such a text in place of people's texts."""
    texts = ("name", "program", "player", "title", "text", "game", "why")
    return {key: names[1] for key in texts if isinstance(example.get(key), str)}


def phrases(names: Sequence[str]) -> Iterator[Phrase]:
    """Each phrase, with such texts in all places that may have any."""
    yield from TABLE_PHRASES
    for code, entry in english().phrases.items():
        yield Phrase(code, {**entry.example, **named(entry.example, names)})


def outside(text: str) -> str:
    """The part of a sentence outside of isolates."""
    return "".join(part for part in parts(text) if not part.startswith(FSI))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", NAMES)
def test_every_sentence_is_drawn_in_its_order(modules: Modules, language: str, names: str) -> None:
    """The parts of every sentence are drawn in order, and the page's text equals the terminal's."""
    facts, asked = everything(NAMES[names]), [*phrases(NAMES[names])]
    with speaking(language):
        said = [sentence(fact, NAMES[names], CARDS, you) for fact, you in facts]
        reasons = [worded(phrase, CARDS, NAMES[names]) for phrase in asked]
    drawn = sorted({text for text in (*said, *reasons) if text})
    assert sum(FSI in text for text in drawn) > 40
    assert [text for text in drawn if isolated(outside(text)) != outside(text)] == []
    assert modules.evaluate(TURNED, [[*parts(text)] for text in drawn]) == []
    told = [
        ({"verb": fact.verb, "args": dict(fact.args), "changes": [], "words": fact.words}, you)
        for fact, you in facts
    ]
    asked_for = [{"code": each.code, "args": dict(each.args)} for each in asked]
    legend = [{"token": each.token, "label": each.label, "group": each.group} for each in CARDS]
    texts = page_texts(FOLDER, language)
    page = modules.evaluate(TOLD, [texts, told, asked_for, list(NAMES[names]), legend])
    assert page["facts"] == said
    for phrase, ours, theirs in zip(asked, reasons, page["phrases"], strict=True):
        # Phrases that no table needs are loaded when they are asked for.
        assert theirs == (ours if phrase.code in texts["phrases"] else None), phrase


def test_without_isolates_names_turn_what_follows(modules: Modules) -> None:
    """Without isolates a name turns what follows, so that the test would notice it."""
    names = [isolated(name) for name in ("אבי", "בני", "גילה")]
    said = [*parts(f"1. {names[0]} 31, 2. {names[1]} 23, 3. {names[2]} 7")]
    bare = [without_isolates(part) for part in said]
    assert modules.evaluate(TURNED, [said, bare]) == [bare]


@pytest.mark.parametrize("name", ESCAPES)
def test_no_name_leaves_its_isolate(modules: Modules, name: str) -> None:
    """A name stays within its isolate, and isolating it again changes nothing."""
    once = isolated(name)
    assert isolated(once) == once
    said = [*parts(f"1. {once} 31, 2. {isolated('בני')} 23")]
    assert "".join(said[2:]).startswith(" 31, 2. ")
    assert modules.evaluate(TURNED, [said]) == []
    assert modules.call("words.js", "isolated", name) == once


def test_what_turns_nothing_keeps_its_bytes(modules: Modules) -> None:
    """Left-to-right names, emoji and digits are unchanged byte for byte."""
    for name in ("Ann", "Zoë 7", "Иван", "李小龍", "สมชาย", "👩‍🚀", "−12", "Q♠", ""):
        assert isolated(name) == name
        assert modules.call("words.js", "isolated", name) == name


LONG = "שלום לכולם ובהצלחה במשחק, 12 נקודות! " * 6


@pytest.mark.parametrize("cells", [20, 40, 80])
def test_lines_of_a_terminal_are_drawn_in_their_order(modules: Modules, cells: int) -> None:
    """Lines of the terminal are drawn in order, also if wrapped or cut within names."""
    look = Look(width=cells)
    ranking = "1. {} 31, 2. {} 23, 3. {} 7, 4. {} −2".format(*map(isolated, HEBREW))
    drawn = [
        paint(each, look)
        for text in (ranking, f"{isolated('אבי כהן')}: {isolated(LONG)}")
        for each in [*words(line(clean(text, look)), cells), cut(line(clean(text, look)), cells)]
    ]
    assert len(drawn) > 4
    for each in drawn:
        assert text_width(each) <= cells
        assert safe_text(each) == each
    names = [each for each in drawn if "31" in each or "23" in each]
    assert [outside(each) for each in names if isolated(outside(each)) != outside(each)] == []
    assert modules.evaluate(TURNED, [[*parts(each)] for each in drawn]) == []
