"""Answers `review`: makes reviews on request, and stores complete ones.

One decision of one review is judged at a time, in turns, so that all reviews together take the time
of one process at most, and that only when no move and no hint waits. A player has one review made
at a time. If its player stops asking, the review is dropped.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import structlog

from bots import Budget
from bots.review import judging_budget
from bots.roster import standby, strength_of
from engine.errors import EngineError
from protocol.errors import ProtocolError
from protocol.to_server import Review
from protocol.wire_form import WireForm
from server.bots.pool import BotPool
from server.bots.thinking import ReviewQuestion
from server.games.legends import legend_of
from server.names import Player
from server.refusals import refusal
from server.review.decisions import MatchDecisions, ReviewedDecision, UndoneMoves
from server.review.pages import JudgedDecision, StoredReview, made_of, move_form, summary_form
from server.review.scope import ReviewScope, asked
from server.store import ReviewRow, Store, StoreError, Write
from server.table.errors import BadLog
from server.table.guarded_game import RulesFailed
from server.table.log_view import LogView
from server.tables.table_logs import TableLogs

log = structlog.get_logger()

IDLE_SECONDS = 20.0
"""After so long without a question nobody waits for a review."""
MOST_AT_ONCE = 32
"""Players that may wait for a review at once."""
MOST_OF_AN_ADDRESS = 8
"""Those of them at one address."""
MOST_DECISIONS = 1_000
"""Decisions of a review; those of a longer match are left out, and counted."""
PAGE = 64
"""Decisions that one answer tells."""
DESCRIBED_MILLISECONDS = 1_000.0
"""Of a described game, which may be slow, a decision is looked at up to three times so long."""
COLD_SECONDS = 0.5
"""The pause before it is looked again whether a bot is ready."""
AGAIN_SECONDS = 5.0


class RunningReview:
    """A review in progress or finished. `question` is its request."""

    def __init__(
        self, question: Review, what: ReviewScope, log_view: LogView, strength: int
    ) -> None:
        self.question = question
        self.what = what
        self.log_view = log_view
        self.strength = strength
        self.plainly = False
        # Decisions that were told are not taken back: where moves were, all are told at the end.
        self.at_once = True
        self.decisions: MatchDecisions | None = None
        self.found: AsyncIterator[ReviewedDecision | UndoneMoves] | None = None
        self.judged: list[JudgedDecision] = []
        self.moves: list[WireForm] = []
        self.number = 0
        self.left_out = 0
        self.failed = False
        self.of = 0
        self.summary: WireForm | None = None
        self.error: ProtocolError | None = None
        self.asked_at = 0.0
        self.address = ""

    @property
    def over(self) -> bool:
        """Whether the review is finished."""
        return self.summary is not None or self.error is not None

    def is_for(self, command: Review) -> bool:
        """Whether a command requests this review."""
        mine, other = self.question, command
        return (mine.table, mine.match, mine.seat) == (other.table, other.match, other.seat)

    def drop(self, turn: int) -> None:
        """Forget the decisions from a question on: their moves were taken back."""
        kept = [at for at, each in enumerate(self.judged) if each.decision.turn < turn]
        self.judged = [self.judged[at] for at in kept]
        self.moves = [self.moves[at] for at in kept]


class Reviews:
    """The requested reviews. `work` makes them, and must be called again and again."""

    def __init__(
        self,
        store: Store,
        logs: TableLogs,
        bots: BotPool,
        now: Callable[[], float],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._logs = logs
        self._bots = bots
        self._now = now
        self._pause = pause
        self._by_player: OrderedDict[str, RunningReview] = OrderedDict()
        self._wanted = asyncio.Event()

    def __len__(self) -> int:
        return len(self._by_player)

    async def review(self, command: Review, player: Player, address: str = "") -> WireForm:
        """Return the present part of a review; the first request, from `address`, starts it.

        Raises `ProtocolError` if the player may not have it, or has to wait.
        """
        self._drop_idle()
        mine = self._by_player.get(player.id)
        if mine is None or not mine.is_for(command):
            if mine is not None and not mine.over:
                raise _later("refused_review_waiting")
            of_address = sum(each.address == address for each in self._by_player.values())
            if len(self._by_player) >= MOST_AT_ONCE or of_address >= MOST_OF_AN_ADDRESS:
                raise _later("refused_reviews_busy")
            mine = await self._begin(command, player, address)
            mine.address = address
            if (other := self._by_player.get(player.id)) is not None and not other.over:
                raise _later("refused_review_waiting")
            self._by_player[player.id] = mine
        mine.asked_at = self._now()
        if mine.error is not None:
            del self._by_player[player.id]
            raise mine.error
        if not mine.over:
            self._wanted.set()
        return self._page(mine, command)

    async def work(self) -> None:
        """Wait for a review, and judge one decision of the one that has waited longest."""
        await self._wanted.wait()
        self._drop_idle()
        player = next((id for id, each in self._by_player.items() if not each.over), None)
        if player is None:
            self._wanted.clear()
            return
        self._by_player.move_to_end(player)
        mine = self._by_player[player]
        try:
            await self._step(mine)
        except (BadLog, EngineError, RulesFailed):
            mine.error = refusal("table_damaged", "refused_log_damaged")
        except Exception:
            mine.error = refusal("internal", "refused_review_failed")
            raise

    async def _begin(self, command: Review, player: Player, address: str) -> RunningReview:
        log_view = await self._logs.view_of(command.table, player, address)
        rows = await self._store.entries(command.table, 0)
        what = asked(log_view, rows, command, player.id)
        game = log_view.state.game
        mine = RunningReview(command, what, log_view, strength_of(game, "strong"))
        match = rows[what.start : what.end]
        mine.of = sum(row.kind == "act" for row in match)
        mine.at_once = not any(row.kind == "undone" for row in match)
        row = await self._store.review(what.table, what.match, what.seat, what.player)
        made = None if row is None else made_of(row.body)
        if made is not None and made.strength >= mine.strength:
            mine.strength, mine.moves, mine.summary = made
            return mine
        mine.decisions = MatchDecisions(log_view, rows, what, self._pause)
        mine.found = mine.decisions.found()
        return mine

    async def _step(self, mine: RunningReview) -> None:
        game = mine.log_view.state.game
        if self._bots.is_cold(game, mine.strength):
            self._bots.prepare(game, mine.strength)
            await self._pause(COLD_SECONDS)
            return
        if not mine.number and self._bots.substitute(game, mine.strength, repeatable=True):
            # It could not be compiled: the bot that plays in its place judges, too.
            mine.strength, mine.plainly = standby(game, mine.strength), True
        assert mine.found is not None, "a review that is over has no next step"
        found = await anext(mine.found, None)
        match found:
            case None:
                await self._finish(mine)
            case UndoneMoves(turn):
                mine.drop(turn)
            case ReviewedDecision():
                await self._judge(mine, found)

    async def _judge(self, mine: RunningReview, decision: ReviewedDecision) -> None:
        if mine.number >= MOST_DECISIONS:
            mine.left_out += 1
            return
        state, described = mine.log_view.state, mine.log_view.described
        budget = judging_budget(state.game, mine.strength)
        if described is not None:
            budget = Budget(DESCRIBED_MILLISECONDS, budget.samples)
        question = ReviewQuestion(
            mine.strength,
            decision.moment,
            mine.number,
            mine.log_view.game.info.aim,
            budget,
            None if described is None else described.source,
            mine.plainly,
        )
        mine.number += 1
        judgement = await self._bots.judge(question)
        if judgement is None:
            mine.left_out += 1
            mine.failed = True
            return
        judged = JudgedDecision(decision, judgement)
        mine.judged.append(judged)
        mine.moves.append(move_form(judged))

    async def _finish(self, mine: RunningReview) -> None:
        mine.summary = summary_form(mine.judged, mine.left_out)
        mine.judged = []
        mine.found = mine.decisions = None
        if mine.plainly or mine.failed:
            # Another time a better one may be made.
            return
        what, made = mine.what, StoredReview(mine.strength, mine.moves, mine.summary)
        row = ReviewRow(what.table, what.match, what.seat, what.player, self._now(), made.text())
        # Without it the review has to be made again, nothing else is lost.
        with suppress(StoreError):
            await self._store.save(Write(reviews=(row,)))

    def _page(self, mine: RunningReview, command: Review) -> WireForm:
        known = mine.moves if mine.at_once or mine.over else []
        moves = known[command.after : command.after + PAGE]
        more = max(0, len(known) - command.after - len(moves))
        game = mine.log_view.state.game
        page: WireForm = {
            "type": "review",
            "id": command.id,
            "table": command.table,
            "match": mine.what.match,
            "seat": mine.what.seat,
            "game": game,
            "strength": mine.strength,
        }
        done = mine.of if mine.decisions is None else mine.decisions.done
        told: WireForm = {"decisions": moves, "more": more, "done": done, "of": mine.of}
        page |= {name: value for name, value in told.items() if value}
        substitute = self._bots.substitute(game, mine.strength, repeatable=True)
        if not mine.over and substitute is not None and substitute.seconds:
            page["seconds"] = max(1, round(substitute.seconds))
        if mine.summary is not None:
            page["summary"] = mine.summary
        if command.after == 0:
            form = legend_of(mine.log_view.game.info).form
            page |= {name: form[name] for name in ("legend", "labels") if name in form}
        return page

    def _drop_idle(self) -> None:
        """Forget the reviews that are no longer requested."""
        limit = self._now() - IDLE_SECONDS
        for player, mine in tuple(self._by_player.items()):
            if mine.asked_at < limit:
                del self._by_player[player]


def _later(phrase: str) -> ProtocolError:
    return refusal("try_again", phrase, retry_after=AGAIN_SECONDS)
