"""Those who follow a table that changes hands: they are told where it goes on."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from protocol.features import MOVED
from server.node.arrivals import Arrivals
from server.node.other_nodes import OtherNodes
from server.node.table_finder import moved
from server.ops.isolation import Spawn
from server.players.identities import Players
from server.tables.link import Link
from server.tables.subscribers import Subscribers

IsAt: TypeAlias = Callable[[str], None]
"""Is told the name of the node that has the table."""


class Connected:
    """They are connected to this node, and go to the next one themselves.

    `name` is that of this node; a table that stays is shown to them again. `settle` sends what
    waits for them.
    """

    def __init__(
        self,
        name: str,
        others: OtherNodes,
        players: Players,
        subscribers: Subscribers,
        arrivals: Arrivals,
        settle: Callable[[], None],
        spawn: Spawn,
    ) -> None:
        self._name = name
        self._others = others
        self._players = players
        self._subscribers = subscribers
        self._arrivals = arrivals
        self._settle = settle
        self._spawn = spawn

    def of(self, code: str) -> IsAt:
        """Tells those who can go there by themselves; others hear it when they want something."""
        links = [link for link, _ in self._subscribers.of(code)]

        def is_at(node: str) -> None:
            self._spawn(self._tell(code, links, node))

        return is_at

    async def _tell(self, code: str, links: Sequence[Link], node: str) -> None:
        if node == self._name:
            for link in links:
                try:
                    await self._arrivals.follow(link, code)
                except Exception as error:
                    link.fail(error)
        else:
            # The next node knows those whom the database knows.
            await self._players.store(*{link.player.id for link in links})
            message = moved(code, self._others.address(node))
            for link in links:
                if MOVED in link.features:
                    link.put(message)
        self._settle()
