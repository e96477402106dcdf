"""Guests: players who never had a seat. They are kept in memory, and stored with their acts.

A player who only looks leaves nothing in the database. A guest is known while connected and for a
day after, unless too many others came later. After a restart, or at another node, one who has done
nothing that is stored is a new player.
"""

from collections import OrderedDict
from collections.abc import Iterable

from server.store import PlayerRow
from server.table.entries import Entry, Seated

DAY_SECONDS = 86_400.0
MOST_AWAY = 10_000
"""At most so many guests are kept who are not connected: a few megabytes."""


class Guests:
    """The known guests, by id and by token."""

    def __init__(self) -> None:
        self._by_id: dict[str, PlayerRow] = {}
        self._by_token: dict[str, PlayerRow] = {}
        self._away: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, player: str) -> bool:
        return player in self._by_id

    def by_token(self, token_hash: str) -> PlayerRow | None:
        """Return the guest whose token has this hash, if any."""
        return self._by_token.get(token_hash)

    def by_id(self, player: str) -> PlayerRow | None:
        """Return the guest of this id, if any."""
        return self._by_id.get(player)

    def replace_token(self, row: PlayerRow) -> None:
        """Replace a guest's revoked first token, after which only their devices identify them."""
        self._by_token.pop(self._by_id[row.id].token_hash, None)
        self._by_id[row.id] = row

    def add(self, row: PlayerRow, now: float) -> None:
        """Add a guest, or replace their row; they count as away until `connected`."""
        self._by_id[row.id] = self._by_token[row.token_hash] = row
        self.disconnected(row.id, now)

    def connected(self, player: str) -> None:
        """Record that a player is connected; nothing happens if they are no guest."""
        self._away.pop(player, None)

    def disconnected(self, player: str, now: float) -> None:
        """Record that a player is no longer connected; nothing happens if they are no guest."""
        if player not in self._by_id:
            return
        self._away[player] = now
        self._away.move_to_end(player)
        while self._away:
            oldest, since = next(iter(self._away.items()))
            if len(self._away) <= MOST_AWAY and since + DAY_SECONDS > now:
                return
            self._forget(oldest)

    def to_store(self, player: str, now: float) -> tuple[PlayerRow, ...]:
        """Return the row of a guest, to be written with their act; none of other players."""
        row = self._by_id.get(player)
        return () if row is None else (row._replace(seen=now),)

    def newly_seated(self, entries: Iterable[Entry]) -> tuple[PlayerRow, ...]:
        """Return the rows of players who get their first seat by these entries."""
        seated = (
            (entry.body.player, entry.at) for entry in entries if isinstance(entry.body, Seated)
        )
        rows = ((self._by_id.get(player), at) for player, at in seated)
        return tuple(row._replace(seen=at, sat=True) for row, at in rows if row is not None)

    def sat_down(self, player: str) -> None:
        """Forget a guest who sat down, whose row is stored now."""
        if player in self._by_id:
            self._forget(player)

    def _forget(self, player: str) -> None:
        row = self._by_id.pop(player)
        # Two nodes may have named the same new player, who is known by one of these names.
        if (known := self._by_token.get(row.token_hash)) is not None and known.id == player:
            del self._by_token[row.token_hash]
        self._away.pop(player, None)
