"""Bots on other machines: questions go over the bus to any worker that has the bot ready.

The bus sends a question once more after a third of its time, and the first answer counts. If there
is none in time, or no good one, what plays is chosen here, as for any bot that is late.
What an answer says is believed only as far as it is legal.
"""

import asyncio
from collections import deque
from collections.abc import Callable

import structlog

from bots import Decision
from bots.review import Judgement
from bots.roster import is_compiled, standby
from engine.choices import Choices
from server.bots.encoding import (
    MOST_BYTES,
    BadMessage,
    MoveRequest,
    Refusal,
    Request,
    ReviewRequest,
    decode_answer,
    encode_bot,
    encode_request,
)
from server.bots.job_queue import BotName
from server.bots.known_workers import TELL_SECONDS, KnownWorkers
from server.bots.pending_answer import BUS_SECONDS, LATE, Observe, PendingAnswer
from server.bots.process import Failed
from server.bots.service import BotService, Meanwhile
from server.bots.thinking import ReviewQuestion
from server.bus.bus import Bus, Failure
from server.games.descriptions import digest_in
from server.ops import spans
from server.ops.tracing import CAUSE, Cause, caused_by, new_id, parent_of

log = structlog.get_logger()

PREPARE = "bots"
"""The port of a worker at which it hears which bot tables wait for."""
OTHERS = "bots.any"
"""The group of the workers for bots that need no compiling, and those of described games."""
ATTEMPTS = 2
"""How often a question is asked whose answer is no good."""
REVIEW_SECONDS = 60.0
NOBODY_SECONDS = 30.0
"""About how long it takes until a worker comes, as far as tables are told."""
PREPARE_SECONDS = 10.0
"""How often a worker is told at most that tables wait for a bot."""


def group_of(game: str, strength: int) -> str:
    """The group of the workers that have a bot ready."""
    return f"bots.{game}.{strength}" if is_compiled(game, strength) else OTHERS


class BotsOverBus(BotService):
    """Answers by the workers that are on the bus."""

    def __init__(
        self, bus: Bus[bytes], now: Callable[[], float], observe: Observe | None = None
    ) -> None:
        super().__init__(observe)
        self._bus = bus
        self._now = now
        self._hints: deque[float] = deque()
        self._prepared: dict[tuple[str, BotName], float] = {}
        self.workers = KnownWorkers(bus, now, self._ended)

    @property
    def ready(self) -> int:
        """How many compiled bots are ready."""
        return len(self.workers.ready)

    def meanwhile(self, game: str, strength: int, *, repeatable: bool) -> Meanwhile | None:
        """What happens if this bot is asked now; None if it answers itself."""
        bot = (game, strength)
        if not is_compiled(*bot) or bot in self.workers.ready:
            return None
        if self.workers.has_failed(bot):
            return Meanwhile(standby(*bot), 0.0)
        seconds = self.workers.seconds_left(bot)
        strongest = None if repeatable else standby(*bot)
        return Meanwhile(strongest, NOBODY_SECONDS if seconds is None else max(1.0, seconds))

    def prepare(self, game: str, strength: int) -> None:
        """Tell the workers which bot tables wait for."""
        bot, now = (game, strength), self._now()
        since = now - PREPARE_SECONDS
        self._prepared = {to: told for to, told in self._prepared.items() if told > since}
        for peer, state in self.workers.fresh.items():
            if bot in state.ready or (peer, bot) in self._prepared:
                continue
            self._prepared[peer, bot] = now
            self._bus.send(peer, PREPARE, encode_bot(bot), lambda result: None, PREPARE_SECONDS)

    def hints_full(self, described: bool) -> bool:
        """Whether the workers have no room for another hint, as far as they have said."""
        states = self.workers.fresh.values()
        room = sum(state.described_hints if described else state.hints for state in states)
        since = self._now() - TELL_SECONDS
        while self._hints and self._hints[0] < since:
            self._hints.popleft()
        return bool(states) and room <= len(self._hints)

    async def judge(self, question: ReviewQuestion) -> Judgement | None:
        """What a worker's bot thinks of a decision; None if there is no good answer in time."""
        judged: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        position, moment = question.moment.position, question.moment

        def good(answer: object) -> bool:
            return (
                isinstance(answer, Judgement)
                and (answer.deal, answer.move, answer.trick, answer.action)
                == (moment.deal, moment.move, moment.trick, moment.action)
                and position.choices.allows(answer.best)
            )

        def done(answer: object) -> None:
            if not judged.done():
                judged.set_result(answer)

        group = group_of(position.game, question.strength)
        if question.plainly:
            group = OTHERS
        _Sent(self, group, lambda left: ReviewRequest(question, left), good, done, REVIEW_SECONDS)
        try:
            result: object = await asyncio.wait_for(judged, REVIEW_SECONDS + BUS_SECONDS)
        except TimeoutError:
            result = LATE
        if isinstance(result, Judgement):
            return result
        log.info("review_failed", reason=getattr(result, "reason", type(result).__name__))
        return None

    def close(self) -> None:
        """Nothing runs here."""

    def have_answered(self, pending: PendingAnswer, seconds: float) -> None:
        """Have a question answered by a worker; if there is none, a plainer bot plays at once."""
        question = pending.question
        if not self.workers.fresh:
            pending.think_plainly()
            return
        if pending.is_hint:
            self._hints.append(self._now())
        group, choices = group_of(question.position.game, question.strength), question.position
        pending.span = new_id(8)
        trace = parent_of(pending.cause, pending.span, sampled=_is_recorded(pending.cause))

        def good(answer: object) -> bool:
            return isinstance(answer, Decision) and _is_legal(answer, choices.choices)

        def ask(thought: Callable[[object], None]) -> None:
            _Sent(
                self,
                group,
                lambda left: MoveRequest(question, pending.is_hint, left, trace),
                good,
                thought,
                seconds,
            )

        pending.wait_elsewhere(ask, seconds)


class _Sent:
    """A request on its way. `done` is called once: with a `good` answer, or why there is none."""

    def __init__(
        self,
        service: BotsOverBus,
        group: str,
        request: Callable[[float], Request],
        good: Callable[[object], bool],
        done: Callable[[object], None],
        seconds: float,
    ) -> None:
        self._service = service
        self._group = group
        self._request = request
        self._good = good
        self._done = done
        self._deadline = service._now() + seconds
        self._attempts = 0
        self._cause = CAUSE.get()
        self._with_text = False
        self._send()

    def _send(self) -> None:
        left = self._deadline - self._service._now()
        if left <= 0:
            self._done(LATE)
            return
        self._attempts += 1
        request = self._request(left)
        with_text = self._with_text or not self._is_known(request)
        data = encode_request(request, with_text=with_text)
        if len(data) > MOST_BYTES:
            self._done(Failed("too_large"))
            return
        self._service._bus.send_to_any(self._group, data, self._answered, left)

    def _is_known(self, request: Request) -> bool:
        """Whether every worker knows the text of the game, if it is a described one."""
        source = request.question.source
        if source is None:
            return True
        digest = digest_in(source.game)
        return all(digest in state.descriptions for state in self._service.workers.fresh.values())

    def _answered(self, result: bytes | Failure) -> None:
        if result is Failure.UNANSWERED:
            self._done(LATE)
            return
        reason: str
        if isinstance(result, Failure):
            reason = result.value
        else:
            try:
                answer = decode_answer(result)
            except BadMessage:
                reason = "bad_answer"
            else:
                if self._good(answer):
                    self._done(answer)
                    return
                reason = answer.value if isinstance(answer, Refusal) else "bad_answer"
        with caused_by(self._cause):
            log.warning("bot_worker_failed", reason=reason)
        if self._attempts < ATTEMPTS:
            # Another worker may do better; the text comes along, in case that was missing.
            self._with_text = True
            self._send()
        else:
            self._done(Failed(reason))


def _is_legal(decision: Decision, choices: Choices) -> bool:
    return choices.allows(decision.action) and all(
        choices.allows(candidate.action) for candidate in decision.candidates
    )


def _is_recorded(cause: Cause | None) -> bool:
    return spans.RECORDER is not None and cause is not None and spans.RECORDER.wants(cause)
