"""Cards of other decks, markers of seats, and tables of more than eight: by their data alone."""

from typing import Any

import pytest

from tests.client_web.modules import Modules
from tests.client_web.pictures import moments_of, start_of
from tests.client_web.test_layout import LAY_OUT, SIZES, lies_well

MARKS = [
    ({"label": "10♥"}, {"index": "10", "suit": "♥", "word": ""}, {"name": "hearts"}),
    ({"label": "♠"}, {"index": "♠", "suit": "", "word": ""}, {"name": "black"}),
    ({"label": "red 7"}, {"index": "7", "suit": "", "word": "red"}, {}),
    ({"label": "skip_turn_+2"}, {"index": "+2", "suit": "", "word": "skip turn"}, {}),
    ({"label": "7", "group": "7"}, {"index": "7", "suit": "", "word": ""}, {}),
    ({"label": "7", "group": "gold"}, {"index": "7", "suit": "", "word": "gold"}, {"hue": 40}),
    (
        {"label": "7", "group": "gold", "colour": "red"},
        {"index": "7", "suit": "", "word": "gold"},
        {"name": "red"},
    ),
    ({"label": "joker"}, {"index": "J", "suit": "", "word": "joker"}, {}),
]
"""The entry of a card in a legend, what stands on its face, and its colour where it has one."""

PLATES = """async (labels) => {
    const { Faces } = await import("/cards/faces.js");
    const holder = document.createElement("div");
    document.body.replaceChildren(holder);
    const faces = new Faces(holder);
    faces.read(labels.map((label) => ({ token: label, label, group: "", colour: "black" })));
    return labels.map((label) => ["full", "large", "small", "corner"].map((form) => {
        const svg = faces.svg();
        faces.fill(svg, label, form);
        const symbol = faces.sprite.querySelector("symbol:last-of-type");
        const texts = [...symbol.querySelectorAll("text")].map((each) => each.textContent);
        return [texts, svg.style.getPropertyValue("--hue")];
    }));
}"""

MODEL = """async (pictures) => {
    const { modelOf } = await import("/table/model.js");
    const { pictureOf, namesOf } = await import("/picture.js");
    return pictures.map((message) => {
        const picture = pictureOf(message);
        const told = { ...picture, deal: picture.facts, names: namesOf(picture.info) };
        const { seats, shared } = modelOf(told);
        return [seats.map(({ seat, marks }) => [seat, marks]), shared.piles.concat(shared.rows)
            .map(({ title }) => title)];
    });
}"""


@pytest.mark.parametrize(("card", "marks", "colour"), MARKS)
def test_a_card_is_marked_by_its_label(
    modules: Modules, card: dict[str, str], marks: dict[str, str], colour: dict[str, Any]
) -> None:
    """A card has its label's suit, or an index and a word, in the colour's name or hue."""
    assert modules.call("cards/faces.js", "marksOf", card) == marks
    found = modules.call("cards/faces.js", "colourOf", card)
    assert found.items() >= colour.items()
    assert list(found) == ["name"] if marks["suit"] else len(found) == 1


def test_a_card_without_a_suit_says_what_it_is_in_every_form(modules: Modules) -> None:
    """A card without a suit shows its index and word or letter; two words differ in hue."""
    red, blue = modules.evaluate(PLATES, ["red 7", "sky 7"])
    for word, forms in (("red", red), ("sky", blue)):
        for texts, hue in forms:
            assert "7" in texts
            assert word in texts or word[0].upper() in texts
            assert hue
    assert red[0][1] != blue[0][1]


def with_seats(told: dict[str, Any], count: int) -> dict[str, Any]:
    """The picture with more bots at the table, who hold as much as the last one."""
    seats = [*told["info"]["seats"]]
    zones = {**told["view"]["zones"]}
    values = {**told["view"]["values"]}
    last = len(seats) - 1
    for seat in range(len(seats), count):
        seats.append({**seats[last], "name": f"Bot {seat}"})
        for kept in (zones, values):
            kept |= {
                name.replace(f"/{last}", f"/{seat}", 1): value
                for name, value in kept.items()
                if name.endswith(f"/{last}")
            }
    view = {**told["view"], "zones": zones, "values": values}
    return {**told, "info": {**told["info"], "seats": seats}, "view": view}


def test_ten_people_sit_at_a_table(modules: Modules) -> None:
    """A table of ten players fits on phones and desks."""
    told = with_seats(start_of("whist-7"), 10)
    laid = modules.evaluate(LAY_OUT, [[told], SIZES])[0]
    lies_well("ten seats", laid)
    for table in laid:
        assert sorted(panel["seat"] for panel in table["panels"]) == list(range(1, 10))


def test_who_deals_and_who_leads_is_marked(modules: Modules) -> None:
    """The dealer and leader are marked at their seats, in described games too."""
    whist = start_of("whist-4")
    cribbage = moments_of("Cribbage2")[1]
    (seats, _), (others, piles) = modules.evaluate(MODEL, [whist, cribbage])
    values = whist["view"]["values"]
    marked = {mark: seat for seat, marks in seats for mark in marks}
    assert marked == {"dealer": values["dealer"], "leader": values["leader"]}
    assert [seat for seat, marks in others if "dealer" in marks] == [0]
    assert "crib" in piles
