"""Where a table's cards lie: every game and number of players, on phones and desks."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest

from engine import GAMES
from engine.recycle.games import names
from tests.client_web.modules import Modules
from tests.client_web.pictures import moments_of, pictures_of, start_of
from tests.client_web.windows import DESK, FELTS, SCROLLED, Size
from tests.counts import NIGHT, count

SIZES = tuple(FELTS.values())
HIGHEST = {FELTS[window]: height for window, height in SCROLLED.items()}
"""How high a table becomes that does not fit, by the felt that it has at first."""
SUBJECTS = [f"{info.id}-{seats}" for info in GAMES for seats in info.seats] + list(names())
SOME = ("black_queen-8", "whist-5", "schnapsen-2", "Golf4", "Rummy2")
"""What every run looks at; nights look at all."""

LAY_OUT = """async ([pictures, sizes]) => {
    const { modelOf } = await import("/table/model.js");
    const { layout } = await import("/table/layout.js");
    const { pictureOf, namesOf } = await import("/picture.js");
    return pictures.map((message) => {
        const picture = pictureOf(message);
        const told = { ...picture, deal: picture.facts, names: namesOf(picture.info) };
        return sizes.map(([width, height]) => layout(modelOf(told), { width, height }));
    });
}"""


LAY_ON = """async ([pictures, [width, height]]) => {
    const { modelOf } = await import("/table/model.js");
    const { layout } = await import("/table/layout.js");
    const { pictureOf, namesOf } = await import("/picture.js");
    let before = new Map(), deal, kept, still = 0, all = 0;
    const some = [];
    for (const message of pictures) {
        const picture = pictureOf(message);
        const told = { ...picture, deal: picture.facts, names: namesOf(picture.info) };
        if (told.view.values.deal !== deal) kept = undefined;
        deal = told.view.values.deal;
        const laid = layout(modelOf(told), { width, height, kept });
        kept = laid.kept;
        if (laid.height > height || picture.seq % 9 === 0) some.push(laid);
        const cards = laid.cards.filter((card) => !card.hand);
        const placeOf = ({ x, y, w }) => [x, y, w].map(Math.round).join();
        const now = new Map(cards.map((card) => [card.key, placeOf(card)]));
        for (const [key, place] of now) {
            if (!before.has(key)) continue;
            all += 1;
            still += before.get(key) === place;
        }
        before = now;
    }
    return [still, all, some];
}"""
STILL = (
    ("whist-4", 0.95),
    ("black_queen-4", 0.95),
    ("spades-4", 0.95),
    ("hearts-4", 0.9),
    ("schnapsen-2", 0.9),
    ("Golf4", 0.9),
    ("Cribbage2", 0.8),
)
"""How many of the cards that stay lie still, at least, on a desk."""


def game_names() -> Sequence[str]:
    return SUBJECTS if NIGHT else SOME


@pytest.mark.parametrize("subject", game_names())
def test_everything_lies_on_the_table_and_shows(modules: Modules, subject: str) -> None:
    """Everything on the table fits at the start, fullest, most choices and end, in every window.

    Nothing is cut off, cards of different places do not cover each other, and the left of every
    open card shows, where its index stands.
    """
    for at, laid in enumerate(modules.evaluate(LAY_OUT, [list(moments_of(subject)), SIZES])):
        lies_well(f"{subject}, picture {at}", laid)


@pytest.mark.parametrize("seed", range(1, 1 + count(1)))
def test_every_game_lies_on_the_table_at_its_start(modules: Modules, seed: int) -> None:
    """Everything fits at the start of every game, for every number of players."""
    starts = [start_of(subject, seed) for subject in SUBJECTS]
    for subject, laid in zip(SUBJECTS, modules.evaluate(LAY_OUT, [starts, SIZES]), strict=True):
        lies_well(f"{subject}, seed {seed}", laid)


def lies_well(
    picture: str, laid: Sequence[Mapping[str, Any]], sizes: Sequence[Size] = SIZES
) -> None:
    """Check that a table lies well in each window."""
    for size, table in zip(sizes, laid, strict=True):
        where = f"{picture}, {size}"
        width, height = size
        high = table["height"]
        assert height <= high <= HIGHEST.get(size, height), where
        for box in (*table["cards"], *table["panels"], *table["piles"]):
            assert _inside(box, (width, high)), f"{where}: {box}"
        for one, other in combinations(table["panels"], 2):
            assert not _overlap(one, other, 0), f"{where}: {one} {other}"
        for one, other in _of_different_places(table["cards"]):
            assert not _overlap(one, other, 6), f"{where}: {one} {other}"
        for card, above in combinations(table["cards"], 2):
            assert _corner_shows(card, above), f"{where}: {above} hides {card}"


def test_the_index_of_a_card_below_a_pile_shows(modules: Modules) -> None:
    """The index of the trump card shows below the talon, which covers its right half."""
    (laid,) = modules.evaluate(LAY_OUT, [[start_of("schnapsen-2")], SIZES])
    for table in laid:
        (trump,) = (card for card in table["cards"] if card["zone"] == "turned")
        talon = [card for card in table["cards"] if card["zone"] == "talon"]
        assert talon
        assert min(card["x"] for card in talon) - trump["x"] > trump["w"] / 2


def _inside(box: dict[str, Any], size: tuple[int, int]) -> bool:
    width, height = size
    return bool(
        box["x"] >= -1
        and box["y"] >= -1
        and box["x"] + box["w"] <= width + 1
        and box["y"] + box["h"] <= height + 1
    )


def _overlap(one: dict[str, Any], other: dict[str, Any], grace: float) -> bool:
    return all(
        one[start] + one[length] > other[start] + grace
        and other[start] + other[length] > one[start] + grace
        for start, length in (("x", "w"), ("y", "h"))
    )


def _of_different_places(
    cards: list[dict[str, Any]],
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Pairs of cards that do not share a slot, a pile or a trick."""
    return [
        (one, other)
        for one, other in combinations(cards, 2)
        if one["zone"].split("/")[1:] != other["zone"].split("/")[1:]
        and "played" not in one
        and "played" not in other
    ]


def _corner_shows(card: dict[str, Any], above: dict[str, Any]) -> bool:
    """Whether a strip of an open card shows that is wide or high enough for its index."""
    if card["token"] is None or card.get("below") or card["zone"] != above["zone"]:
        return True
    right, down = above["x"] - card["x"], above["y"] - card["y"]
    return bool(right >= 12 or down >= 16 or right <= -card["w"] * 0.5 or down <= -1)


@pytest.mark.parametrize(("subject", "least"), STILL if NIGHT else STILL[:1])
def test_little_moves_in_the_middle_of_a_deal(modules: Modules, subject: str, least: float) -> None:
    """In the middle of a deal the layout is kept while it fits, so that cards lie still.

    A fan of which a card is played closes up, and so do cards beside each other; in some games much
    of what lies open is such.
    """
    for window, felt in FELTS.items() if NIGHT else [(DESK, FELTS[DESK])]:
        still, all_of_them, laid = modules.evaluate(
            LAY_ON, [list(pictures_of(subject)[:260]), felt]
        )
        for at, table in enumerate(laid):
            lies_well(f"{subject}, {at}", [table], [felt])
        assert still > (least if window == DESK else 0.75) * all_of_them, window
