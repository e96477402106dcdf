"""A real review of a whole match: page and terminal have equal sentences."""

import asyncio
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bots import Budget
from bots.review import Judgement, judge
from client_cli.names import seat_names
from client_cli.review_view import ReviewLines
from client_cli.text import Look
from protocol.codec import codec_for
from protocol.texts.catalogue import LANGUAGES
from protocol.texts.language import speaking
from protocol.to_client import TO_CLIENT, LogPage, ReviewPage
from protocol.version import JSON
from protocol.wire_form import WireForm
from server.bots.thinking import ReviewQuestion
from server.games.folder import GameFolder
from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules
from tests.conformance.reviewing import Fingerprint
from tests.server.client import TestClient
from tests.server.harness import ServerHarness
from tests.server.review.judging import judging_server

GAMES: dict[str, dict[str, Any]] = {
    "black_queen": {"game": "black_queen", "seats": 4, "options": {"deals": 1}},
    "whist": {"game": "whist", "seats": 4, "options": {"cards": 3}},
    "Golf4.rcy": {"game": "Golf4.rcy", "seats": 4},
    "GoFish3.rcy": {"game": "GoFish3.rcy", "seats": 3},
}
"""Moves that are plays, bids, words of a description, and questions to players by name."""

READ = """async ([pages, review, texts]) => {
    const { Replay } = await import("/replay/replay.js");
    const { Speaker } = await import("/words.js");
    const words = new Speaker(texts);
    const app = {
        texts, words, root: "http://page.test/", memory: { get: () => null, set() {} },
        t: (key, args) => words.page(key, args), say() {}, alert() {}, load: (part) => part(),
        session: { knows: () => true },
        connection: { ask: async (type, { after }) => type === "review" ? review
            : pages.find((page) => page.entries.at(-1).seq > after) },
    };
    const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
    history.replaceState(null, "", "/#deal=1.1&review");
    const screen = app.screen = new Replay(app, "PLUM");
    document.body.replaceChildren(screen.element);
    while (!document.querySelector(".review .whole li")) await settle();
    const read = (list) => [...document.querySelectorAll(`.review .${list} li`)];
    const sentences = (list) =>
        read(list).map((each) => (each.querySelector("span") ?? each).textContent);
    const told = ["decisions", "whole"].map(sentences);
    const where = () => document.querySelector(".where").textContent;
    const places = read("decisions").map(({ firstChild: leads }) => {
        leads.click();
        return where();
    });
    const leading = read("whole").filter(({ firstElementChild: leads }) => leads);
    const found = leading.every(({ firstElementChild: leads }) => {
        leads.click();
        return places.includes(where());
    });
    screen.end();
    return { decisions: told[0], whole: told[1], places, found, leading: leading.length };
}"""


async def in_points(question: ReviewQuestion) -> Judgement:
    """A bot that counts in points, so that there are worst moves and turning points."""
    few = Budget(samples=4)
    return judge(Fingerprint(), question.moment, few, question.aim, question.number)


async def answer(server: ServerHarness, client: TestClient, type: str, **fields: Any) -> WireForm:
    """The answer to a command that replays a log in pieces, until it is complete."""
    number = await client.send(type, **fields)
    while number not in client.answers:
        await server.settle()
        await asyncio.sleep(0)
    (answer,) = client.answers[number]
    return answer


async def made(folder: Path, game: str) -> tuple[list[WireForm], WireForm, WireForm]:
    """The log of a finished match, its only player's review, and the table
    before the first decision, as the terminal requests it.
    """
    games = folder / "games"
    games.mkdir()
    if game.endswith(".rcy"):
        text = files("engine.recycle.games").joinpath(game).read_text()
        (games / game).write_text(text)
    codec = codec_for(JSON)
    async with judging_server(folder, hosted=GameFolder(games)) as server:
        pool: Any = server.pool
        pool.judge = in_points
        code, (ann,) = await server.match_of("Ann", **GAMES[game])
        await server.play(code, 1000, ann)
        pages: list[WireForm] = []
        while not pages or pages[-1]["entries"][-1]["seq"] < pages[-1]["last"]:
            after = pages[-1]["entries"][-1]["seq"] if pages else 0
            pages.append(await answer(server, ann, "log", table=code, after=after))
        while "summary" not in (review := await answer(server, ann, "review", table=code)):
            await server.game_server.reviews.work()
        assert "more" not in review
        before = review["decisions"][0]["entry"] - 1
        people = await answer(server, ann, "log", table=code, after=before, size=1)
        return [codec.load(codec.encode_message(page)) for page in pages], review, people


@pytest.mark.parametrize("game", list(GAMES))
def test_page_and_terminal_say_the_same(modules: Modules, tmp_path: Path, game: str) -> None:
    """Page and terminal tell one review equally, in every language, with links to moments."""
    pages, review, people = asyncio.run(made(tmp_path, game))
    page = TO_CLIENT.validate_python(review)
    log = TO_CLIENT.validate_python(people)
    assert isinstance(page, ReviewPage)
    assert isinstance(log, LogPage)
    look = Look(10_000)
    for language in LANGUAGES:
        with speaking(language):
            lines = ReviewLines(page, look, seat_names(log.info, look), log.seat).of(page)
        end = lines.index("")
        read = modules.evaluate(READ, [pages, review, page_texts(FOLDER, language)])
        # The page folds those that are as the bot's behind the others of their deal.
        assert sorted(read["decisions"]) == sorted(line.removeprefix("! ") for line in lines[:end])
        assert read["whole"] == lines[end + 1 :]
        assert len(read["decisions"]) == len(review["decisions"]) > 3
        assert len(set(read["places"])) == len(read["places"])
        assert read["found"]
        assert read["leading"]
