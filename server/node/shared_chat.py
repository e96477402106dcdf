"""What players may still say holds over all nodes: each counts its own, and tells it to the others.

Nobody waits for it. A player who chats at tables of several nodes in the same moment may say more,
but then owes it at all of them. So it holds in the long run, also when tables or nodes change.
"""

from collections.abc import Callable, Sequence

from server.crossing.neighbours import Chatted
from server.node.neighbours import Neighbours
from server.rate_limit import Allowances


class SharedChat:
    """Keeps `allowances`, by player, together with those of the `neighbours`."""

    def __init__(
        self, neighbours: Neighbours, allowances: Allowances, now: Callable[[], float]
    ) -> None:
        self._neighbours = neighbours
        self._allowances = allowances
        self._now = now
        allowances.on_take = self._taken
        neighbours.on_chatted = self._learn
        neighbours.all_chatted = self._all

    def _taken(self, player: str, lines: float) -> None:
        self._neighbours.chatted(Chatted(player, lines))

    def _all(self) -> Sequence[Chatted]:
        """For a node that begins, or has lost track: all that counts still."""
        spent = self._allowances.spent(self._now())
        return [Chatted(player, lines, in_all=True) for player, lines in spent.items()]

    def _learn(self, chatted: Chatted) -> None:
        count = self._allowances.know if chatted.in_all else self._allowances.charge
        count(chatted.player, chatted.lines, self._now())
