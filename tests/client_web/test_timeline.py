"""The log of a table as steps: equal pictures in the page and the Python client."""

from pathlib import Path

import pytest

from protocol.replaying import opened
from tests.client_web.logs import plain_picture, plain_view, told_logs
from tests.client_web.modules import Modules
from tests.client_web.transcripts import PLAYED
from tests.counts import count

GAMES = PLAYED if count(1) > 1 else ("black_queen", "whist", "Cribbage2.rcy", "Golf4.rcy")
"""Tricks in two ways, a show, and face-down rows; at night all that there are."""

PLAIN = """
const { Timeline, OpenTimeline, before, behind, partsIn } = await import("/replay/timeline.js");
const { fold, EMPTY_VIEW } = await import("/picture.js");
const plain = ({ seq, seat, view, facts, question, info }) => ({
    seq, seat, zones: view.zones, values: view.values, facts: facts.length, turn: question.turn,
    to_act: question.to_act, names: info.seats.map(({ name }) => name), phase: info.phase,
});
"""
READ = f"""async (pages) => {{ {PLAIN}
    const line = new Timeline(pages);
    const seen = line.steps.map((_, at) => plain(line.at(at)));
    const told = JSON.stringify(seen);
    // Whatever order one looks at them in.
    const again = line.steps.map((_, at) => plain(line.at(line.length - 1 - at))).reverse();
    return {{
        steps: line.steps.map(({{ facts, ...step }}) =>
            ({{ ...step, verbs: facts.map((each) => each.verb) }})),
        deals: line.deals, tricks: line.tricks,
        pictures: seen, same: JSON.stringify(again) === told,
        found: line.steps.every(({{ seq, part }}, at) => line.find(seq, part) === at),
        ends: [0, 1, 1e9].map((seq) => plain(line.moment(seq))),
    }};
}}"""
OPEN = f"""async (logs) => {{ {PLAIN}
    const lines = logs.map((pages) => new Timeline(pages));
    const line = new OpenTimeline(lines[0], lines.slice(1));
    const views = line.steps.map((_, at) => line.at(at).view);
    return [line.steps.map(({{ seq, part, isLast }}) => [seq, part, isLast]), views,
        lines.map((each) => each.steps.map(({{ seq, part }}) => `${{seq}}.${{part}}`))];
}}"""


@pytest.mark.parametrize("game", GAMES)
async def test_each_step_is_as_it_was_seen(modules: Modules, tmp_path: Path, game: str) -> None:
    """Each step equals what was seen, for a stranger, every seat and every player."""
    told = await told_logs(tmp_path, game, seed=3)
    for log in told:
        read = modules.evaluate(READ, log.pages)
        assert read["same"], log.reader
        assert read["found"], log.reader
        assert read["steps"]
        for step, picture in zip(read["steps"], read["pictures"], strict=True):
            expected = plain_picture(log.log.at(step["seq"]))
            if step["isLast"]:
                assert picture == expected
            else:
                assert picture["seq"] == step["seq"] - 1
                assert picture["to_act"] == []
        numbers = [(step["seq"], step["part"]) for step in read["steps"]]
        assert numbers == sorted(set(numbers))
        for mark in read["deals"]:
            assert "deal_started" in read["steps"][mark]["verbs"]
        told_deals = [
            fact.args["deal"]
            for e in log.log.entries
            for fact in e.facts
            if fact.verb == "deal_started"
        ]
        assert [read["steps"][mark]["deal"] for mark in read["deals"]] == told_deals
        ends = (0, 1, len(log.log))
        assert read["ends"] == [plain_picture(log.log.at(seq)) for seq in ends]
    seats = [log for log in told if log.seat is not None]
    steps, views, own = modules.evaluate(OPEN, [log.pages for log in seats])
    assert all(each == own[0] for each in own), "every seat has the same steps"
    for (seq, _, is_last), view in zip(steps, views, strict=True):
        if not is_last:
            continue
        assert view == plain_view(opened(log.log.at(seq).view for log in seats))
