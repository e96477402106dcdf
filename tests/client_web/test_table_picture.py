"""The small pictures of tables: one for each game, of its players and its cards."""

from typing import Any

from tests.client_web.modules import Modules

DRAW = """async (games) => {
    const { tablePicture } = await import("/cards/table_picture.js");
    return games.map((game) => {
        const svg = tablePicture(game);
        const count = (kind) => svg.querySelectorAll(kind).length;
        const texts = [...svg.querySelectorAll("text")].map(({ textContent }) => textContent);
        const isWrong = svg.outerHTML.includes("NaN");
        return [svg.getAttribute("aria-hidden"), count("svg > g > g"), texts, isWrong];
    });
}"""
HAND = 4


def test_each_game_has_a_picture_of_its_table(modules: Modules) -> None:
    """A picture shows a hand of backs for each other player, whatever game a file describes."""
    games: list[dict[str, Any]] = [
        {"id": "hearts", "usual_seats": 4},
        {"id": "Cribbage2", "usual_seats": 2, "described": True},
        *(
            {"id": f"Unknown{seats}", "usual_seats": seats, "described": True}
            for seats in range(2, 9)
        ),
        {"id": "many", "seats": [2, 12]},
        {"id": "Constructor3", "usual_seats": 3, "described": True},
    ]
    drawn = modules.evaluate(DRAW, games)
    for game, (hidden, backs, texts, wrong) in zip(games, drawn, strict=True):
        others = min(8, game.get("usual_seats", 12)) - 1
        assert (hidden, backs, wrong) == ("true", HAND * others, False), game
        assert len(texts) >= 5
    assert len({str(texts) for _, _, texts, _ in drawn}) == len(games)


def test_a_game_with_cards_of_its_own_shows_these(modules: Modules) -> None:
    """Where the legend of a game without a typical hand is told, the picture has its cards."""
    legend = [{"token": f"x{number}", "label": f"x{number}"} for number in range(4)]
    [(_, _, texts, _)] = modules.evaluate(DRAW, [{"id": "own", "usual_seats": 3, "legend": legend}])
    assert set(texts) <= {"x0", "x1", "x2", "x3"}
