"""Whether a person finds each move of a game, by clicks and by keys on the buttons."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine import GAMES
from engine.recycle.games import names
from protocol.wire_form import WireForm
from tests.client_web.modules import Modules
from tests.client_web.pictures import match, table_of
from tests.counts import NIGHT

STEPS = 3
MOST_BUTTONS = 16
NATIVE = [info.id for info in GAMES]
SOME = (*NATIVE, "Cribbage2", "GoFish3", "Golf4", "Rummy2")
"""Games that every run looks at; nights look at all."""
MATCHES = 20 if NIGHT else 1
PARTS = range(5 if NIGHT else 1)
"""So many times so many matches of each game."""
LOOKED_AT = 1_000 if NIGHT else 10
"""Questions of a match: no match has as many as nights look at."""

FIND = """async ([table, questions, most]) => {
    const { readMoves, offered, clicked, placeKey } = await import("/table/choices.js");
    const { modelOf } = await import("/table/model.js");
    const { layout } = await import("/table/layout.js");
    const { pictureOf, namesOf } = await import("/picture.js");
    return questions.map((each) => {
        const picture = pictureOf({ ...table, ...each });
        const told = { ...picture, deal: [], names: namesOf(picture.info) };
        const read = readMoves(told, (action, text) => text || action);
        const laid = layout(modelOf(told), { width: 390, height: 844 });
        // What is drawn as a button: open cards that lie on top, and places that are offered.
        const drawn = new Set(laid.spots.map((spot) => spot.zone));
        for (const card of laid.cards) {
            if (card.token !== null && !card.below) drawn.add(placeKey(card.zone, card.token));
        }
        const found = {};
        let wall = 0;
        let states = [[]];
        for (let steps = 1; steps <= most; steps += 1) {
            const next = new Map();
            for (const picked of states) {
                const offer = offered(read, picked);
                wall = Math.max(wall, offer.buttons.length);
                const results = offer.buttons.map(({ action, group }) =>
                    action ? { action } : { picked: group ? [...picked, { group }] : null });
                for (const place of offer.places.keys()) {
                    if (drawn.has(place)) results.push(clicked(read, picked, place));
                }
                for (const { action, picked: more } of results) {
                    if (action) found[action] ??= steps;
                    else if (more?.length > picked.length) next.set(JSON.stringify(more), more);
                }
            }
            if (Object.keys(found).length >= read.moves.length && !read.pick) break;
            states = [...next.values()];
        }
        // Of many cards each is a step, and one is for the button that says so.
        const picks = [];
        const { pick } = read;
        for (let first = 0; pick && first < pick.cards.length; first += 1) {
            for (const size of new Set([Math.max(1, pick.least), pick.most])) {
                const rest = pick.cards.map((_, at) => at).filter((at) => at !== first);
                const wanted = [first, ...rest].slice(0, size);
                let picked = [];
                for (const at of wanted) {
                    const place = pick.places[at];
                    if (drawn.has(place)) picked = clicked(read, picked, place).picked ?? picked;
                }
                const { buttons } = offered(read, picked);
                const action = buttons.find((button) => button.verb === pick.verb)?.action ?? "";
                picks.push([wanted.map((at) => pick.cards[at]), action.split(" ").slice(1)]);
            }
        }
        return { found, wall, picks };
    });
}"""


def asked(game: str, seed: int) -> Sequence[WireForm]:
    """The questions to seat 0 in a random match; numbers of players take turns."""
    if game in NATIVE:
        seats = GAMES.game(game).info.seats
        game = f"{game}-{seats[seed % len(seats)]}"
    told = [each for each in match(*table_of(game), seed) if "choices" in each["question"]]
    return Random(seed).sample(told, min(LOOKED_AT, len(told)))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("game", [*NATIVE, *names()] if NIGHT else SOME)
def test_each_move_is_three_steps_away(modules: Modules, game: str, part: int) -> None:
    """Each move of random matches takes at most three steps, by pointer and by keyboard.

    A step is a click on a card, a place or a button that is drawn, or Enter while it has the focus.
    If a move names many cards, each of them is a step, and so is the button that ends it.
    """
    for seed in range(part * MATCHES, (part + 1) * MATCHES):
        questions = asked(game, seed)
        if not questions:
            continue
        table = {**questions[0], "facts": []}
        fewer = [{key: each[key] for key in ("view", "question", "info")} for each in questions]
        results = modules.evaluate(FIND, [table, fewer, STEPS])
        for question, result in zip(questions, results, strict=True):
            expect_found(question["question"]["choices"], result)


def expect_found(choices: WireForm, result: dict[str, Any]) -> None:
    """Check that every action, and every card of a pick, is found."""
    assert set(choices.get("actions", ())) - set(result["found"]) == set()
    assert result["wall"] <= MOST_BUTTONS
    for wanted, chosen in result["picks"]:
        assert Counter(wanted) == Counter(chosen)
