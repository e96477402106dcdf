"""Bots over a bus that loses, repeats and reorders: whatever happens, each question is answered."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from bots import Candidate, Decision
from bots.review import Judgement
from server.bots import service, thinking
from server.bots.bus_service import OTHERS
from server.bots.encoding import Refusal, encode_answer
from server.bots.process import Failed
from tests.counts import count
from tests.server.bots.asking import LEGAL, QUESTION
from tests.server.bots.fake_process import FakeProcess
from tests.server.bots.kernels import BROKEN, COMPILED, NAMES, PLAIN, pretend_kernels
from tests.server.bots.over_bus import BotWorld
from tests.server.bots.test_judging import question as decision_to_judge
from tests.server.bus.worlds import LossyWorld

HONEST = "play 3C"
LIES: dict[str, bytes] = {
    "an illegal move": encode_answer(Decision("play QS")),
    "an illegal candidate": encode_answer(Decision(HONEST, (Candidate("play QS", 1.0),))),
    "another answer": encode_answer(Judgement(1, 1, 0, HONEST, HONEST)),
    "a refusal": encode_answer(Refusal.FAILED),
    "nothing": b"",
    "garbage": b"\x81" * 1000,
}


@pytest.mark.usefixtures("slow_bots")
@pytest.mark.parametrize("seed", range(count(3)))
async def test_every_question_is_answered_once_and_in_time(
    fakes: list[FakeProcess], seed: int
) -> None:
    """Two workers that fail, stall and are killed, on a bus that loses a fifth."""
    network = BotWorld(LossyWorld(seed, loss=0.2, repeats=0.2, delay=0.5))
    rng = Random(seed)
    network.add_worker("one", processes=2)
    network.add_worker("two", processes=2)
    await network.met()
    took: list[float] = []
    done: list[str] = []
    for number in range(40):
        if number == 20:
            network.kill("one")

        def answered(decision: Decision, strength: int, began: float = network.world.now) -> None:
            took.append(network.world.now - began)
            done.append(decision.action)

        network.bots.ask(replace(QUESTION, seed=bytes([number])), answered)
        for fake in fakes:
            if fake.jobs and rng.random() < 0.7:
                fake.jobs.clear()
                fake.answer(rng.choice([Decision(HONEST), Decision("play 2C"), Failed("KeyError")]))
        await network.pass_time(rng.uniform(0.0, 0.4))
    await network.pass_time(service.DEADLINE_SECONDS + 1)
    assert len(done) == 40
    assert {*done} <= {*LEGAL}
    assert max(took) <= service.DEADLINE_SECONDS + 0.1
    assert network.lateness.count("") > 10
    network.close()


@pytest.mark.usefixtures("slow_bots")
@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
async def test_a_worker_that_lies_costs_nothing(
    network: BotWorld, fakes: list[FakeProcess], lie: bytes
) -> None:
    """Its answer is not believed; the question goes to another, or a plainer bot plays."""
    network.add_worker("honest")
    liar = network.world.join("liar")
    liar.work(OTHERS, lambda request, reply: reply(lie))
    await network.met()
    moves: list[str] = []
    for number in range(6):
        network.bots.ask(
            replace(QUESTION, seed=bytes([number])),
            lambda decision, _: moves.append(decision.action),
        )
        for _ in range(8):
            await network.pass_time(0.1)
            for fake in fakes:
                if fake.jobs:
                    fake.jobs.clear()
                    fake.answer(Decision(HONEST))
    await network.pass_time(service.DEADLINE_SECONDS)
    assert len(moves) == 6
    assert {*moves} <= {*LEGAL}
    assert HONEST in moves


@pytest.mark.usefixtures("slow_bots")
async def test_a_question_reaches_the_worker_that_is_asked_and_nobody_else(
    network: BotWorld,
) -> None:
    """It is written to that worker alone; of what all workers may read it shows nothing."""
    workers = [network.add_worker(name) for name in ("one", "two")]
    gateway = network.world.join("gateway")
    await network.met()
    published: list[tuple[str, bytes]] = []
    carry = network.world.carry

    def spied(topic: str, payload: bytes, *, retain: bool) -> None:
        published.append((topic, payload))
        carry(topic, payload, retain=retain)

    network.world.carry = spied  # type: ignore[method-assign]
    network.world.repeats = 0.0
    seed = b"of this question alone"
    network.bots.ask(replace(QUESTION, seed=seed), lambda decision, strength: None)
    await network.pass_time(1.0)
    assert gateway.alive
    asked = "one" if workers[0].open else "two"
    assert [topic for topic, payload in published if seed in payload] == [
        f"house/to/{asked}/tables"
    ]
    assert [topic for topic, _ in published if "/work/" in topic] == [f"house/work/{OTHERS}/tables"]
    assert sorted(worker.open for worker in workers) == [0, 1]


@pytest.mark.usefixtures("slow_bots")
async def test_a_bus_that_says_nothing_costs_no_answer(
    network: BotWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a move, for which any legal one is played in time, nor a review."""
    for limit in ("service.DEADLINE_SECONDS", "bus_service.REVIEW_SECONDS"):
        monkeypatch.setattr(f"server.bots.{limit}", 0.05)
    for module in ("pending_answer", "bus_service"):
        monkeypatch.setattr(f"server.bots.{module}.BUS_SECONDS", 0.01)
    network.add_worker("worker")
    await network.met()
    monkeypatch.setattr(network.bots._bus, "send_to_any", lambda *request: None)
    moved = asyncio.get_running_loop().create_future()
    network.bots.ask(QUESTION, lambda decision, strength: moved.set_result(decision.action))
    assert await moved in LEGAL
    assert network.lateness == ["late"]
    assert await network.bots.judge(decision_to_judge()) is None


async def test_what_is_over_is_not_kept(
    network: BotWorld, monkeypatch: pytest.MonkeyPatch, fakes: list[FakeProcess]
) -> None:
    """Questions that nobody waits for, and what workers were told that are gone."""
    pretend_kernels(monkeypatch)
    repeatable = replace(QUESTION, strength=COMPILED, budget=replace(QUESTION.budget, samples=4))
    for number in range(5):
        worker = network.add_worker(f"worker{number}")
        await network.met()
        drop = network.bots.ask(repeatable, lambda decision, strength: None)
        await network.pass_time(11.0)
        drop()
        drop()
        network.kill(f"worker{number}")
        await network.until(lambda: not network.bots.workers.fresh)
        assert worker.open == 0
    assert len(network.bots._prepared) <= 1
    assert not network.bots._waiting


async def test_a_peer_that_becomes_a_worker_later_is_found(network: BotWorld) -> None:
    """It was on the bus before, and tables had looked for a worker there."""
    network.world.join("late")
    network.world.join("gateway")
    await network.pass_time(2.0)
    assert not network.bots.workers.fresh
    network.add_worker("late", bus=network.world.buses["late"])
    await network.met()


async def test_tables_know_what_workers_have_ready(
    network: BotWorld, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that no worker has is played by its standby; tables hear when one has it."""
    kept = pretend_kernels(monkeypatch)
    kept.bots = {NAMES[COMPILED]}
    bots, heard = network.bots, list[tuple[str, int]]()
    bots.on_ready = heard.append
    missing = bots.meanwhile("black_queen", COMPILED, repeatable=False)
    assert missing is not None
    assert (missing.strength, missing.seconds > 0) == (PLAIN, True)
    assert bots.is_cold("black_queen", COMPILED)
    network.add_worker("worker")
    await network.met()
    bots.prepare("black_queen", COMPILED)
    await network.until(lambda: bool(fakes))
    warming = bots.meanwhile("black_queen", COMPILED, repeatable=True)
    assert warming is not None
    assert warming.strength is None
    fakes[0].answer("")
    await network.until(lambda: bots.ready == 1)
    assert bots.meanwhile("black_queen", COMPILED, repeatable=True) is None
    assert heard == [NAMES[COMPILED]]
    moves: list[str] = []
    bots.ask(
        replace(QUESTION, strength=COMPILED), lambda decision, _: moves.append(decision.action)
    )
    await network.until(lambda: fakes[0].jobs[-1][0] is thinking.think)
    fakes[0].work()
    await network.until(lambda: bool(moves))
    assert moves == [LEGAL[-1]]
    network.kill("worker")
    await network.until(lambda: bots.is_cold("black_queen", COMPILED))


async def test_a_bot_that_no_worker_can_have_is_played_by_its_standby(
    network: BotWorld, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that waited for it, as its moves are repeatable, waits no longer."""
    pretend_kernels(monkeypatch)
    network.add_worker("worker")
    await network.met()
    strengths: list[int] = []
    repeatable = replace(QUESTION, strength=BROKEN, budget=replace(QUESTION.budget, samples=4))
    network.bots.ask(repeatable, lambda decision, strength: strengths.append(strength))
    await network.until(lambda: bool(fakes))
    assert strengths == []
    fakes[0].answer("no compiler")
    await network.until(lambda: bool(strengths))
    assert strengths == [PLAIN]
    assert not network.bots.is_cold("black_queen", BROKEN)


async def test_a_decision_is_judged_by_a_worker(
    network: BotWorld, fakes: list[FakeProcess]
) -> None:
    """What it thinks of another decision, or of an illegal move, is not believed."""
    asked = decision_to_judge()
    worker = network.add_worker("worker")
    await network.met()
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(network.bots.judge(asked))
        await network.until(lambda: worker.open == 1 and bool(fakes))
        fakes[0].work()
        await network.until(task.done)
    judged = task.result()
    assert judged is not None
    assert (judged.action, judged.deal, judged.move) == (asked.moment.action, 1, 1)
    network.kill("worker")
    liar = network.world.join("liar")
    lies = encode_answer(replace(judged, best="play QS")), encode_answer(replace(judged, move=2))
    said = iter(lies)
    liar.work(OTHERS, lambda request, reply: reply(next(said)))
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(network.bots.judge(asked))
        await network.until(task.done)
    assert task.result() is None


async def test_hints_stop_when_workers_have_no_room(
    network: BotWorld, fakes: list[FakeProcess], slow_bots: None
) -> None:
    """As many are asked for as workers have said that they take."""
    network.add_worker("worker")
    await network.met()
    hints = 0
    while not network.bots.hints_full(described=False):
        hints += 1
        number = replace(QUESTION, seed=bytes([hints]))
        network.bots.ask(number, lambda decision, strength: None, no_hint=lambda: None)
        assert hints < 10
    assert hints == 4
    assert not network.bots.hints_full(described=True)


async def test_a_question_that_is_too_long_is_not_sent(
    network: BotWorld, slow_bots: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plainer bot plays at once."""
    network.add_worker("worker")
    await network.met()
    monkeypatch.setattr("server.bots.bus_service.MOST_BYTES", 10)
    moves: list[str] = []
    network.bots.ask(QUESTION, lambda decision, strength: moves.append(decision.action))
    assert {*moves} <= {*LEGAL}
    assert len(moves) == 1
