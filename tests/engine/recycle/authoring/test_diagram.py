"""The picture of a game's stages."""

from xml.etree import ElementTree

import pytest

from engine.recycle.authoring.diagram import diagram
from engine.recycle.authoring.outline import Outline, Part, outline
from engine.recycle.games import description, names
from tests.engine.recycle.reading.wording import game

SPACE = "{http://www.w3.org/2000/svg}"
STAGE = Part(
    "stage",
    "player after player",
    ("until (< 1 2)",),
    (Part("choice", "choice", ("if (== 1 1)", "   (turn pass)")), Part("do", "do", ("(x)",) * 13)),
)


def picture(*parts: Part, title: str = "Test") -> ElementTree.Element:
    """The parsed document."""
    told = Outline("4", "teams", ("52 cards",), (), (), parts, "most of 1 wins")
    return ElementTree.fromstring(diagram(told, title))


def rectangles(svg: ElementTree.Element) -> list[tuple[str, float, float, float, float]]:
    """The class, left, top, right and bottom of each box."""
    found = []
    for each in svg.iter(f"{SPACE}rect"):
        if "class" in each.attrib:
            x, y, wide, high = (float(each.attrib[key]) for key in ("x", "y", "width", "height"))
            found.append((each.attrib["class"], x, y, x + wide, y + high))
    return found


def test_the_boxes_stand_in_the_order_of_play() -> None:
    """Setup comes first and scoring last, and the parts of a stage are drawn within its box."""
    boxes = rectangles(picture(STAGE))
    assert [look for look, *_ in boxes] == ["edge", "stage", "choice", "do", "edge"]
    first, stage, choice, do, last = (box[1:] for box in boxes)
    assert first[3] < stage[1] < choice[1] < choice[3] < do[1] < do[3] < stage[3] < last[1]
    assert stage[0] < choice[0] == do[0]
    assert choice[2] == do[2] < stage[2] == first[2]


def test_words_are_words() -> None:
    """Text of a description is escaped in the XML, and conditional parts are indented."""
    svg = picture(STAGE, title="<script>")
    said = [each.text for each in svg.iter(f"{SPACE}text")]
    assert said[:2] == ["<script>: 4 players", "52 cards"]
    assert "until (< 1 2)" in said
    lines = {each.text: float(each.attrib["x"]) for each in svg.iter(f"{SPACE}text")}
    assert lines["(turn pass)"] > lines["if (== 1 1)"] == lines["(x)"]


def test_of_many_lines_a_few_are_drawn() -> None:
    """A box shows the first few lines of a long stage, and counts the others."""
    said = [each.text for each in picture(STAGE).iter(f"{SPACE}text")]
    assert said.count("(x)") == 11
    assert "… and 2 more" in said


def test_a_stage_has_an_arrow_back() -> None:
    """An arrow goes back from a stage's last part to its first; one joins each pair of boxes."""
    paths = [each.attrib["d"] for each in picture(STAGE).iter(f"{SPACE}path")]
    assert sum("H" in path for path in paths) == 1
    assert sum("H" not in path for path in paths) == 3


@pytest.mark.parametrize("name", names())
def test_every_game_of_ours_fits_its_picture(name: str) -> None:
    """No box and no line reaches over the edge."""
    text = description(name)
    svg = ElementTree.fromstring(diagram(outline(game(text), text), name))
    wide, high = float(svg.attrib["width"]), float(svg.attrib["height"])
    for _, left, top, right, bottom in rectangles(svg):
        assert 0 < left < right < wide
        assert 0 < top < bottom < high
    for line in svg.iter(f"{SPACE}text"):
        assert line.text is not None
        assert float(line.attrib["x"]) + 7.3 * len(line.text) < wide
