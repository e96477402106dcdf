"""`review` at a whole server: who may have which, its contents, and its limits."""

from pathlib import Path
from typing import Any

import pytest

from protocol.to_client import TO_CLIENT, ReviewPage
from server.bots.pool import Substitute
from server.bots.questions import bot_question
from server.review import service
from server.store import Write
from server.table.effects import AskBot
from tests.server.client import TestClient
from tests.server.harness import ServerHarness
from tests.server.review.judging import Judging, judging_server, whole_review

SHORT: dict[str, Any] = {"game": "whist", "seats": 3, "options": {"cards": 2}}


async def played(server: ServerHarness, **fields: Any) -> tuple[str, TestClient, TestClient]:
    """A finished match of Ann and Bea with a random bot."""
    code, (ann, bea) = await server.match_of("Ann", "Bea", **{**SHORT, **fields})
    await server.play(code, 1000, ann, bea)
    assert ann.tables[code].info.phase == "finished"
    return code, ann, bea


async def test_own_decisions_are_judged_from_what_a_hint_would_know(tmp_path: Path) -> None:
    """Each of a player's decisions with a choice is judged from what a hint would know."""
    async with judging_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", **SHORT)
        known = {}
        while ann.tables[code].info.phase == "playing":
            mover = next(client for client in (ann, bea) if client.tables[code].my_turn)
            table = server.table(code)
            if mover is ann:
                ask = AskBot(0, table.state.turn, 1, "hint")
                position = bot_question(table, ask, needs_facts=True).position
                if len(position.choices.actions) > 1:
                    known[table.state.seq + 1] = position
            await mover.move(code)
        review = await whole_review(server, ann, code)
        assert [each["entry"] for each in review["decisions"]] == list(known)
        assert [question.moment.position for question in server.asked] == list(known.values())
        assert (review["match"], review["seat"], review["game"]) == (1, 0, "whist")
        page = TO_CLIENT.validate_python(review)
        assert isinstance(page, ReviewPage)
        assert page.summary is not None
        assert page.summary.decisions == len(known)
        assert page.summary.phrases[0].code in ("review_total", "review_moves")
        assert page.done == page.of > len(known)


async def test_a_review_is_kept_once_it_is_made(tmp_path: Path) -> None:
    """A finished review is stored, also over a restart."""
    async with judging_server(tmp_path) as server:
        code, ann, _ = await played(server)
        made = await whole_review(server, ann, code)
        asked = len(server.asked)
        assert (await whole_review(server, ann, code))["decisions"] == made["decisions"]
        assert len(server.asked) == asked > 0
    async with judging_server(tmp_path) as server:
        await ann.reconnect(server)
        again = await whole_review(server, ann, code)
        assert server.asked == []
        for name in ("strength", "decisions", "summary", "done", "of"):
            assert again[name] == made[name]


async def test_nobody_reviews_a_match_that_is_being_played(tmp_path: Path) -> None:
    """A match in play cannot be reviewed."""
    async with judging_server(tmp_path) as server:
        code, (ann, _) = await server.match_of("Ann", "Bea", **SHORT)
        await ann.move(code) if ann.tables[code].my_turn else None
        for fields in ({}, {"match": 1}, {"match": 2}, {"seat": 0}):
            assert await ann.refusal("review", table=code, **fields) == "wrong_phase"
        assert await ann.refusal("review", table="NONE2") == "unknown_table"


async def test_another_seat_is_reviewed_where_the_log_shows_it(tmp_path: Path) -> None:
    """Anybody may review any seat of a watchable match, and otherwise only their own."""
    async with judging_server(tmp_path) as server:
        code, ann, bea = await played(server)
        zoe = await server.client("Zoe")
        assert await zoe.refusal("review", table=code) == "not_seated"
        assert await zoe.refusal("review", table=code, seat=3) == "no_such_seat"
        assert (await whole_review(server, zoe, code, seat=2))["seat"] == 2
        assert {each.moment.position.seat for each in server.asked} == {2}
        server.asked.clear()
        await whole_review(server, ann, code, seat=2)
        assert server.asked == []
        shut, ann, bea = await played(server, settings={"watchable": False})
        assert await zoe.refusal("review", table=shut, seat=0) == "forbidden"
        assert await bea.refusal("review", table=shut, seat=0) == "forbidden"
        assert (await whole_review(server, bea, shut, seat=1))["seat"] == 1
        assert (await whole_review(server, ann, shut))["seat"] == 0


async def test_hands_are_opened_only_where_everybody_may_see_them(tmp_path: Path) -> None:
    """Only a review of a match that could be watched says how the cards lay, to whoever has it."""
    async with judging_server(tmp_path) as server:
        for watchable in (True, False):
            code, ann, _ = await played(server, settings={"watchable": watchable})
            server.asked.clear()
            review = await whole_review(server, ann, code)
            assert {each.moment.opened is not None for each in server.asked} == {watchable}
            told = [each for each in review["decisions"] if "lay" in each]
            assert bool(told) is watchable
            for each in told:
                assert 1 <= each["lay"]["place"] <= each["lay"]["moves"]
                phrase = each["lay"]["phrase"]
                assert phrase["code"].startswith("review_deal_")
                # No name of an argument that is told as a place at the table, which counts from 0.
                assert "place" not in phrase["args"]
                assert phrase["args"].get("rank", each["lay"]["place"]) == each["lay"]["place"]


async def test_moves_that_were_taken_back_are_not_judged(tmp_path: Path) -> None:
    """Moves that were taken back are not judged."""
    async with judging_server(tmp_path) as server:
        code, (ann,) = await server.match_of("Ann", game="black_queen", options={"deals": 1})
        while len(ann.tables[code].choices.actions) < 2:
            await ann.move(code)
        gone = server.state(code).seq
        await ann.move(code)
        await ann.ask("undo", table=code)
        await server.play(code, 1000, ann)
        review = await whole_review(server, ann, code)
        entries = [each["entry"] for each in review["decisions"]]
        assert entries == sorted(entries)
        log = [row for row in await server.store.entries(code, 0) if row.kind == "undone"]
        undone = [row.seq for row in log]
        assert len(server.asked) > len(entries)
        assert review["summary"]["decisions"] == len(entries)
        assert not [entry for entry in entries if gone < entry < undone[0]]


async def test_a_player_has_one_review_made_at_a_time(tmp_path: Path) -> None:
    """A player has one review made at a time, until it is not asked for any more."""
    async with judging_server(tmp_path) as server:
        first, ann, bea = await played(server)
        await ann.ask("rematch", table=first)
        await bea.ask("ready", table=first, ready=True)
        await ann.ask("start", table=first)
        await server.play(first, 1000, ann, bea)
        assert (await ann.ask("review", table=first, match=1))["match"] == 1
        assert await ann.refusal("review", table=first, match=2) == "try_again"
        assert len(server.game_server.reviews) == 1
        server.now += service.IDLE_SECONDS + 1
        assert (await ann.ask("review", table=first))["match"] == 2
        assert len(server.game_server.reviews) == 1


async def test_nothing_is_judged_when_nobody_waits(tmp_path: Path) -> None:
    """A review that nobody asks for is dropped after a while."""
    async with judging_server(tmp_path) as server:
        code, ann, _ = await played(server)
        await ann.ask("review", table=code)
        ann.disconnect()
        server.now += service.IDLE_SECONDS + 1
        await server.game_server.reviews.work()
        assert (server.asked, len(server.game_server.reviews)) == ([], 0)


async def test_reviews_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews take turns by decision, and their number is limited."""
    monkeypatch.setattr(service, "MOST_AT_ONCE", 2)
    async with judging_server(tmp_path) as server:
        code, ann, bea = await played(server)
        zoe = await server.client("Zoe")
        for client in (ann, bea):
            await client.ask("review", table=code)
        assert await zoe.refusal("review", table=code, seat=0) == "try_again"
        for _ in range(4):
            await server.game_server.reviews.work()
        assert [each.moment.position.seat for each in server.asked] == [0, 1, 0, 1]


async def test_one_address_does_not_have_all_reviews(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A review from another address goes before further ones of one address."""
    monkeypatch.setattr(service, "MOST_OF_AN_ADDRESS", 2)
    async with judging_server(tmp_path) as server:
        code, ann, bea = await played(server)
        zoe, wim = await server.client("Zoe"), await server.client("Wim", address="192.0.2.9")
        for client in (ann, bea):
            await client.ask("review", table=code)
        assert await zoe.refusal("review", table=code, seat=0) == "try_again"
        assert (await wim.ask("review", table=code, seat=0))["type"] == "review"


async def test_a_long_match_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decisions of a long match are limited, and the others counted."""
    monkeypatch.setattr(service, "MOST_DECISIONS", 2)
    monkeypatch.setattr(service, "PAGE", 1)
    async with judging_server(tmp_path) as server:
        code, ann, _ = await played(server, options={"cards": 3})
        review = await whole_review(server, ann, code)
        assert len(review["decisions"]) == len(server.asked) == 2
        assert review["summary"]["left_out"] > 0


async def test_a_decision_without_a_judgement_is_left_out(tmp_path: Path) -> None:
    """A review with a missing judgement is made again another time."""
    async with judging_server(tmp_path) as server:
        server.failing = {0}
        code, ann, _ = await played(server)
        review = await whole_review(server, ann, code)
        assert review["summary"]["left_out"] == 1
        assert review["summary"]["phrases"][-1]["code"] == "review_left_out"
        await whole_review(server, ann, code)
        assert await server.store.review(code, 1, 0, ann.player) is None


async def test_a_damaged_log_ends_the_review(tmp_path: Path) -> None:
    """A damaged log ends its review only."""
    async with judging_server(tmp_path) as server:
        code, ann, _ = await played(server)
        await ann.ask("review", table=code)
        reviews: Any = server.game_server.reviews
        mine = reviews._by_player[ann.player]
        mine.decisions._rows[5] = mine.decisions._rows[5]._replace(body="{}")
        await server.game_server.reviews.work()
        assert await ann.refusal("review", table=code) == "table_damaged"
        assert len(server.game_server.reviews) == 0
        assert isinstance(server, Judging)


async def test_the_bot_is_prepared_first(tmp_path: Path) -> None:
    """The bot of a review is prepared first, and replaced if that fails."""
    async with judging_server(tmp_path) as server:
        code, ann, _ = await played(server)
        pool: Any = server.pool
        prepared: list[tuple[str, int]] = []
        pool.is_cold = lambda game, strength: not prepared
        pool.prepare = lambda game, strength: prepared.append((game, strength))
        reviews: Any = server.game_server.reviews
        pauses: list[float] = []

        async def pause(seconds: float) -> None:
            pauses.append(seconds)

        reviews._pause = pause
        await ann.ask("review", table=code)
        await server.game_server.reviews.work()
        assert prepared
        assert pauses == [service.COLD_SECONDS]
        pool.substitute = lambda game, strength, repeatable: Substitute(1, 0.0)
        await server.game_server.reviews.work()
        assert server.asked[0].plainly


async def test_a_review_by_a_weaker_bot_is_made_anew(tmp_path: Path) -> None:
    """A review by a weaker bot is made again once the strong one is available."""
    async with judging_server(tmp_path) as server:
        code, ann, _ = await played(server)
        await whole_review(server, ann, code)
        row = await server.store.review(code, 1, 0, ann.player)
        assert row is not None
        weaker = row.body.replace('"strength":1', '"strength":0')
        await server.store.save(Write(reviews=(row._replace(body=weaker),)))
    async with judging_server(tmp_path) as server:
        await ann.reconnect(server)
        await whole_review(server, ann, code)
        assert server.asked
        assert await server.store.review(code, 1, 0, ann.player) == row._replace(made=server.now)
