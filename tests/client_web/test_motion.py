"""Motion that says what happens, and none where somebody wants none."""

from collections.abc import Iterator

import pytest

from tests.chromium import DESK, Chromium
from tests.client_web.modules import Modules
from tests.client_web.tables import drawn

# A trick goes to the seat that has taken it, as one event; what moves then, and where to.
TAKE = """
const { fold } = await import("/picture.js");
const zones = Object.entries(told.view.zones);
const lies = zones.find(([name, { cards }]) => /^(trick|played)/.test(name) && cards.length);
const [source, { cards }] = lies;
const fact = { verb: "trick_taken", args: { seat: 2 }, words: "",
    changes: [{ do: "move", source, target: "taken/2", cards, hidden: false }] };
const seen = (pace) => {
    for (const before of element.querySelectorAll(".gone")) before.remove();
    settings.set("pace", pace);
    drawn.show({ ...told, view: told.view, fresh: true });
    const view = fold([fact], told.view);
    drawn.show({ ...told, view, before: told.view, facts: [fact], fresh: false });
    const gone = [...element.querySelectorAll(".gone")];
    const [box] = gone.map((node) => node.getAnimations()[0]);
    const panel = element.querySelector('.panel[data-key="2"]');
    return [cards.length, gone.length, box?.effect.getTiming().duration ?? 0, panel !== null];
};
"""


@pytest.fixture(scope="module")
def still(chromium: Chromium) -> Iterator[Modules]:
    """A page for somebody who has asked for reduced motion."""
    modules = Modules(chromium, viewport=DESK, reduced_motion="reduce")
    yield modules
    modules.close()


def test_a_trick_is_seen_to_go_to_its_taker(modules: Modules) -> None:
    """Cards that leave the table fly to who has them, slowly or quickly, and are gone then."""
    quick, none, usual, left = drawn(
        modules,
        f"""{TAKE}
        const told_of = [seen("quick"), seen("none"), seen(null)];
        const all = document.getAnimations().map((each) => each.finished.catch(() => null));
        for (const each of document.getAnimations()) each.finish();
        await Promise.all(all);
        await new Promise((resolve) => setTimeout(resolve));
        return [...told_of, element.querySelectorAll(".gone").length];""",
        subject="hearts-4",
    )
    count, gone, milliseconds, has_panel = usual
    assert has_panel
    assert gone == count > 0
    assert 0 < quick[2] < milliseconds
    assert none[1] == 0
    assert left == 0


def test_nothing_moves_where_reduced_motion_is_asked_for(still: Modules) -> None:
    """Cards lie where they belong at once, and nothing flies."""
    count, gone, _, _ = drawn(still, f"{TAKE} return seen(null);", subject="hearts-4")
    assert count > 0
    assert gone == 0
