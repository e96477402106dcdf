"""When the page shows events: a trick rests, a score waits, a backlog is skipped.

Skipped events are still told in order.
"""

from typing import Any

from tests.client_web.modules import Modules

TRICK, SCORE = 1250, 8000

PLAY_OUT = """async ([before, events, moments]) => {
    const { Stage } = await import("/table/stage.js");
    const { fold, factOf } = await import("/picture.js");
    let now = 0;
    const stage = new Stage(() => now);
    let view = before;
    const layout = { zones: [{ kind: "trick", place: "trick" }], values: [] };
    const told = (facts, at) => {
        const earlier = view;
        view = fold(facts, view);
        const question = { turn: at, to_act: [0], choices: { actions: ["play 3C"] } };
        return { fresh: false, before: earlier, view, facts, deal: [], layout, question };
    };
    const seen = [], news = [];
    for (const [time, action] of moments) {
        now = time;
        if (action === "dismiss") stage.dismiss();
        else if (action !== null) stage.add(told(events[action].map(factOf), action));
        for (const frame of stage.due()) {
            news.push(...frame.news.map(({ verb, args }) => [now, args.name ?? verb]));
            const { zones } = frame.scene.view;
            seen.push([now, zones.trick.cards.join(" "), frame.scene.question.choices !== null]);
        }
    }
    return [seen, stage.settled, news, stage.takeNews().map(({ verb, args }) => args.name ?? verb)];
}"""

TABLE = {
    "zones": {
        "hand/0": {"cards": ["3C", "4C"], "backs": 0},
        "hand/1": {"cards": [], "backs": 20},
        "trick": {"cards": ["2C"], "backs": 0},
        "taken/0": {"cards": [], "backs": 0},
    },
    "values": {},
}


def moved(source: str, target: str, *cards: str) -> dict[str, Any]:
    change = {"do": "move", "source": source, "target": target, "cards": list(cards)}
    return {"verb": "card_played", "changes": [change]}


LAST_CARD = [moved("hand/1", "trick", "5C"), moved("trick", "taken/0", "2C", "5C")]
SCORED = [
    *LAST_CARD,
    {"verb": "deal_scored", "args": {"scores": [1, 0], "totals": [1, 0]}},
    moved("hand/0", "trick", "3C"),
]


def test_a_complete_trick_rests_before_it_is_taken(modules: Modules) -> None:
    """A complete trick is shown before it is taken, and no question is shown meanwhile."""
    seen, settled, *_ = modules.evaluate(
        PLAY_OUT, [TABLE, [LAST_CARD], [[0, 0], [TRICK - 1, None], [TRICK, None]]]
    )
    assert seen == [[0, "2C 5C", False], [TRICK, "", True]]
    assert settled


def test_no_click_is_meant_for_what_is_not_yet_shown(modules: Modules) -> None:
    """A click while an older state is shown does not act."""
    assert not modules.evaluate(PLAY_OUT, [TABLE, [LAST_CARD], [[0, 0], [TRICK - 1, None]]])[1]


def test_a_score_stays_until_it_is_dismissed(modules: Modules) -> None:
    """A score stays until it is dismissed, or for eight seconds."""
    waited = modules.evaluate(
        PLAY_OUT, [TABLE, [SCORED], [[0, 0], [TRICK, None], [TRICK + SCORE, None]]]
    )[0]
    assert [time for time, *_ in waited] == [0, TRICK, TRICK + SCORE]
    dismissed = modules.evaluate(
        PLAY_OUT, [TABLE, [SCORED], [[0, 0], [TRICK, None], [TRICK + 5, "dismiss"]]]
    )[0]
    assert [time for time, *_ in dismissed] == [0, TRICK, TRICK + 5]


def test_a_backlog_is_skipped(modules: Modules) -> None:
    """A page more than four seconds behind shows the present state."""
    trick = [moved("hand/1", "trick", "6C", "7C"), moved("trick", "taken/0", "6C", "7C")]
    events = [LAST_CARD, *[trick] * 3]
    moments = [[0, at] for at in range(len(events))]
    seen, _, news, _ = modules.evaluate(PLAY_OUT, [TABLE, events, moments])
    assert seen == [[0, "2C 5C", False], [0, "", True]]
    assert [verb for _, verb in news] == ["card_played"] * 8


def test_a_backlog_behind_a_score_is_skipped(modules: Modules) -> None:
    """After a score was read for long, the present state is shown."""
    trick = [moved("hand/1", "trick", "6C", "7C"), moved("trick", "taken/0", "6C", "7C")]
    more = [moved("trick", "taken/0", "3C"), *trick]
    moments = [[0, 0], [TRICK, None], *([TRICK + 9, at] for at in range(1, 5))]
    seen, settled, news, _ = modules.evaluate(
        PLAY_OUT, [TABLE, [SCORED, more, *[trick] * 3], [*moments, [TRICK + 10, "dismiss"]]]
    )
    assert [time for time, *_ in seen] == [0, TRICK, TRICK + 10]
    assert settled
    assert len(news) == len(SCORED) + len(more) + 3 * len(trick)


def named(name: str, *changes: dict[str, Any]) -> dict[str, Any]:
    """A fact known by its name."""
    return {"verb": "happened", "args": {"name": name}, "changes": list(changes)}


def test_everything_is_told_when_it_is_seen(modules: Modules) -> None:
    """Each line is told when its step is shown: the taker when the trick goes."""
    deal = [
        named("reply", *LAST_CARD[0]["changes"]),
        named("taken", *LAST_CARD[1]["changes"]),
        {"verb": "deal_scored", "args": {"scores": [1, 0], "totals": [1, 0]}},
        named("trump"),
    ]
    lead = [named("lead", *SCORED[-1]["changes"])]
    moments = [[0, 0], [1, 1], [TRICK, None], [TRICK + 5, "dismiss"]]
    _, _, news, left = modules.evaluate(PLAY_OUT, [TABLE, [deal, lead], moments])
    told = [[0, "reply"], [TRICK, "taken"], [TRICK, "deal_scored"]]
    assert news == [*told, [TRICK + 5, "trump"], [TRICK + 5, "lead"]]
    assert left == []


def test_what_is_not_shown_yet_can_be_told_at_once(modules: Modules) -> None:
    """Pending events can be told at once, for tables that leave the screen."""
    odd = named("odd", {"do": "move", "source": "nowhere", "target": "trick", "cards": 1})
    event = [LAST_CARD[0], named("taken", *LAST_CARD[1]["changes"]), named("after")]
    _, _, news, left = modules.evaluate(PLAY_OUT, [TABLE, [event], [[0, 0]]])
    assert [verb for _, verb in news] == ["card_played"]
    assert left == ["taken", "after"]
    frames = modules.evaluate(
        """async ([before, facts]) => {
            const { framesOf } = await import("/table/stage.js");
            const told = { before, facts, view: before, layout: { zones: [], values: [] } };
            return framesOf(told).map(({ news }) => news.map(({ args }) => args.name));
        }""",
        [TABLE, [odd, named("fits")]],
    )
    assert frames == [["odd", "fits"]]


def test_the_last_of_many_scores_is_shown(modules: Modules) -> None:
    """A spectator sees the last of several scores, and every deal is told."""
    scored = {"verb": "deal_scored", "args": {"scores": [1, 0], "totals": [1, 0]}}
    deals = [[named(f"deal {at}"), scored, named(f"next {at}")] for at in range(3)]
    moments = [[0, 0], [1, 1], [2, 2], [3, "dismiss"]]
    seen, settled, news, left = modules.evaluate(PLAY_OUT, [TABLE, deals, moments])
    assert settled
    assert len(seen) == 4
    told = [name for at in range(3) for name in (f"deal {at}", "deal_scored", f"next {at}")]
    assert [verb for _, verb in news] == told
    assert left == []
