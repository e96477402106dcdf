"""The size of click targets on every table: at least 24 pixels each way (WCAG 2.5.8)."""

import pytest

from tests.client_web.modules import Modules
from tests.client_web.pictures import moments_of, start_of
from tests.client_web.test_layout import SIZES, SUBJECTS, game_names

SMALL = """async ([pictures, sizes, least]) => {
    const { modelOf } = await import("/table/model.js");
    const { layout } = await import("/table/layout.js");
    const { readMoves, offered, placeKey } = await import("/table/choices.js");
    const { pictureOf, namesOf } = await import("/picture.js");
    const covers = (card, x, y) => card.x < x + least && x < card.x + card.w &&
        card.y < y + least && y < card.y + card.h;
    // Whether a square of a card is covered by none of those that are drawn over it.
    const isFree = (card, over) => {
        for (let x = card.x; x + least <= card.x + card.w + 0.5; x += 1) {
            for (let y = card.y; y + least <= card.y + card.h + 0.5; y += 3) {
                if (!over.some((other) => covers(other, x, y))) return true;
            }
        }
        return false;
    };
    return pictures.map((message) => {
        const picture = pictureOf(message);
        const told = { ...picture, deal: picture.facts, names: namesOf(picture.info) };
        const { places } = offered(readMoves(told, (action, text) => text || action));
        return sizes.map(([width, height]) => {
            const { cards, spots } = layout(modelOf(told), { width, height });
            const small = [];
            cards.forEach((card, at) => {
                if (card.token === null || card.below) return;
                if (!places.has(placeKey(card.zone, card.token))) return;
                const near = cards.slice(at + 1).filter((other) =>
                    other.x < card.x + card.w && card.x < other.x + other.w &&
                    other.y < card.y + card.h && card.y < other.y + other.h);
                if (!isFree(card, near)) small.push(`${card.zone} ${card.token} ${card.w}`);
            });
            for (const spot of spots) {
                const side = Math.min(spot.w, spot.h);
                if (places.has(spot.zone) && side < least) small.push(`${spot.zone} ${side}`);
            }
            return small;
        });
    });
}"""
LEAST = 24


@pytest.mark.parametrize("subject", game_names())
def test_what_is_clicked_is_large_enough(modules: Modules, subject: str) -> None:
    """Each card that may be chosen shows a square of that size, in every window."""
    moments = moments_of(subject)
    for at, sizes in enumerate(modules.evaluate(SMALL, [list(moments), SIZES, LEAST])):
        for size, small in zip(SIZES, sizes, strict=True):
            assert small == [], f"{subject}, picture {at}, {size}"


def test_what_is_clicked_first_is_large_enough_in_every_game(modules: Modules) -> None:
    """The first targets of every game are large enough, for every number of players."""
    starts = [start_of(subject) for subject in SUBJECTS]
    told = modules.evaluate(SMALL, [starts, SIZES, LEAST])
    for subject, sizes in zip(SUBJECTS, told, strict=True):
        for size, small in zip(SIZES, sizes, strict=True):
            assert small == [], f"{subject}, {size}"
