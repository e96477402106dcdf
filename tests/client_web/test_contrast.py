"""The colours of page, table and cards: text and suits are readable, in light and dark."""

import re

import pytest

from server.net.page_files import FOLDER

TEXT = 4.5
"""The contrast that WCAG 2.2 (1.4.3) asks for text of any size."""
_PAGE = (FOLDER / "page.css").read_text("utf-8")
_SHEET = (FOLDER / "table/table.css").read_text("utf-8")
_VARIABLE = re.compile(r"--([a-z-]+): (?:light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)|(#[0-9a-f]+));")
_NAMED = re.compile(r"--([a-z-]+): var\(--([a-z-]+)\);")

Colour = tuple[float, float, float]


def _of_page(scheme: str) -> dict[str, str]:
    usual = _PAGE.split("html[data-light")[0]
    return {
        name: both or (light if scheme == "light" else dark)
        for name, light, dark, both in _VARIABLE.findall(usual)
    }


def _variables(scheme: str) -> dict[str, str]:
    """The colours of the page, under a table those of the table in place of them."""
    page = _of_page(scheme)
    table = _SHEET.split(".cardtable {")[1].split("}")[0]
    own = {name: both for name, _, _, both in _VARIABLE.findall(table)}
    return page | own | {name: page[other] for name, other in _NAMED.findall(table)}


def _over(colour: str, ground: Colour) -> Colour:
    """A colour, possibly transparent, over a background."""
    red, green, blue, *rest = (int(each, 16) / 255 for each in re.findall("..", colour[1:]))
    share = rest[0] if rest else 1.0
    mixed = zip((red, green, blue), ground, strict=True)
    red, green, blue = (share * each + (1 - share) * below for each, below in mixed)
    return red, green, blue


def _luminance(colour: Colour) -> float:
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in colour
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """The contrast, from 1 (none) to 21 (black on white)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_read_on_every_felt(scheme: str) -> None:
    """Every text colour has enough contrast on each felt and the panels on it."""
    colours = _variables(scheme)
    black = (0.0, 0.0, 0.0)
    chosen = re.findall(r"html\[data-felt=\"[a-z]+\"\] \{(.*?)\}", _PAGE)
    others = [
        light if scheme == "light" else dark
        for each in chosen
        for _, light, dark, _ in _VARIABLE.findall(each)
    ]
    assert len(others) == 6
    for felt in (colours["felt"], colours["felt-deep"], *others):
        ground = _over(felt, black)
        for over in (ground, _over(colours["panel"], ground), _over("#ffd16612", ground)):
            for text in ("ink", "soft", "accent", "bad"):
                assert contrast(_over(colours[text], over), over) >= TEXT, (felt, text)
    assert "background: #ffd16612" in _SHEET


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_read_on_the_page(scheme: str) -> None:
    """Every text colour of the page has enough contrast where it stands."""
    page = _of_page(scheme)
    black = (0.0, 0.0, 0.0)
    grounds = {name: _over(page[name], black) for name in ("ground", "panel", "own")}
    for name, ground in grounds.items():
        for text in ("ink", "quiet", "accent"):
            assert contrast(_over(page[text], ground), ground) >= TEXT, (name, text)
    for text, below in (("on-accent", "accent"), ("warn", "warn-ground"), ("on-gold", "gold")):
        ground = _over(page[below], black)
        assert contrast(_over(page[text], ground), ground) >= TEXT, text


def test_suits_are_read_on_cards() -> None:
    """Each suit's colour has enough contrast on cards, with four colours and with two."""
    paper = _over("#fffdf8", (1.0, 1.0, 1.0))
    suits = re.findall(r"--suit: (#[0-9a-f]{6});", _SHEET)
    assert len(suits) >= 7
    for suit in suits:
        assert contrast(_over(suit, paper), paper) >= TEXT, suit
