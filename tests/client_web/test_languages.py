"""Every language of the page has equal keys with equal arguments."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from bots import described_strengths
from engine import GAMES
from protocol.texts.catalogue import LANGUAGES, own_of
from server.games.library import Library
from server.net.page_files import FOLDER, WIRE_LANGUAGE
from server.net.page_texts import later_texts, page_texts
from tests.client_web.modules import Modules

FIELD = re.compile(r"\{(\w+)[^}]*\}")


def texts(language: str) -> dict[str, str]:
    return dict(flat(own_of("page", language, FOLDER / "texts")))


def flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, text in table.items():
        if isinstance(text, dict):
            yield from flat(text, f"{before}{name}.")
        else:
            yield f"{before}{name}", text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_text_of_the_page(language: str) -> None:
    """Every language has exactly the English keys, with no unknown arguments."""
    usual, other = texts("en"), texts(language)
    assert other.keys() == usual.keys()
    for key, text in other.items():
        assert set(FIELD.findall(text)) <= set(FIELD.findall(usual[key])), key


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != WIRE_LANGUAGE])
def test_what_a_server_says_in_english_is_there_in_every_language(
    modules: Modules, language: str
) -> None:
    """Bots, option helps and option words of the server have texts in every language."""
    library = Library(GAMES, no_text)
    games = [library.card(info.id, whole=False) for info in GAMES]
    bots = [{"strength": each.strength, "how": each.how} for each in described_strengths("tarock")]
    games.append({"id": "tarock", "described": True, "options": (), "bots": bots})
    told = modules.evaluate(
        """async ([games, texts]) => {
            const { translated } = await import("/lobby/translated.js");
            return games.map((game) => translated(game, texts));
        }""",
        [games, json.loads(json.dumps(later_texts(language)))],
    )
    for game, english in zip(told, games, strict=True):
        for option, usual in zip(game["options"], english["options"], strict=True):
            assert option["help"] != usual["help"], option["name"]
            assert set(option["titles"]) == set(usual.get("titles", {}))
            assert not set(option["titles"].values()) & set(usual.get("titles", {}).values())
        hows = [bot["how"] for bot in game["bots"]]
        assert hows
        assert not set(hows) & {bot["how"] for bot in english["bots"]}


async def no_text(digest: str) -> None:
    """No texts for described games."""


def test_titles_and_moves_of_a_table_are_in_the_language(modules: Modules) -> None:
    """Titles and moves of a table are in the page's language: labels first, moves by verb."""
    told = modules.evaluate(
        """async (texts) => {
            const { titled } = await import("/lobby/translated.js");
            const { Speaker } = await import("/words.js");
            const layout = { zones: [{ kind: "hand", title: "hand" }, { kind: "x", title: "Pit" }],
                values: [{ kind: "pass", title: "pass" }] };
            const labels = [{ kind: "x", title: "Pit" }];
            const told = titled({ layout, labels }, "hearts", texts.titles);
            const { layout: german, labels: named } = told;
            const say = (game) => new Speaker(texts, [], [{ token: "QS", label: "Q♠" }], 0, game);
            return [german.zones.map((each) => each.title), german.values[0].title,
                german.values[0].words.left, named.map(({ kind, title }) => [kind, title]),
                say("schnapsen").action("marry QS"), say("spades").action("blind nil"),
                say("golf").action("play QS"), say("hearts").move("pass")];
        }""",
        page_texts(FOLDER, "de"),
    )
    assert told == [
        ["Hand", "Pit"],
        "Weitergeben",
        "nach links",
        [["x", "Pit"], ["hand", "Hand"]],
        "Das Paar mit Q♠ ansagen",
        "Blind Null ansagen",
        "Play Q♠",
        "weitergeben",
    ]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            ["Close the talon", "Exchange the jack of trumps", "Announce the marriage with Q♠"]
            + ["Play Q♠ (column 8)", "A strong bot would choose: close the talon."],
        ),
        (
            "de",
            ["Den Talon zudrehen", "Den Trumpfbuben tauschen", "Das Paar mit Q♠ ansagen"]
            + ["Q♠ (Spalte 8) spielen", "Ein starker Bot würde wählen: den Talon zudrehen."],
        ),
    ],
)
def test_a_button_says_what_its_move_acts_on(
    modules: Modules, language: str, told: list[str]
) -> None:
    """A button and a hint name what the move acts on, not the bare verb."""
    said = modules.evaluate(
        """async (texts) => {
            const { Speaker } = await import("/words.js");
            const say = (game) => new Speaker(texts, [], [{ token: "QS", label: "Q♠" }], 0, game);
            const cards = say("schnapsen");
            return [...["close", "exchange", "marry QS"].map((action) => cards.action(action)),
                say("black_queen").action("play QS@8"),
                cards.worded({ code: "hint", args: { move: "close" } })];
        }""",
        page_texts(FOLDER, language),
    )
    assert said == told
