"""The table directory: an index of the open tables, and the codes that name them."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from engine.facts import Seat
from protocol.wire_form import WireForm
from server.events.publisher import Publisher
from server.tables.listing import Listing
from server.tables.opener_addresses import OpenerAddresses

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters nobody confuses when a code is read aloud or copied by hand."""
PUBLIC_LENGTH = 5
PRIVATE_LENGTH = 8


def new_code(private: bool) -> str:
    """Return a fresh code; a private table's is too long to guess at the allowed rate."""
    length = PRIVATE_LENGTH if private else PUBLIC_LENGTH
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


class TableDirectory:
    """The open tables and their players; updated by the tables, not by the store.

    It also has the tables of other nodes, according to their rows. `events` are called with every
    change here.
    """

    def __init__(self, events: Publisher | None = None) -> None:
        self.listing = Listing()
        self._events = events
        self.openers = OpenerAddresses()
        # The nodes that have the tables which are not here.
        self._nodes: dict[str, str] = {}
        self._infos: dict[str, WireForm] = {}
        self._players: dict[str, tuple[str, ...]] = {}
        self._tables_of: defaultdict[str, set[str]] = defaultdict(set)

    def update(self, code: str, info: WireForm, players: Iterable[str]) -> None:
        """Update a table to `info`, with these players in the order of the seats."""
        self._nodes.pop(code, None)
        self._put(code, info, players)
        if self._events is not None:
            self._events.listed(code, info)

    def learn(self, code: str, info: WireForm, players: Iterable[str], node: str) -> None:
        """Update another node's table; nothing changes if the table is here."""
        if not self.is_here(code):
            self._nodes[code] = node
            self._put(code, info, players)

    def hand_over(self, code: str, node: str) -> None:
        """Record that a table that was here is another node's from now on."""
        if self.is_here(code):
            self._nodes[code] = node
            if self._events is not None:
                self._events.handed_over(code)

    def closed_elsewhere(self, code: str) -> None:
        """Remove a closed table of another node; nothing happens if it is here."""
        if code in self._nodes:
            self._drop(code)

    def everywhere(self) -> list[str]:
        """Return the known open tables of all nodes."""
        return list(self._infos)

    def codes_elsewhere(self) -> list[str]:
        """Return the known tables of other nodes."""
        return list(self._nodes)

    def is_here(self, code: str) -> bool:
        """Whether there is such an open table, and it is this node's."""
        return code in self._infos and code not in self._nodes

    def elsewhere(self, code: str) -> str | None:
        """Return the node that has a table; None if it is here or unknown."""
        return self._nodes.get(code)

    def _put(self, code: str, info: WireForm, players: Iterable[str]) -> None:
        before, after = self._players.get(code, ()), tuple(players)
        self._infos[code] = info
        self.listing.update(code, info)
        self._players[code] = after
        for player in set(after).difference(before):
            self._tables_of[player].add(code)
        for player in set(before).difference(after):
            self._unseat(player, code)

    def remove(self, code: str) -> None:
        """Remove a closed table of this node; nothing happens if another node has it."""
        if not self.is_here(code):
            return
        self._drop(code)
        if self._events is not None:
            self._events.listed(code, None)

    def _drop(self, code: str) -> None:
        del self._infos[code]
        self._nodes.pop(code, None)
        self.openers.forget(code)
        self.listing.remove(code)
        for player in self._players.pop(code, ()):
            self._unseat(player, code)

    def tables_of(self, player: str) -> frozenset[str]:
        """Return the tables where a player has a seat."""
        return frozenset(self._tables_of.get(player, ()))

    def sits(self, player: str, code: str) -> bool:
        """Whether a player has a seat at this table."""
        return player in self._players.get(code, ())

    def plays(self, player: str) -> bool:
        """Whether a player has a seat in a running match."""
        return any(self._infos[code]["phase"] == "playing" for code in self.tables_of(player))

    def seats_of(self, player: str) -> Iterator[tuple[Seat, WireForm]]:
        """Return every table with a player's seat: the seat, and the table's public details."""
        for code in sorted(self.tables_of(player)):
            info = self._infos[code]
            for seat in seats_in(info, self._players[code], player):
                yield seat, info

    def info(self, code: str) -> WireForm | None:
        """Return the public details of an open table; None if there is none."""
        return self._infos.get(code)

    def players_at(self, code: str) -> tuple[str, ...]:
        """Return the players who have a seat at this table, in the order of the seats."""
        return self._players.get(code, ())

    def people(self) -> Iterator[tuple[str, str]]:
        """Return id and name of all players with a seat, connected or not; once for each seat."""
        for code, info in self._infos.items():
            names = (seat["name"] for seat in info["seats"] if seat["kind"] == "human")
            # A stored row of another program may name more of the one than of the other.
            yield from zip(self._players[code], names, strict=False)

    def phases(self, *, everywhere: bool = False) -> Counter[str]:
        """Return the number of open tables here in each phase, including sleeping ones."""
        return Counter(self._infos[code]["phase"] for code in (self._infos if everywhere else self))

    def with_one_player(self) -> Iterator[tuple[str, str, str]]:
        """Return code, phase and player of tables here with one person, perhaps with bots."""
        for code, players in self._players.items():
            if len(players) == 1 and code not in self._nodes:
                yield code, self._infos[code]["phase"], players[0]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the codes of the tables here."""
        return iter([code for code in self._infos if code not in self._nodes])

    def seated_players(self) -> int:
        """The number of players who have a seat."""
        return len(self._tables_of)

    def __len__(self) -> int:
        """The number of tables that are open here."""
        return len(self._infos) - len(self._nodes)

    def __contains__(self, code: str) -> bool:
        return code in self._infos

    def _unseat(self, player: str, code: str) -> None:
        self._tables_of[player].discard(code)
        if not self._tables_of[player]:
            del self._tables_of[player]


def seats_in(info: WireForm, players: Iterable[str], player: str) -> Iterator[Seat]:
    """Return a player's seats at a table with these `players`, in the order of their seats."""
    people = [seat for seat, chair in enumerate(info["seats"]) if chair["kind"] == "human"]
    # A stored row of another program may name more of the one than of the other.
    for seat, who in zip(people, players, strict=False):
        if who == player:
            yield seat
