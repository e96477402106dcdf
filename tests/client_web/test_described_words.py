"""Moves of described games in words: on buttons, in hints and reviews, page and terminal.

The actions of these games name zones and places as the engine does: ``play @1 to up/0/6``.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise
from typing import Any

import pytest

from bots.bot import position_of
from bots.review import DecisionPoint, Judgement, Worth
from client_cli.hint_view import hint_lines
from client_cli.review_view import ReviewLines
from client_cli.text import Look, plain
from engine.phrases import Phrase
from engine.recycle.games import names
from protocol.mirror import TableMirror
from protocol.texts.catalogue import LANGUAGES
from protocol.texts.language import speaking
from protocol.to_client import Candidate, HintAnswer, ReviewPage, Snapshot
from protocol.wire_form import WireForm, wire_form
from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from server.review.decisions import ReviewedDecision
from server.review.pages import JudgedDecision, move_form, summary_form
from tests.client_web.modules import Modules
from tests.client_web.pictures import match, options_of, steps_of, table_of
from tests.counts import count

INNER = re.compile(r"\w+/\d+/\d+|@\d")
"""How an action names a place, and no person does."""
STEPS = 60
POSITIONS = count(5)
MOVES = 6
"""So many moves of a position are hinted at and reviewed; on buttons stand all."""
SEED = 7

SPEAK = """async ([positions, texts]) => {
    const { Speaker } = await import("/words.js");
    const { namesOf, pictureOf } = await import("/picture.js");
    const { offered, readMoves } = await import("/table/choices.js");
    const { hintText, hintTexts } = await import("/table/hint_text.js");
    const { Review } = await import("/review/review.js");
    const more = await hintTexts(texts.language);
    const told = [];
    for (const { message, hints, review } of positions) {
        const picture = pictureOf(message);
        const { info, legend, seat, question } = picture;
        const words = new Speaker(texts, namesOf(info), legend, seat, info.game);
        const read = readMoves({ ...picture, words }, (action, text) => words.action(action, text));
        const labels = [...read.moves, ...offered(read).buttons].map(({ label }) => label ?? "");
        const app = { texts, t: (key, args) => words.page(key, args), say() {},
            connection: { ask: async () => review } };
        const drawn = new Review(app, "K7QX", words, picture, () => {});
        await drawn.read(1, 0);
        const items = [...drawn.element.querySelectorAll("li")].map((each) => each.textContent);
        const hinted = hints.map((hint) => hintText(hint, words, more, question.choices));
        told.push([labels, hinted, items]);
    }
    return told;
}"""


@cache
def positions(name: str) -> list[tuple[WireForm, list[HintAnswer], WireForm]]:
    """Some positions of a game with hints and a review for each."""
    return list(islice(_positions(name), POSITIONS))


def _positions(name: str) -> Iterator[tuple[WireForm, list[HintAnswer], WireForm]]:
    game, seats = table_of(name)
    seen = zip(match(game, seats, SEED), steps_of(game, seats, SEED), strict=True)
    waits = 0
    for message, step in islice(seen, STEPS):
        choices = game.choices(step.state, 0)
        # The positions of a game are not all at its beginning.
        waits -= 1
        if len(choices.actions) < 2 or waits > 0:
            continue
        waits = STEPS // (2 * POSITIONS)
        moves = choices.actions[:: 1 + len(choices.actions) // MOVES]
        if len(moves) < 2:
            moves = choices.actions
        hints = [_hint(move, other) for move, other in pairwise(moves)]
        position = position_of(game, step.state, 0, options_of(game, seats))
        judged = [
            JudgedDecision(
                ReviewedDecision(at, at, DecisionPoint(position, move, 1, at)),
                Judgement(1, at, 0, move, best, Worth(1.0, 0.1), Worth(at, 0.1), Worth(at, 0.1)),
            )
            for at, (move, best) in enumerate(zip(moves, (*moves[1:], moves[-1]), strict=True), 1)
        ]
        review = {
            "type": "review",
            "id": 1,
            "table": "K7QX",
            "match": 1,
            "seat": 0,
            "game": game.info.id,
            "strength": 3,
            "decisions": [move_form(each) for each in judged],
            "summary": summary_form(judged, 0),
            "legend": message["legend"],
        }
        yield message, hints, review


def _hint(move: str, other: str) -> HintAnswer:
    args: dict[str, Any] = {"move": move, "value": 4, "other": other, "less": -1}
    why = {"deviation": 0.5}
    candidates = tuple(Candidate(action=each, value=4, why=why) for each in (move, other))
    phrase = Phrase("hint_lead", args)
    return HintAnswer(id=1, table="K7QX", turn=1, action=move, candidates=candidates, phrase=phrase)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_page_says_no_inner_name(modules: Modules, language: str) -> None:
    """No button, hint or review of a described game shows an internal name on the page."""
    given: list[dict[str, Any]] = [
        {"message": message, "hints": [wire_form(each) for each in hints], "review": review}
        for name in names()
        for message, hints, review in positions(name)
    ]
    assert len(given) > len(names())
    told = modules.evaluate(SPEAK, [given, page_texts(FOLDER, language)])
    for (labels, hints, items), each in zip(told, given, strict=True):
        assert labels
        assert len(hints) == len(each["hints"])
        assert len(items) > len(each["review"]["decisions"])
        assert [text for text in (*labels, *hints, *items) if INNER.search(text)] == []


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_terminal_says_no_inner_name(language: str) -> None:
    """No hint or review of a described game shows an internal name in the terminal."""
    look = Look(1000)
    with speaking(language):
        for name in names():
            for message, hints, review in positions(name):
                table = TableMirror.of(Snapshot.model_validate_json(json.dumps(message)))
                page = ReviewPage.model_validate_json(json.dumps(wire_form(review)))
                said = [plain(hint_lines(hint, table, look)) for hint in hints]
                said += ReviewLines(page, look).of(page)
                assert [text for text in said if INNER.search(text)] == []
