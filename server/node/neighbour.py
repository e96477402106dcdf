"""One other node with tables, as this one follows it: its news, and its tables page by page."""

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from server.bus.bus import Bus, Failure
from server.crossing.encoding import Message
from server.crossing.names import node_of
from server.crossing.neighbours import (
    NEIGHBOURS,
    Chatted,
    Meet,
    MoreTables,
    News,
    OpenTable,
    Tables,
    stream_beside,
)
from server.crossing.requests import SECONDS
from server.players.shared_bans import SharedBans
from server.tables.directory import TableDirectory

log = structlog.get_logger()

AGAIN_SECONDS = 0.25
"""The pause before a node is asked again that did not answer."""


class Neighbour:
    """The node that is `peer` on `bus`. It is met from `meet` on, until `lose`.

    `revoked` is told of tokens that were revoked there, `chatted` of what players said there;
    `next_turn` gives numbers that no stream to this node has had; `met` is called when it is
    followed.
    """

    def __init__(
        self,
        peer: str,
        bus: Bus[Message],
        directory: TableDirectory,
        bans: SharedBans,
        revoked: Callable[[str], None],
        chatted: Callable[[Chatted], None],
        next_turn: Callable[[], int],
        met: Callable[[], None],
        homes_changed: Callable[[], None],
    ) -> None:
        self.is_here = False
        self.is_leaving = False
        self.peer = peer
        self.name = node_of(peer)
        self._bus = bus
        self._directory = directory
        self._bans = bans
        self._revoked = revoked
        self._chatted = chatted
        self._next_turn = next_turn
        self._met = met
        self._homes_changed = homes_changed
        self._turn = 0
        # What was told since it was met: pages do not know better, and what is in neither is gone.
        self._told: set[str] = set()
        self._told_whether_leaving = False

    @property
    def is_staying(self) -> bool:
        """Whether it can be reached, takes tables, and is the home of players."""
        return self.is_here and not self.is_leaving

    def meet(self) -> None:
        """The node is there, perhaps anew: follow it from now on."""
        self._leave()
        self._be(here=True, leaving=False)
        self._directory.reach(self.name, can=True)
        self._turn = self._next_turn()
        self._told.clear()
        self._told_whether_leaving = False
        self._ask(Meet(self._turn), self._follow)

    def lose(self) -> None:
        """The node cannot be reached any more; what it told stays."""
        self._leave()
        self._be(here=False, leaving=self.is_leaving)
        self._directory.reach(self.name, can=False)

    # What comes

    def event(self, number: int, payload: Message) -> None:
        """Its news."""
        assert isinstance(payload, News)
        for table in payload.tables:
            self._learn(table)
        for code in payload.closed:
            self._told.add(code)
            self._directory.unlearn(code, self.name)
        if payload.leaving or payload.staying:
            self._told_whether_leaving = True
            self._be(here=self.is_here, leaving=payload.leaving)
        for ban in payload.banned:
            self._bans.learn(ban)
        for key in payload.unbanned:
            self._bans.unlearn(key)
        for token in payload.revoked:
            self._revoked(token)
        for chatted in payload.chatted:
            self._chatted(chatted)

    def missed(self, last: int) -> None:
        """Some of its news are lost: begin anew."""
        self.meet()

    def ended(self) -> None:
        """It knows this node no more, or is about to stop: its presence tells which."""
        self._soon(self._turn, self.meet)

    def _follow(self, answer: Message) -> None:
        self._bus.follow(self.peer, stream_beside(self._bus.name, self._turn), 0, self)
        self._met()
        self._ask(MoreTables(""), self._page)

    def _page(self, answer: Message) -> None:
        assert isinstance(answer, Tables)
        if not self._told_whether_leaving:
            self._be(here=self.is_here, leaving=answer.leaving)
        for table in answer.tables:
            if table.code not in self._told:
                self._learn(table)
        if answer.more:
            self._ask(MoreTables(answer.tables[-1].code), self._page)
            return
        for code in self._directory.of_node(self.name):
            if code not in self._told:
                self._directory.unlearn(code, self.name)
        log.info("neighbour_met", node=self.name, tables=len(self._told))

    def _be(self, *, here: bool, leaving: bool) -> None:
        before = self.is_staying
        self.is_here, self.is_leaving = here, leaving
        if self.is_staying != before:
            self._homes_changed()

    def _learn(self, table: OpenTable) -> None:
        self._told.add(table.code)
        self._directory.learn(table.code, table.info, table.players, self.name)
        if table.opener and self._directory.elsewhere(table.code) == self.name:
            self._directory.openers.note(table.code, table.opener)

    # Asking

    def _ask(self, request: Message, then: Callable[[Message], None]) -> None:
        answered = partial(self._answered, self._turn, then)
        self._bus.send(self.peer, NEIGHBOURS, request, answered, SECONDS)

    def _answered(
        self, turn: int, then: Callable[[Message], None], answer: Message | Failure
    ) -> None:
        if turn != self._turn or not self.is_here:
            return
        if isinstance(answer, Failure):
            self._soon(turn, self.meet)
        else:
            then(answer)

    def _soon(self, turn: int, call: Callable[[], None]) -> None:
        """Call it in a moment, if the node was neither lost nor met anew by then."""

        def again() -> None:
            if turn == self._turn and self.is_here:
                call()

        asyncio.get_running_loop().call_later(AGAIN_SECONDS, again)

    def _leave(self) -> None:
        if self._turn:
            self._bus.unfollow(self.peer, stream_beside(self._bus.name, self._turn))
