"""Table updates are drawn without measuring, which would lay out the whole page."""

from tests.client_web.modules import Modules
from tests.client_web.tables import drawn
from tests.client_web.test_talk import story

SPY = """
const measured = [], back = [];
for (const [kind, names] of [
    [HTMLElement, ["offsetWidth", "offsetHeight", "offsetLeft", "offsetTop"]],
    [Element, ["clientWidth", "clientHeight", "scrollWidth", "scrollHeight", "scrollTop",
        "getBoundingClientRect"]],
]) {
    for (const name of names) {
        const own = Object.getOwnPropertyDescriptor(kind.prototype, name);
        const spied = own.value
            ? { ...own, value() { measured.push(name); return own.value.call(this); } }
            : { ...own, get() { measured.push(name); return own.get.call(this); } };
        Object.defineProperty(kind.prototype, name, spied);
        back.push(() => Object.defineProperty(kind.prototype, name, own));
    }
}
const asBefore = () => back.forEach((each) => each());
"""

PLAY = """
const { fold } = await import("/picture.js");
const { kind } = told.layout.zones.find((hint) => hint.place === "trick");
const target = Object.keys(told.view.zones).find((name) => name.split("/")[0] === kind);
const card = told.view.zones["hand/0"].cards[0];
const fact = { verb: "card_played", args: { seat: 0, card }, words: "",
    changes: [{ do: "move", source: "hand/0", target, cards: [card] }] };
const played = { ...told, fresh: false, before: told.view, view: fold([fact], told.view),
    facts: [fact], deal: [...told.deal, fact], question: { ...told.question, choices: null } };
drawn.show(told);
await drawn.loaded;
const slides = () => element.getAnimations({ subtree: true })
    .filter((each) => each.constructor === Animation)
    .map((each) => each.effect.target.dataset.token);
"""


def test_a_played_card_slides_without_measuring(modules: Modules) -> None:
    """Only the played card is animated, from where it lay, without measuring."""
    measured, slides, card = drawn(
        modules,
        f"""{PLAY} {SPY}
        try {{ drawn.show(played); }} finally {{ asBefore(); }}
        return [measured, slides(), card];""",
    )
    assert measured == []
    assert slides == [card]


def test_a_played_card_makes_no_other_element_anew(modules: Modules) -> None:
    """A played card keeps all other elements, and does not write other hands."""
    before, anew, written = drawn(
        modules,
        f"""{PLAY}
        const all = () => [...element.querySelectorAll(".card, .panel, .spot, .pile, .choice")];
        const before = all().filter((node) => node.dataset.token !== card);
        const others = before.filter((node) => node.dataset.zone !== "hand/0");
        const watching = new MutationObserver(() => {{}});
        const every = {{ subtree: true, childList: true, characterData: true }};
        for (const node of others) if (node.matches(".card")) watching.observe(node, every);
        drawn.show(played);
        const now = new Set(all());
        const anew = before.filter((node) => !now.has(node)).map((node) => node.outerHTML);
        return [before.length, anew, watching.takeRecords().length];""",
    )
    assert before > 15
    assert anew == []
    assert written == 0


def test_nothing_slides_for_who_wants_no_motion(modules: Modules) -> None:
    """With reduced motion a card does not slide."""
    modules.run(modules.page.emulate_media(reduced_motion="reduce"))
    slides, lies = drawn(
        modules,
        f"""{PLAY} drawn.show(played);
        const node = element.querySelector(`.card[data-token="${{card}}"]`);
        return [slides(), node.dataset.zone === target];""",
    )
    assert slides == []
    assert lies


def test_what_stays_the_same_is_not_written_again(modules: Modules) -> None:
    """Drawing an unchanged table changes no element."""
    changes = drawn(
        modules,
        """drawn.show(told);
        await drawn.loaded;
        const frame = () => new Promise(requestAnimationFrame);
        await frame().then(frame);
        drawn.show({ ...told });
        const watching = new MutationObserver(() => {});
        watching.observe(element, { subtree: true, attributes: true, childList: true,
            characterData: true });
        drawn.show({ ...told });
        return watching.takeRecords().map(({ type, attributeName, target }) =>
            `${type} ${attributeName} ${target.className}`);""",
    )
    assert sorted(set(changes)) == []


def test_lines_are_written_without_measuring(modules: Modules) -> None:
    """Lines are added without measuring, and the last one is shown unless one has scrolled up."""
    measured, first, above, last = story(
        modules,
        f"""const box = document.querySelector(".lines");
        for (const [name, value] of [["height", "60px"], ["overflow-y", "auto"]]) {{
            box.style.setProperty(name, value);
        }}
        const drawn = () => new Promise((resolve) =>
            requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const gap = () => box.scrollHeight - box.scrollTop - box.clientHeight;
        const write = () => {{ for (let at = 0; at < 30; at++) talk.line(`line ${{at}}`); }};
        {SPY}
        try {{ write(); }} finally {{ asBefore(); }}
        await drawn();
        const first = gap();
        box.scrollTop = 0;
        await drawn();
        write();
        await drawn();
        const above = box.scrollTop;
        box.scrollTop = box.scrollHeight;
        await drawn();
        write();
        await drawn();
        return [measured, first, above, gap()];""",
    )
    assert measured == []
    assert first < 2
    assert above == 0
    assert last < 2
