"""A bot worker on the bus: what it takes and what it drops, and what it leaves to others."""

from dataclasses import replace

import pytest

from bots import Decision
from server.bots import service
from server.bots.bus_service import OTHERS
from server.bots.encoding import Refusal, decode_answer
from server.bots.worker_load import MOST_OPEN, Lane, Lanes
from server.bus.bus import Failure
from server.bus.packets import Work, decode
from server.ops.metrics import Metrics
from tests.server.bots.asking import QUESTION
from tests.server.bots.fake_process import FakeProcess
from tests.server.bots.kernels import PLAIN
from tests.server.bots.over_bus import BotWorld
from tests.server.bots.test_described_bots import SOURCE, request

HONEST = "play 3C"


@pytest.mark.usefixtures("slow_bots")
async def test_a_question_that_comes_again_is_thought_about_once(
    network: BotWorld, fakes: list[FakeProcess]
) -> None:
    """The worker answers the repetition too, while it thinks and after."""
    worker = network.add_worker("worker", processes=2)
    await network.met()
    moves: list[str] = []
    network.world.repeats = 1.0
    network.bots.ask(QUESTION, lambda decision, strength: moves.append(decision.action))
    await network.until(lambda: bool(worker.fates.repeated))
    fakes[0].answer(Decision(HONEST))
    await network.until(lambda: bool(moves))
    assert (moves, len(fakes), worker.fates.answered) == ([HONEST], 1, 1)


@pytest.mark.usefixtures("slow_bots")
async def test_a_worker_takes_no_more_than_it_can_answer_in_time(
    network: BotWorld, fakes: list[FakeProcess]
) -> None:
    """What is too much is dropped and counted, and what is too late as well."""
    worker = network.add_worker("worker")
    await network.met()
    network.world.repeats = 0.0
    moves: list[str] = []
    for number in range(30):
        network.bots.ask(
            replace(QUESTION, seed=bytes([number])),
            lambda decision, _: moves.append(decision.action),
        )
    await network.pass_time(0.5)
    assert 0 < worker.open < 10
    assert worker.open + worker.fates.full == 30
    await network.pass_time(service.DEADLINE_SECONDS)
    assert len(moves) == 30
    assert network.lateness == ["late"] * 30


def test_a_lane_learns_what_its_questions_take() -> None:
    """Of quick ones more fit, of slow ones fewer; there is always one for each process."""
    lane = Lane(2)
    for seconds, most in ((0.001, MOST_OPEN), (0.1, 20), (2.0, 2)):
        for _ in range(40):
            lane.end(lane.begin(), seconds)
        turns = []
        while lane.fits(1.0):
            turns.append(lane.begin())
        assert 0.9 * most <= lane.open <= most
        for turn in turns:
            lane.end(turn, seconds * turn)


def test_hints_and_slow_games_take_no_room_from_moves() -> None:
    """A move is taken while as many hints wait as fit, and at each described game by itself."""
    lanes = Lanes(1)
    slow, quick = lanes.lane("slow", hint=False), lanes.lane("quick", hint=False)
    for lane, seconds in ((lanes.lane(None, hint=True), 3.0), (slow, 3.0), (quick, 0.1)):
        for _ in range(40):
            lane.end(lane.begin(), seconds)
        while lane.fits(3.3):
            lane.begin()
    assert lanes.lane(None, hint=True).open == slow.open == 1
    assert lanes.lane(None, hint=False).fits(3.3)
    assert quick.open > 20
    # What the processes of described games have to do is known, at whatever game it is.
    others = [lanes.lane(f"game {number}", hint=False) for number in range(10)]
    quick.open = 0
    for lane in others:
        if lane.fits(3.3):
            lane.begin()
    assert sum(lane.open for lane in others) == 7


@pytest.mark.usefixtures("slow_bots")
async def test_a_worker_takes_moves_while_hints_wait(network: BotWorld) -> None:
    """Hints are thought about after all moves, so moves need not wait for them."""
    worker = network.add_worker("worker")
    await network.met()
    worker._lanes.lane(None, hint=False).seconds = 1.5
    for number in range(4):
        hint = replace(QUESTION, seed=bytes([number]))
        network.bots.ask(hint, lambda decision, strength: None, no_hint=lambda: None)
    await network.until(lambda: worker.open == 4)
    network.bots.ask(replace(QUESTION, seed=b"move"), lambda decision, strength: None)
    await network.pass_time(0.5)
    assert (worker.open, worker.fates.full) == (5, 0)


@pytest.mark.usefixtures("slow_bots")
async def test_a_worker_whose_pool_fails_refuses_and_goes_on(
    network: BotWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question goes to a worker once more, then any legal move is played; no room is lost."""

    def failing(*question: object, **fields: object) -> None:
        raise ValueError("no process for QS")

    worker = network.add_worker("worker")
    await network.met()
    monkeypatch.setattr(worker._pool, "think", failing)
    moves: list[str] = []
    network.bots.ask(QUESTION, lambda decision, strength: moves.append(decision.action))
    await network.until(lambda: bool(moves))
    assert worker.fates.failed == 2
    assert (worker.open, worker._lanes.lane(None, hint=False).open) == (0, 0)


async def test_tables_beside_a_worker_hear_of_its_bots_too(network: BotWorld) -> None:
    """The pool is theirs as well, and says to both that a bot is ready."""
    heard: list[object] = []
    pool = network.pool()
    pool.on_ready = heard.append
    network.add_worker("beside", pool=pool)
    pool.on_ready(("black_queen", PLAIN))
    assert heard == [("black_queen", PLAIN)]


async def test_a_bot_that_is_ready_after_its_worker_has_left_is_not_told_of(
    network: BotWorld,
) -> None:
    """It takes no questions any more, and has no stream to say so."""
    worker = network.add_worker("leaving")
    await network.met()
    worker.leave()
    worker._pool.on_ready(("black_queen", PLAIN))
    worker.tell()
    worker.leave()
    await network.until(lambda: not network.bots.workers.fresh)


async def test_a_worker_that_leaves_finishes_what_it_has(
    network: BotWorld, fakes: list[FakeProcess], slow_bots: None
) -> None:
    """It is asked no more, and tables know that at once."""
    leaving = network.add_worker("leaving")
    await network.met()
    moves: list[str] = []
    network.bots.ask(QUESTION, lambda decision, strength: moves.append(decision.action))
    await network.until(lambda: leaving.open == 1)
    leaving.leave()
    del network.workers["leaving"]
    await network.until(lambda: not network.bots.workers.fresh)
    network.bots.ask(replace(QUESTION, seed=b"2"), lambda decision, _: moves.append("plain"))
    assert moves == ["plain"]
    fakes[0].answer(Decision(HONEST))
    await network.until(lambda: len(moves) == 2)
    assert (moves[1], leaving.open) == (HONEST, 0)


async def test_a_worker_needs_no_files_of_games(
    network: BotWorld, fakes: list[FakeProcess]
) -> None:
    """The first question of a described game brings its text, and the next ones do not."""
    worker = network.add_worker("worker")
    await network.met()
    sizes: list[int] = []
    monitored = network.world.carry

    def measured(topic: str, payload: bytes, *, retain: bool) -> None:
        if any(isinstance(item, Work) for item in decode(payload).items):
            sizes.append(len(payload))
        monitored(topic, payload, retain=retain)

    network.world.carry = measured  # type: ignore[method-assign]
    moves: list[str] = []

    def ask() -> None:
        network.bots.ask(request(1), lambda decision, strength: moves.append(decision.action))

    for turn in range(2):
        ask()
        await network.until(lambda done=turn: worker.fates.answered > done or bool(fakes[:1]))  # type: ignore[misc]
        fakes[0].work()
        await network.until(lambda done=turn: len(moves) > done)  # type: ignore[misc]
        await network.pass_time(1.5)
    assert sizes[0] > sizes[-1] + len(SOURCE.text) / 2
    # Another worker has come that does not know the text, and its word has not.
    worker._texts.clear()
    ask()
    await network.until(lambda: len(sizes) > 3)
    fakes[0].work()
    await network.until(lambda: len(moves) == 3)


async def test_what_a_worker_cannot_read_is_refused(network: BotWorld) -> None:
    """It counts the request, says so, and goes on."""
    worker = network.add_worker("worker")
    await network.met()
    asker = network.world.buses["tables"]
    answers: list[bytes | Failure] = []
    asker.send_to_any(OTHERS, b"garbage", answers.append, 5.0)
    asker.send("worker", "bots", b"garbage", answers.append, 5.0)
    await network.until(lambda: len(answers) == 2)
    assert Failure.FAULT in answers
    assert [decode_answer(it) for it in answers if isinstance(it, bytes)] == [Refusal.BAD]
    metrics = Metrics()
    metrics.watch_bot_worker(worker.fates.counts)
    assert b'blackqueen_bot_worker_questions_total{outcome="bad"} 1.0' in metrics.render()[1]
