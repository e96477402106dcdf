"""What the bot workers on the bus have ready, as each of them says every second."""

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from server.bots.encoding import BadMessage, WorkerState, decode_state
from server.bots.job_queue import BotName
from server.bus.bus import Bus

log = structlog.get_logger()

STATES = "bots"
"""The stream of a worker on which it says what it has ready."""
HERE = "bot_workers"
"""The port at which tables hear from a worker that is there."""
TELL_SECONDS = 1.0
STALE_SECONDS = 5.0
"""A worker that has said nothing for so long is not counted on."""


@dataclass(slots=True)
class _Heard:
    """What a worker has said last, and when."""

    state: WorkerState
    at: float


class KnownWorkers:
    """The workers on the bus; `ended` is called with each bot that one has, or that none can have.

    Every peer is followed; those that are no workers have no such stream. One that becomes a worker
    later says so.
    """

    def __init__(
        self, bus: Bus[bytes], now: Callable[[], float], ended: Callable[[BotName], None]
    ) -> None:
        self._bus = bus
        self._now = now
        self._ended = ended
        self._workers: dict[str, _Heard] = {}
        self._followed: set[str] = set()
        bus.handle(HERE, self._here)
        bus.on_presence(self._presence)
        for peer in tuple(bus.alive):
            self._presence(peer, True)

    @property
    def fresh(self) -> dict[str, WorkerState]:
        """The workers that are counted on, by name."""
        since = self._now() - STALE_SECONDS
        return {name: heard.state for name, heard in self._workers.items() if heard.at >= since}

    @property
    def ready(self) -> frozenset[BotName]:
        """The compiled bots that some worker has ready."""
        return frozenset(bot for state in self.fresh.values() for bot in state.ready)

    def has_failed(self, bot: BotName) -> bool:
        """Whether there are workers, and none of them can have this bot."""
        states = self.fresh.values()
        return bool(states) and all(bot in state.failed for state in states)

    def seconds_left(self, bot: BotName) -> float | None:
        """About how long it takes until a worker has this bot; None if nobody knows."""
        seconds = (
            left
            for state in self.fresh.values()
            for game, strength, left in state.warming
            if (game, strength) == bot
        )
        return min(seconds, default=None)

    def _here(self, peer: str, request: bytes, reply: Callable[[bytes], None]) -> None:
        if peer in self._bus.alive:
            self._presence(peer, True)
        reply(b"")

    def _presence(self, peer: str, here: bool) -> None:
        if not here:
            self.forget(peer)
        elif peer not in self._followed:
            self._followed.add(peer)
            self._bus.follow(peer, STATES, 0, _States(self, peer))

    def heard(self, peer: str, payload: bytes) -> None:
        """A worker says what it has ready."""
        try:
            state = decode_state(payload)
        except BadMessage:
            log.warning("bot_worker_unread", peer=peer)
            return
        before = self.ready
        known = self._workers.get(peer)
        if known is None:
            log.info("bot_worker_here", peer=peer)
        self._workers[peer] = _Heard(state, self._now())
        failed = set(state.failed) - set(() if known is None else known.state.failed)
        for bot in sorted((self.ready - before) | {bot for bot in failed if self.has_failed(bot)}):
            self._ended(bot)

    def forget(self, peer: str) -> None:
        """A peer is gone, or is no worker."""
        self._followed.discard(peer)
        if self._workers.pop(peer, None) is not None:
            log.warning("bot_worker_gone", peer=peer)


class _States:
    """Listens to one peer."""

    def __init__(self, workers: KnownWorkers, peer: str) -> None:
        self._workers = workers
        self._peer = peer

    def event(self, number: int, payload: bytes) -> None:
        """What it says now."""
        self._workers.heard(self._peer, payload)

    def missed(self, last: int) -> None:
        """What it said before matters no more."""

    def ended(self) -> None:
        """It is no worker, or none any more."""
        self._workers.forget(self._peer)
