"""A bot worker: it takes questions from the bus, as many as its processes can answer in time.

It may be killed at any time: whoever asked has the question carried to another worker, or plays
what a plainer bot chooses. What it cannot answer in time it does not take, and says nothing.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

import structlog

from bots import Decision
from bots.roster import compiled_bots
from server.bots.bus_service import OTHERS, PREPARE, group_of
from server.bots.encoding import (
    Answer,
    BadMessage,
    MoveRequest,
    Refusal,
    Request,
    ReviewRequest,
    TextMissing,
    WorkerState,
    decode_bot,
    decode_request,
    encode_answer,
    encode_state,
)
from server.bots.job_queue import BotName
from server.bots.known_workers import HERE, STATES, TELL_SECONDS
from server.bots.pool import BotPool
from server.bots.worker_load import Fates, Lanes
from server.bus.bus import Bus
from server.crossing.names import TABLES, role_of
from server.games.descriptions import digest_in
from server.ops.isolation import Beside, forever, once
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.ops.tracing import caused_by, read_trace

log = structlog.get_logger()

IN_TIME = 2 / 3
"""The share of a question's time that a worker counts on: it may have been sent twice, the second
time after a third."""
HERE_SECONDS = 10.0
REVIEWS = 2
"""Reviews that wait at once: each table node has one decision judged at a time."""
TEXTS = 64
"""Texts of described games that are kept."""
ANSWERS = 64
"""Answers that are kept for a question that comes once more."""
DRAIN_SHARE = 0.8
"""The share of the time to stop in which questions that were taken are answered."""
LAST_SECONDS = 0.2
"""What the last answers have to reach the broker."""


class BusWorker:
    """Answers what tables ask, by the bots of `pool`."""

    def __init__(
        self, bus: Bus[bytes], pool: BotPool, processes: int, now: Callable[[], float]
    ) -> None:
        self.fates = Fates()
        self._bus = bus
        self._pool = pool
        self._now = now
        self._lanes = Lanes(processes)
        self._groups: list[str] = []
        self._left = False
        self._open: dict[bytes, list[Callable[[bytes], None]]] = {}
        self._answers: OrderedDict[bytes, bytes] = OrderedDict()
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._reviews = 0
        self._beside = Beside("review_failed")
        bus.open_stream(STATES)
        bus.handle(PREPARE, self._prepare)
        self._heard = pool.on_ready
        pool.on_ready = self._ended
        self._join(OTHERS)
        for bot in pool.ready_bots:
            self._join(group_of(*bot))
        self.tell()
        bus.on_presence(self._say_hello)
        for peer in tuple(bus.alive):
            self._say_hello(peer, True)

    @property
    def open(self) -> int:
        """How many questions have no answer yet."""
        return len(self._open)

    def tell(self) -> None:
        """Say what is ready."""
        if not self._left:
            self._bus.publish(STATES, encode_state(self._state()))

    def leave(self) -> None:
        """Take no more questions, and say so; those that were taken are still answered."""
        for group in self._groups:
            self._bus.end_work(group)
        self._groups.clear()
        self._left = True
        self._bus.close_stream(STATES)

    def _say_hello(self, peer: str, here: bool) -> None:
        """Tell tables, which may have looked for a worker too early, that there is one."""
        if here and role_of(peer) == TABLES:
            self._bus.send(peer, HERE, b"", lambda result: None, HERE_SECONDS)

    def _state(self) -> WorkerState:
        pool = self._pool
        return WorkerState(
            ready=pool.ready_bots,
            warming=tuple(
                (*bot, round(meanwhile.seconds, 1))
                for bot in compiled_bots()
                if (meanwhile := pool.meanwhile(*bot, repeatable=True)) and meanwhile.seconds
            ),
            failed=pool.failed_bots,
            hints=pool.room_for_hints(described=False),
            described_hints=pool.room_for_hints(described=True),
            descriptions=tuple(self._texts),
            free=pool.free,
        )

    def _ended(self, bot: BotName) -> None:
        """A bot is ready, or cannot be made ready; tables of this process hear of it, too."""
        self._heard(bot)
        if self._pool.meanwhile(*bot, repeatable=True) is None:
            self._join(group_of(*bot))
        self.tell()

    def _join(self, group: str) -> None:
        if not self._left:
            self._groups.append(group)
            self._bus.work(group, self._take)

    def _prepare(self, sender: str, data: bytes, reply: Callable[[bytes], None]) -> None:
        bot = decode_bot(data)
        if bot in compiled_bots():
            self._pool.prepare(*bot)
        reply(b"")

    def _take(self, data: bytes, reply: Callable[[bytes], None]) -> None:
        """Take a question, if it can be answered in time."""
        name = sha256(data).digest()
        if name in self._open or name in self._answers:
            self.fates.repeated += 1
            if name in self._answers:
                reply(self._answers[name])
            else:
                self._open[name].append(reply)
            return
        try:
            request = decode_request(data, self._texts.get)
        except TextMissing:
            reply(encode_answer(Refusal.TEXT_MISSING))
            return
        except BadMessage as error:
            self.fates.bad += 1
            log.warning("bot_request_unread", reason=str(error))
            reply(encode_answer(Refusal.BAD))
            return
        self._keep_text(request)
        match request:
            case MoveRequest(trace=trace):
                with caused_by(read_trace(trace)):
                    self._think(name, request, reply)
            case ReviewRequest():
                self._judge(name, request, reply)

    def _think(self, name: bytes, request: MoveRequest, reply: Callable[[bytes], None]) -> None:
        source = request.question.source
        lane = self._lanes.lane(None if source is None else source.game, hint=request.hint)
        seconds = IN_TIME * request.seconds
        if not lane.fits(seconds):
            self.fates.full += 1
            return
        began, turns = self._now(), lane.begin()
        self._open[name] = [reply]

        def thought(decision: Decision | None) -> None:
            took = self._now() - began
            lane.end(turns, took)
            game, strength = request.question.position.game, request.question.strength
            log.debug("bot_thought", game=game, strength=strength, seconds=round(took, 3))
            if decision is not None:
                # A move needs no reasons.
                answer = decision if request.hint else Decision(decision.action)
                self._answer(name, answer)
            elif took < seconds:
                self._answer(name, Refusal.FAILED)
            else:
                # Another worker may have the question by now: this one says nothing.
                self.fates.late += 1
                del self._open[name]

        try:
            self._pool.think(request.question, thought, hint=request.hint, seconds=seconds)
        except Exception as error:
            # Its words may show cards.
            log.error(
                "bot_failed", game=request.question.position.game, reason=type(error).__name__
            )
            lane.give_back()
            self._answer(name, Refusal.FAILED)

    def _judge(self, name: bytes, request: ReviewRequest, reply: Callable[[bytes], None]) -> None:
        if self._reviews >= REVIEWS:
            self.fates.full += 1
            return
        self._reviews += 1
        self._open[name] = [reply]

        async def judge() -> None:
            judgement = None
            try:
                async with asyncio.timeout(IN_TIME * request.seconds):
                    judgement = await self._pool.judge(request.question)
            except TimeoutError:
                self.fates.late += 1
            finally:
                self._reviews -= 1
                self._answer(name, judgement or Refusal.FAILED)

        self._beside.spawn(judge())

    def _answer(self, name: bytes, answer: Answer) -> None:
        if isinstance(answer, Refusal):
            self.fates.failed += 1
        else:
            self.fates.answered += 1
        data = encode_answer(answer)
        self._answers[name] = data
        if len(self._answers) > ANSWERS:
            self._answers.popitem(last=False)
        for reply in self._open.pop(name):
            reply(data)

    def _keep_text(self, request: Request) -> None:
        source = request.question.source
        if source is None:
            return
        digest = digest_in(source.game)
        assert digest is not None, "or it would have no source"
        known = digest in self._texts
        self._texts[digest] = source.text
        self._texts.move_to_end(digest)
        if len(self._texts) > TEXTS:
            self._texts.popitem(last=False)
        if not known:
            self.tell()


async def run_worker(
    bus: Bus[bytes],
    pool: BotPool,
    settings: Settings,
    metrics: Metrics,
    stop: asyncio.Event,
    *,
    warm: bool,
) -> None:
    """Have the bots of `pool` answer until `stop` is set, and then what was taken.

    With `warm` all bots are made ready at once, else those that somebody asks for. Somebody else
    runs the bus, until this has returned, and closes the pool.
    """
    loop = asyncio.get_running_loop()
    worker = BusWorker(bus, pool, settings.workers, loop.time)
    metrics.watch_bot_worker(worker.fates.counts)

    async def tell() -> None:
        await asyncio.sleep(TELL_SECONDS)
        worker.tell()

    async with asyncio.TaskGroup() as tasks:
        helpers = [tasks.create_task(forever("worker_untold", tell))]
        if warm:
            helpers.append(tasks.create_task(once("bots_not_warmed", pool.warm())))
        await stop.wait()
        for helper in helpers:
            helper.cancel()
    log.info("draining", waiting=worker.open)
    worker.leave()
    end = loop.time() + settings.drain_seconds * DRAIN_SHARE
    while worker.open and loop.time() < end:  # noqa: ASYNC110 - seldom, and not for long
        await asyncio.sleep(0.02)
    await asyncio.sleep(LAST_SECONDS)
