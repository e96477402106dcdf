"""Whether the text on a table is shown whole: every game, on phones and desks."""

from collections.abc import Sequence
from typing import Any

import pytest

from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules
from tests.client_web.pictures import moments_of, start_of
from tests.client_web.test_layout import SOME, SUBJECTS
from tests.client_web.windows import FELTS, LOW_DESK, PHONE_UPRIGHT, SMALL_PHONE, ZOOMED, Size
from tests.counts import NIGHT

LONGEST = "de"
"""The language whose words take most room."""
HIGH = -98
"""A score as long as most of them get."""
LONG_NAMES = (
    *("Friederike", "Maximilian", "Christiane", "Sebastian"),
    *("Katharina", "Alexander", "Dominique", "Cornelius"),
)
"""As long as names usually get."""
RESERVE = 3599
"""A clock as wide as most of them are: 59:59."""
NARROW = (PHONE_UPRIGHT, LOW_DESK, SMALL_PHONE, ZOOMED)

CLIPPED = """async ([pictures, texts, sizes, reserve]) => {
    const { TableView } = await import("/table/table.js");
    const { pictureOf, namesOf } = await import("/picture.js");
    const { Speaker } = await import("/words.js");
    const { showClocks } = await import("/table/clocks.js");
    const { now } = await import("/clock.js");
    const styles = ["/page.css", "/table/table.css"].map((href) =>
        Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    await Promise.all(styles.map((style) => new Promise((done) => {
        style.addEventListener("load", done);
        document.head.append(style);
    })));
    // Of the turn nothing is left, so the reserve runs.
    const clocks = (picture) => (reserve === null ? null :
        { turn: 0, reserve: picture.info.seats.map(() => reserve), since: now() });
    const callbacks = { setting: () => null, set: () => {}, say: () => {} };
    // How far text sticks out of what cuts it off; what can be scrolled is not cut.
    const isClipped = (text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const box = range.getBoundingClientRect();
        for (let each = text.parentElement; each !== document.body; each = each.parentElement) {
            const { overflowX } = getComputedStyle(each);
            if (overflowX === "auto" || overflowX === "scroll") return false;
            // A panel cuts nothing off, but what lies beside it is somebody else's.
            if (overflowX === "visible" && !each.matches(".panel, .teams")) continue;
            const edge = each.getBoundingClientRect();
            if (box.left < edge.left - 1 || box.right > edge.right + 1 ||
                box.top < edge.top - 2 || box.bottom > edge.bottom + 2) return true;
        }
        return false;
    };
    const clipped = (root) => {
        const found = [];
        const all = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let text = all.nextNode(); text; text = all.nextNode()) {
            const node = text.parentElement;
            if (!text.data.trim() || node.closest(".spoken, option, svg")) continue;
            if (!node.checkVisibility({ visibilityProperty: true })) continue;
            if (isClipped(text)) found.push(`${node.className}: ${text.data}`);
        }
        return found;
    };
    const element = document.createElement("div");
    document.body.replaceChildren(element);
    try {
        return pictures.map((message) => {
            const picture = pictureOf(message);
            const names = namesOf(picture.info);
            const words = new Speaker(texts, names, picture.legend, picture.seat);
            const told = { ...picture, code: picture.table, fresh: true, before: null, facts: [],
                game: null, deal: picture.facts, names, clocks: clocks(picture), online: true,
                words };
            return sizes.map(([width, height]) => {
                element.style.setProperty("width", `${width}px`);
                element.style.setProperty("height", `${height}px`);
                const drawn = new TableView(element, callbacks);
                drawn.show(told);
                showClocks(drawn.felt.clocks(), told);
                const found = clipped(element);
                drawn.end();
                return found;
            });
        });
    } finally {
        for (const style of styles) style.remove();
    }
}"""


def with_high_scores(told: dict[str, Any]) -> dict[str, Any]:
    """The picture with long scores at all seats that have one."""
    view = told["view"]
    values = {
        key: HIGH if key.startswith("total/") else value
        for key, value in view.get("values", {}).items()
    }
    return {**told, "view": {**view, "values": values}}


def asked_everybody(told: dict[str, Any]) -> dict[str, Any]:
    """The picture with a long name at each seat, and all seats to move."""
    chairs = told["info"]["seats"]
    seats = [{**chair, "name": LONG_NAMES[at]} for at, chair in enumerate(chairs)]
    asked = list(range(len(seats)))
    return {
        **told,
        "info": {**told["info"], "seats": seats, "settings": {"turn_seconds": 120}},
        "question": {**told["question"], "to_act": asked},
    }


def find_nothing(
    modules: Modules,
    name: str,
    pictures: Sequence[dict[str, Any]],
    windows: Sequence[Size],
    reserve: int | None = None,
) -> None:
    """Draw these pictures on the felt of each window, and check that no text is clipped.

    With a `reserve` in seconds, it runs for all players to move.
    """
    sizes: list[Size] = [FELTS[window] for window in windows]
    given = [pictures, page_texts(FOLDER, LONGEST), sizes, reserve]
    for at, found in enumerate(modules.evaluate(CLIPPED, given)):
        assert dict(zip(windows, found, strict=True)) == {each: [] for each in windows}, (name, at)


@pytest.mark.parametrize("subject", SUBJECTS if NIGHT else SOME)
def test_the_text_of_a_match_is_seen_whole(modules: Modules, subject: str) -> None:
    """All texts of a match are shown whole at its start, fullest, most choices and end.

    A name may be too long for its panel; these are not.
    """
    find_nothing(modules, subject, moments_of(subject), list(FELTS) if NIGHT else NARROW)


def test_the_text_of_every_game_is_seen_whole(modules: Modules) -> None:
    """All texts of every game are shown whole for every number of players, with long scores."""
    find_nothing(modules, "starts", [with_high_scores(start_of(each)) for each in SUBJECTS], NARROW)


def test_whose_turn_it_is_is_read_beside_a_clock(modules: Modules) -> None:
    """A long name, a long score and the clock are shown at every seat of every game."""
    starts = [asked_everybody(with_high_scores(start_of(each))) for each in SUBJECTS]
    windows = list(FELTS) if NIGHT else NARROW
    find_nothing(modules, "clocks", starts, windows, RESERVE)
