"""How a table is arranged for a whole deal: slots in their rows, and the trick."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.client_web.modules import Modules
from tests.client_web.pictures import pictures_of, start_of
from tests.client_web.test_layout import LAY_OUT, lies_well
from tests.client_web.test_opponents import in_panels, played
from tests.client_web.windows import DESK, FELTS, PHONE_SIDEWAYS, PHONE_UPRIGHT, WIDE_DESK, Size

ROUND = (DESK, WIDE_DESK)
LOW = ((904, 430), (1216, 470))
"""The felt on a desk after a match, and that of a replay."""
HINTED = 88
"""How high a hint of several lines is."""
SLIGHT = 12
"""Pixels; a table that is full gives a hint its room with slightly smaller cards."""

LAY_A_DEAL = """async ([pictures, [width, height], hinted]) => {
    const { modelOf } = await import("/table/model.js");
    const { layout, Kept } = await import("/table/layout.js");
    const { pictureOf, namesOf } = await import("/picture.js");
    const kept = new Kept();
    return pictures.flatMap((message) => {
        const picture = pictureOf(message);
        const told = { ...picture, deal: picture.facts, names: namesOf(picture.info) };
        return [36, hinted, 36].map((actions) => {
            const given = { width, height, actions, kept: kept.get(actions) };
            const laid = layout(modelOf(told), given);
            kept.set(actions, laid.kept);
            return laid;
        });
    });
}"""


def laid_out(modules: Modules, told: Mapping[str, Any], *sizes: Size) -> Sequence[dict[str, Any]]:
    """Draw a picture on felts of these sizes; each must be laid out well."""
    (tables,) = modules.evaluate(LAY_OUT, [[told], sizes])
    lies_well("arranged", tables, sizes)
    found: Sequence[dict[str, Any]] = tables
    return found


def trick_of(subject: str) -> dict[str, Any]:
    """The table with the fullest of the first tricks."""
    return max(pictures_of(subject)[:60], key=played)


def test_slots_lie_for_everybody_in_the_rows_of_the_game(modules: Modules) -> None:
    """Slots are drawn in the game's rows at every seat, as in Golf."""
    sizes = list(FELTS.values())
    for size, table in zip(sizes, laid_out(modules, start_of("Golf4"), *sizes), strict=True):
        for seat in range(4):
            slots = {
                (round(card["x"]), round(card["y"])): int(card["slot"])
                for card in table["cards"]
                if card["zone"].split("/")[:2] in (["up", str(seat)], ["down", str(seat)])
            }
            rows = sorted({y for _, y in slots})
            found = [[slots[place] for place in sorted(slots) if place[1] == y] for y in rows]
            assert found == [[1, 2, 3], [4, 5, 6]], (size, seat)


@pytest.mark.parametrize("subject", ["schnapsen-2", "whist-3", "hearts-4"])
def test_a_low_felt_of_a_desk_is_a_round_table(modules: Modules, subject: str) -> None:
    """On a low desktop felt after a match and in a replay the trick lies in the middle as well."""
    for table in laid_out(modules, trick_of(subject), *LOW):
        assert in_panels(table) <= {False}
        widths = [spot["w"] for spot in table["spots"] if spot.get("played")]
        assert min(widths) >= 44


@pytest.mark.parametrize(
    ("subject", "sides"),
    [
        ("schnapsen-2", (0, 1, 0)),
        ("whist-3", (1, 0, 1)),
        ("spades-4", (1, 1, 1)),
        ("whist-5", (1, 2, 1)),
        ("Golf4", (1, 1, 1)),
    ],
)
def test_people_sit_round_the_table_of_a_desk(
    modules: Modules, subject: str, sides: tuple[int, int, int]
) -> None:
    """On a desk the others sit left, above and right, clockwise, with the partner opposite."""
    left, above, _ = sides
    felts = [FELTS[window] for window in ROUND]
    for (width, _), table in zip(felts, laid_out(modules, start_of(subject), *felts), strict=True):
        panels = sorted(table["panels"], key=lambda panel: int(panel["seat"]))
        assert all(panel["x"] + panel["w"] < width / 2 for panel in panels[:left])
        assert all(panel["x"] > width / 2 for panel in panels[left + above :])
        top = panels[left : left + above]
        across = [panel["x"] + panel["w"] / 2 for panel in top]
        assert across == sorted(across)
        assert all(panel["y"] < 40 for panel in top)
        assert sum(across) == pytest.approx(width / 2 * len(across), abs=len(across))


@pytest.mark.parametrize("subject", ["hearts-4", "whist-5", "black_queen-8", "schnapsen-2"])
def test_a_trick_lies_in_the_middle_of_a_desk(modules: Modules, subject: str) -> None:
    """On a desk the cards of the trick are as large as the hand's, each towards its player."""
    for table in laid_out(modules, trick_of(subject), *(FELTS[window] for window in ROUND)):
        hand = max(card["w"] for card in table["cards"] if card.get("hand"))
        spots = {spot["zone"].split()[1]: spot for spot in table["spots"] if spot.get("played")}
        assert all(spot["w"] >= 0.9 * hand for spot in spots.values())
        middle = sum(centre(spot)[0] for spot in spots.values()) / len(spots)
        for panel in table["panels"]:
            played = centre(spots[str(panel["seat"])])[0] - middle
            assert played * (centre(panel)[0] - middle) > -1
            assert centre(spots[str(panel["seat"])])[1] <= centre(spots["0"])[1]


def centre(box: Mapping[str, Any]) -> tuple[float, float]:
    """The middle of a box."""
    return box["x"] + box["w"] / 2, box["y"] + box["h"] / 2


@pytest.mark.parametrize("window", [PHONE_UPRIGHT, PHONE_SIDEWAYS])
@pytest.mark.parametrize("subject", ["spades-4", "whist-5", "black_queen-4"])
def test_played_cards_of_a_row_lie_in_one_line(
    modules: Modules, subject: str, window: Size
) -> None:
    """Played cards of a row of panels lie in one line, whatever is counted above them."""
    (table,) = laid_out(modules, trick_of(subject), FELTS[window])
    rows = {panel["seat"]: panel["y"] for panel in table["panels"]}
    spots = [
        (spot["zone"].split()[1], spot["y"] + spot["h"])
        for spot in table["spots"]
        if spot.get("played")
    ]
    feet = {(rows[int(seat)], round(foot)) for seat, foot in spots if int(seat) in rows}
    assert len(feet) == len(set(rows.values()))


def test_a_trick_lies_together_on_a_phone(modules: Modules) -> None:
    """On a phone the trick lies together with all cards readable, one's own card below."""
    (table,) = laid_out(modules, trick_of("hearts-4"), FELTS[PHONE_UPRIGHT])
    lowest = max(panel["y"] + panel["h"] for panel in table["panels"])
    spots = {spot["zone"]: spot for spot in table["spots"] if spot.get("played")}
    assert len(spots) == 4
    assert all(spot["w"] >= 54 for spot in spots.values())
    assert 0 < spots["played 0"]["y"] - lowest < 40


def test_a_hand_has_the_width_of_a_low_window(modules: Modules) -> None:
    """In a low window the hand has the full width, unless slots lie before its player."""
    width, _ = FELTS[PHONE_SIDEWAYS]
    (table,) = laid_out(modules, start_of("whist-4"), FELTS[PHONE_SIDEWAYS])
    hand = [card for card in table["cards"] if card.get("hand")]
    right = max(card["x"] + card["w"] for card in hand)
    assert right - min(card["x"] for card in hand) > 0.75 * width


def test_cards_that_are_passed_lie_in_one_line(modules: Modules) -> None:
    """Passed cards lie in one line, so that panels need not grow."""
    told = next(
        each
        for each in pictures_of("hearts-4")
        if "passing/1" in each["view"]["zones"] and each["view"]["zones"]["passing/1"].get("backs")
    )
    (table,) = laid_out(modules, told, FELTS[PHONE_UPRIGHT])
    lines = {round(card["y"]) for card in table["cards"] if card["zone"] == "passing/1"}
    assert len(lines) == 1


@pytest.mark.parametrize("subject", ["whist-5", "spades-4", "hearts-4"])
def test_everybody_keeps_their_place_for_a_deal(modules: Modules, subject: str) -> None:
    """Bids, marks and hints move neither panels nor hand during a deal."""
    pictures = [
        each for each in pictures_of(subject)[:60] if each["view"]["values"].get("deal", 1) == 1
    ]
    tables = modules.evaluate(LAY_A_DEAL, [pictures, FELTS[PHONE_UPRIGHT], HINTED])
    columns = {
        tuple((panel["seat"], round(panel["x"])) for panel in table["panels"]) for table in tables
    }
    assert len(columns) == 1
    asked = [0 in each["question"]["to_act"] for each in pictures]
    assert any(asked)
    for at, is_asked in enumerate(asked):
        before, hinted, after = tables[3 * at : 3 * at + 3]
        assert before == after
        if is_asked:
            assert moved(before, hinted, "panels") <= SLIGHT
            assert moved(before, hinted, "cards") <= 2 * SLIGHT


def moved(before: Mapping[str, Any], after: Mapping[str, Any], kind: str) -> float:
    """The largest distance that the corner of a panel or of a card in the hand has moved."""
    pairs = [
        (one, other)
        for one, other in zip(before[kind], after[kind], strict=True)
        if kind == "panels" or one.get("hand")
    ]
    return max(
        (abs(one[side] - other[side]) for one, other in pairs for side in ("x", "y")), default=0
    )
