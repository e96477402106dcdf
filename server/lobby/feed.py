"""The lobby's feed: sends changes of the list of public tables to the clients that follow it.

    a table changes ─▶ every list notes its code ─▶ at the next beat: one message for each list

A list is shared by all clients that filter tables alike. At a beat, at most once a second, a list
compares the tables that it would show with those that it has sent, and sends the difference,
encoded once. A beat handles a bounded number of tables; the remaining lists wait for the next one,
a moment later. A slow reader gets nothing, and one whole list when it has caught up.
"""

from collections.abc import Callable, Iterable

from protocol.to_server import FollowTables
from protocol.wire_form import WireForm
from server.ops.isolation import isolated
from server.sessions.subscriber import Subscriber, tell_all
from server.tables.listing import Listing

BEAT_SECONDS = 1.0
"""Between two messages of one list, however often its tables change."""
REST_SECONDS = 0.05
"""Between two parts of a beat that was too long for one."""
MOST_WORK = 4_000
"""Tables that are looked at and messages that are sent in one part: some 4 ms of work."""


class _List:
    """One list: the tables it has sent, its followers, and the tables changed since."""

    def __init__(self, wanted: FollowTables, listing: Listing) -> None:
        self.wanted = wanted
        self.changed: set[str] = set()
        self.followers: dict[Subscriber, None] = {}
        self._listing = listing
        self._told, self._more, self.looked = listing.window(wanted)

    def whole(self) -> WireForm:
        """Return the list as it was last sent to all."""
        return self._message(self._told.values(), tuple(self._told))

    def news(self) -> WireForm | None:
        """Return the changes since then; None if they affect nothing that this list shows."""
        changed, self.changed = self.changed, set()
        self.looked = len(changed)
        if not (self._more or any(self._concerns(code) for code in changed)):
            return None
        before, more_before = self._told, self._more
        self._told, self._more, looked = self._listing.window(self.wanted)
        self.looked += looked
        rows = [info for code, info in self._told.items() if before.get(code) != info]
        order = None if list(before) == list(self._told) else tuple(self._told)
        if not rows and order is None and self._more == more_before:
            return None
        return self._message(rows, order)

    def _concerns(self, code: str) -> bool:
        return code in self._told or self._listing.fits(code, self.wanted)

    def _message(self, rows: Iterable[WireForm], order: tuple[str, ...] | None) -> WireForm:
        message: WireForm = {"type": "lobby"}
        if tables := tuple(rows):
            message["tables"] = tables
        if order is not None:
            message["order"] = order
        if self._more:
            message["more"] = True
        return message


class LobbyFeed:
    """The followers of each list. `wake` requests a call of `tell` at a time."""

    def __init__(
        self,
        listing: Listing,
        now: Callable[[], float],
        wake: Callable[[float], None],
    ) -> None:
        self._listing = listing
        self._now = now
        self._wake = wake
        self._lists: dict[FollowTables, _List] = {}
        self._of: dict[Subscriber, _List] = {}
        # The lists that have something to tell, in the order in which it came up.
        self._waiting: dict[_List, None] = {}
        self._not_before = 0.0
        listing.observer = self._changed

    def __len__(self) -> int:
        """The number of connections that follow a list."""
        return len(self._of)

    def follow(self, connection: Subscriber, command: FollowTables) -> WireForm:
        """Let a connection follow the tables of its filter, and no others; return the answer."""
        self.leave(connection)
        # The number of a command has no part in what it looks for.
        wanted = command.model_copy(update={"id": 1})
        followed = self._lists.get(wanted)
        if followed is None:
            followed = self._lists[wanted] = _List(wanted, self._listing)
        followed.followers[connection] = None
        self._of[connection] = followed
        return {**followed.whole(), "id": command.id}

    def leave(self, connection: Subscriber) -> None:
        """Stop following any list."""
        followed = self._of.pop(connection, None)
        if followed is None:
            return
        del followed.followers[connection]
        if not followed.followers:
            del self._lists[followed.wanted]
            self._waiting.pop(followed, None)

    def caught_up(self, connection: Subscriber) -> None:
        """Send the whole list to a slow reader that has caught up, if it follows one."""
        followed = self._of.get(connection)
        if followed is not None:
            connection.tell(followed.whole())

    def next_news(self) -> float | None:
        """Return the time of the next call of `tell`; None if no list can have changed."""
        return self._not_before if self._waiting else None

    def tell(self) -> None:
        """Send changes to the followers of every list, as long as time is left."""
        now, work = self._now(), 0
        if not self._waiting or now < self._not_before:
            return
        while self._waiting and work < MOST_WORK:
            followed = next(iter(self._waiting))
            del self._waiting[followed]
            # A fault in one list must not keep the others waiting.
            with isolated("lobby_failed"):
                message = followed.news()
                if message is not None:
                    work += len(followed.followers)
                    tell_all(followed.followers, message)
            work += followed.looked
        self._not_before = now + (REST_SECONDS if self._waiting else BEAT_SECONDS)

    def _changed(self, code: str) -> None:
        """Record that a table of the list has changed, come or gone."""
        for followed in self._lists.values():
            followed.changed.add(code)
        self._waiting.update(dict.fromkeys(self._lists.values()))
        if self._waiting:
            self._wake(self._not_before)
