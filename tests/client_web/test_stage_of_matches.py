"""The stage with recorded matches and a manual clock."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from protocol.wire_form import WireForm
from tests.chromium import Chromium
from tests.client_web.modules import Modules
from tests.client_web.test_hostile_texts import WELCOME
from tests.client_web.transcripts import PLAYED, transcripts
from tests.client_web.whole_page import whole_page
from tests.counts import NIGHT

GAMES = PLAYED if NIGHT else ("whist", "Cribbage2.rcy")
REST = 1000
"""So many milliseconds a complete trick rests, at least."""
SCORE = 8000
BACKLOG = 4000

# Each event is told with its time; a frame that is shown, and each fact in it, has one, too. What
# is to rest is worked out here from facts and layout alone.
PLAY = """async ([messages, pace, patience]) => {
    const { Stage } = await import("/table/stage.js");
    const { pictureOf, follow, fold, factOf, EMPTY_VIEW } = await import("/picture.js");
    let now = 0, picture = null, scoredAt = null;
    const stage = new Stage(() => now);
    const shown = [], news = [], arrived = [], rests = [], stale = [], scores = [];
    const isTrick = (name) => picture.layout.zones.some(({ kind, place }) =>
        place === "trick" && kind === name.split("/")[0]);
    const cardsIn = (view) => Object.keys(view.zones).filter(isTrick)
        .flatMap((name) => view.zones[name].cards);
    const step = () => {
        for (const frame of stage.due()) {
            news.push(...frame.news.map((fact) => [now, frame.scene.seq, facts.indexOf(fact)]));
            shown.push([now, frame.scene.seq, cardsIn(frame.scene.view)]);
            scoredAt = frame.scored ? now : null;
        }
        const { question } = shown.length ? stage.resting.scene : {};
        if (!stage.settled && question.choices !== null) stale.push([now, question.turn]);
    };
    const facts = [];
    const until = (end) => {
        for (;;) {
            if (stage.wait() === null) break;
            const seen = scoredAt === null || patience === null ? Infinity : scoredAt + patience;
            const next = Math.min(now + stage.wait(), Math.max(now, seen));
            if (next > end) break;
            now = next;
            if (now === seen) stage.dismiss();
            step();
        }
        if (end !== Infinity) now = end;
    };
    const sceneOf = (before, facts, fresh) => ({ ...picture, deal: picture.facts, facts, fresh,
        before: fresh ? null : before });
    for (const message of messages) {
        // Slowly: as soon as all has been seen. In a hurry: whatever is seen.
        if (picture) until(pace === null ? Infinity : now + pace);
        if (message.type === "table") {
            for (const fact of stage.takeNews()) news.push([now, picture.seq, facts.indexOf(fact)]);
            picture = pictureOf(message, picture);
            stage.add(sceneOf(null, [], true));
            step();
            continue;
        }
        if (!picture || message.seq <= picture.seq) continue;
        const before = picture.view;
        picture = follow(picture, message);
        const begin = facts.length;
        // Those of the picture are the same objects as long as they are of this deal.
        const told = (message.facts ?? []).map(factOf);
        facts.push(...told);
        arrived.push([now, picture.seq]);
        let view = before, changed = false;
        told.forEach((fact, at) => {
            const full = cardsIn(view);
            const after = fold([fact], fact.verb === "deal_started" ? EMPTY_VIEW : view);
            const swept = full.length > 1 && cardsIn(after).length < full.length;
            if (changed && (swept || fact.holds)) {
                rests.push([begin + at, picture.seq, swept ? full : null]);
                changed = false;
            }
            if (fact.verb === "deal_scored" && at < told.length - 1) {
                scores.push([begin + at]);
                changed = false;
            } else changed ||= fact.changes.length > 0;
            view = after;
        });
        stage.add(sceneOf(before, told, false));
        step();
    }
    until(Infinity);
    const { settled } = stage;
    return { shown, news, arrived, rests, scores, stale, settled, facts: facts.length };
}"""


# Whatever lies on the table is clicked as soon as something has arrived that rests, just before it
# may go, and when all has been seen.
CLICK = """async ([messages, resting, rest, after]) => {
    const { sent, advance, settled, sockets } = window.played;
    const click = async () => {
        const before = sent.length;
        const places = ".felt button[data-place], .cardtable .choice";
        for (const each of document.querySelectorAll(places)) if (each.isConnected) each.click();
        await settled();
        const acts = sent.slice(before).filter((message) => message.type === "act");
        return acts.map((message) => message.turn);
    };
    const clicked = [];
    for (const message of messages) {
        sockets.at(-1).onmessage({ data: JSON.stringify([message]) });
        await settled();
        if (!resting.includes(message.seq)) continue;
        const early = await click();
        await advance(rest);
        early.push(...await click());
        await advance(after);
        clicked.push([message.seq, early, await click()]);
    }
    return clicked;
}"""


def played(
    modules: Modules, messages: list[WireForm], pace: int | None, patience: int | None
) -> Mapping[str, Any]:
    """The states shown over time, for events `pace` apart and scores dismissed after `patience`.

    Without a pace each event comes as soon as the one before has been shown.
    """
    told: Mapping[str, Any] = modules.evaluate(PLAY, [messages, pace, patience])
    assert told["settled"]
    # Nobody is asked while something is still to be shown.
    assert told["stale"] == []
    # Everything is told, once and in order.
    assert [fact for *_, fact in told["news"]] == list(range(told["facts"]))
    return told


@pytest.mark.parametrize("game", GAMES)
async def test_matches_are_shown_at_the_pace_of_people(
    modules: Modules, tmp_path: Path, game: str
) -> None:
    """In recorded matches tricks rest, scores wait, and backlogs are skipped."""
    rested = scored = skipped = 0
    for transcript in await transcripts(tmp_path, game, seed=3):
        messages = list(transcript.messages)
        for patience in (None, 1500):
            told = played(modules, messages, None, patience)
            rested += all_rest(told)
            scored += all_scores_wait(told, SCORE if patience is None else patience)
        for pace in (20, 300):
            skipped += nothing_lags(played(modules, messages, pace, None))
    assert scored > 0
    if game in ("whist", "hearts", "black_queen"):
        assert rested > 0
        assert skipped > 0


def all_rest(told: Mapping[str, Any]) -> int:
    """Check that what is swept away was shown long enough; returns how often that was."""
    at = {fact: time for time, _, fact in told["news"]}
    for fact, seq, trick in told["rests"]:
        assert at[fact] - at[fact - 1] >= REST, (seq, fact)
        if trick is not None:
            before = [cards for time, _, cards in told["shown"] if time < at[fact]]
            assert before[-1] == trick, (seq, trick)
    return len(told["rests"])


def all_scores_wait(told: Mapping[str, Any], patience: int) -> int:
    """Check that each score stays until dismissed or for eight seconds; returns their number."""
    at = {fact: time for time, _, fact in told["news"]}
    for (fact,) in told["scores"]:
        assert at[fact + 1] - at[fact] == patience, fact
    return len(told["scores"])


def nothing_lags(told: Mapping[str, Any]) -> int:
    """Check that everything else is shown in time; returns how many events were skipped."""
    at = {seq: time for time, seq, _ in told["shown"]}
    times = {fact: time for time, _, fact in told["news"]}
    scores = [(times[fact], times[fact + 1]) for (fact,) in told["scores"]]
    for time, seq in told["arrived"]:
        shown = min(when for each, when in at.items() if each >= seq)
        waited = [min(end, shown) - max(begin, time) for begin, end in scores]
        between = [seconds for seconds in waited if seconds > 0]
        # Some come before a score, some behind it.
        parts = 1 + bool(between)
        assert shown - time - sum(between) <= parts * BACKLOG, seq
    return len([seq for _, seq in told["arrived"] if seq not in at])


@pytest.mark.parametrize("game", PLAYED if NIGHT else ("schnapsen",))
async def test_no_click_acts_while_a_trick_rests(
    chromium: Chromium, modules: Modules, tmp_path: Path, game: str
) -> None:
    """No click acts while a trick rests or a score waits; later ones answer the shown question."""
    transcript, *_ = await transcripts(tmp_path, game, seed=3)
    messages = list(transcript.messages)
    resting = [seq for _, seq, _ in played(modules, messages, None, None)["rests"]]

    async def story() -> Sequence[Any]:
        async with whole_page(chromium, messages[0]["table"]) as page:
            await page.answer({"act": {"type": "ok"}, "ping": {"type": "pong"}})
            await page.feed([json.dumps([WELCOME])])
            given = [messages, resting, REST, SCORE + REST]
            clicked: Sequence[Any] = await page.page.evaluate(CLICK, given)
            return clicked

    asked = {message["seq"]: message.get("question", {}) for message in messages}
    for seq, early, late in await chromium.story(story()):
        assert early == [], seq
        assert set(late) <= {asked[seq]["turn"]}, seq
        # There each move is a click.
        assert late or game != "schnapsen" or "choices" not in asked[seq], seq
