"""The places of opponents around a table, and of the cards they have played."""

from typing import Any

import pytest

from tests.client_web.modules import Modules
from tests.client_web.pictures import pictures_of
from tests.client_web.tables import drawn
from tests.client_web.test_layout import LAY_OUT
from tests.client_web.windows import DESK, FELTS, PHONE_UPRIGHT, SMALL_PHONE, WIDE_DESK, Size

Cell = tuple[int, int, int]
"""The row and the column of an opponent, and how many sit in that row."""


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("count", [1, 3, 4, 5, 6, 7])
def test_opponents_sit_clockwise(modules: Modules, count: int, columns: int) -> None:
    """Opponents sit clockwise: up the left side, along the top, down the right side."""
    cells: list[Cell] = [
        tuple(cell) for cell in modules.call("table/opponents.js", "clockwise", count, columns)
    ]
    rows = -(-count // columns)
    full = [columns] * (rows - 1) + [count - columns * (rows - 1)]
    places = sorted((row, column) for row, column, _ in cells)
    assert places == [(row, column) for row in range(rows) for column in range(full[row])]
    assert all(beside == full[row] for row, _, beside in cells)
    top = [at for at, (row, _, _) in enumerate(cells) if row == 0]
    assert [cells[at] for at in top] == [(0, column, full[0]) for column in range(full[0])]
    left, right = cells[: top[0]], cells[top[-1] + 1 :]
    assert [row for row, _, _ in left] == sorted((row for row, _, _ in left), reverse=True)
    assert [row for row, _, _ in right] == sorted(row for row, _, _ in right)
    assert all(side(cell) <= 0 for cell in left)
    assert all(side(cell) >= 0 for cell in right)


def side(cell: Cell) -> float:
    """How far right of its row's middle an opponent sits."""
    _, column, beside = cell
    return column - (beside - 1) / 2


@pytest.mark.parametrize("seats", [3, 5, 6])
def test_a_trick_lies_in_the_panels_of_a_phone(modules: Modules, seats: int) -> None:
    """On a phone played cards lie in the panels of their players, on a desk in the middle."""
    trick = max(pictures_of(f"whist-{seats}")[:40], key=played)
    assert played(trick) > 1
    on_desk, on_phone = modules.evaluate(LAY_OUT, [[trick], [FELTS[DESK], FELTS[PHONE_UPRIGHT]]])[0]
    assert in_panels(on_phone) == {True}
    assert in_panels(on_desk) == {False}


def played(picture: dict[str, Any]) -> int:
    """The number of cards in the trick."""
    return len(picture["view"]["zones"]["trick"].get("cards", ()))


def in_panels(laid: dict[str, Any]) -> set[bool]:
    """Whether the others' played cards lie in their panels."""
    panels = {panel["seat"]: panel for panel in laid["panels"]}
    cards = [card for card in laid["cards"] if card.get("played") in panels]
    return {_within(card, panels[card["played"]]) for card in cards}


def _within(card: dict[str, Any], panel: dict[str, Any]) -> bool:
    return all(
        panel[start] <= card[start]
        and card[start] + card[length] <= panel[start] + panel[length] + 1
        for start, length in (("x", "w"), ("y", "h"))
    )


@pytest.mark.parametrize("window", [SMALL_PHONE, PHONE_UPRIGHT, DESK])
@pytest.mark.parametrize("name", ["Bo", "Wilhelmine von Habenichts"])
def test_scores_are_told_alike_at_every_seat(modules: Modules, window: Size, name: str) -> None:
    """Scores have a sign and are in the same line at every seat, however long a name is."""
    width, height = FELTS[window]
    script = f"""
        element.style.setProperty("width", "{width}px");
        element.style.setProperty("height", "{height}px");
        drawn.show({{ ...told, names: told.names.with(2, "{name}") }});
        const found = (panel) => /Σ −?[0-9]+/.exec(panel?.textContent ?? "")?.[0] ?? "";
        const all = [...element.querySelectorAll(".panel")];
        const others = all.filter((panel) => !panel.classList.contains("is-own"));
        const above = others.map((panel) => found(panel.querySelector(".head")) !== "");
        return [all.map(found), above];"""
    seen, above = drawn(modules, script, "hearts-4", 2)
    assert [score[0] for score in seen] == 4 * ["Σ"]
    assert window == DESK or len(set(above)) == 1


def test_a_large_window_shows_a_table_from_further_away(modules: Modules) -> None:
    """On a large felt letters and cards are larger, and a pointer meets what is drawn there."""
    width, height = FELTS[WIDE_DESK]
    script = f"""
        const styles = document.createElement("link");
        await new Promise((done) => {{
            Object.assign(styles, {{ rel: "stylesheet", href: "/table/table.css", onload: done }});
            document.head.append(styles);
        }});
        element.style.setProperty("width", "{width}px");
        element.style.setProperty("height", "{height}px");
        drawn.show(told);
        const {{ width, height }} = drawn.root.getBoundingClientRect();
        const item = drawn.laid.cards.find((each) => !each.turn);
        const card = drawn.felt.nodes.card.get(item.key).getBoundingClientRect();
        const [x, y] = drawn.pointed({{ clientX: card.x, clientY: card.y }});
        styles.remove();
        const off = Math.hypot(x - item.x, y - item.y);
        return [width, height, drawn.scale, off, card.width / item.w];"""
    wide, high, scale, off, larger = drawn(modules, script, "whist-4")
    assert (round(wide), round(high)) == (width, height)
    assert scale > 1.2
    assert abs(larger - scale) < 0.01
    assert off < 1


@pytest.mark.parametrize("window", [SMALL_PHONE, PHONE_UPRIGHT])
def test_a_long_title_of_a_value_goes_on_below(modules: Modules, window: Size) -> None:
    """What a description calls its values is read whole in the panels of a phone."""
    width, height = FELTS[window]
    script = f"""
        element.style.setProperty("width", "{width}px");
        element.style.setProperty("height", "{height}px");
        const styles = document.createElement("link");
        await new Promise((done) => {{
            Object.assign(styles, {{ rel: "stylesheet", href: "/table/table.css", onload: done }});
            document.head.append(styles);
        }});
        const layout = {{ ...told.layout, values: [...told.layout.values,
            {{ kind: "survived", title: "rounds survived", shown: "seat" }}] }};
        const values = {{ ...told.view.values, "survived/1": 12, "survived/2": 3 }};
        drawn.show({{ ...told, layout, view: {{ ...told.view, values }} }});
        return [...element.querySelectorAll(".panel:not(.is-own)")].flatMap((panel) => {{
            const box = panel.getBoundingClientRect();
            return [...panel.querySelectorAll(".chip *")].map((each) => {{
                const {{ right, bottom }} = each.getBoundingClientRect();
                const isWhole = each.scrollWidth <= each.clientWidth + 1;
                return right <= box.right && bottom <= box.bottom && isWhole;
            }});
        }});"""
    seen = drawn(modules, script, "hearts-4")
    assert len(seen) >= 6
    assert all(seen)
