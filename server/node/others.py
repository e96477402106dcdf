"""What a node asks of the other nodes, whether it knows them by a bus or by their rows alone."""

from collections.abc import Callable, Iterable
from typing import Protocol

from server.crossing.encoding import Message
from server.crossing.neighbours import AmongNodes


class Others(Protocol):
    """The other nodes with tables, by their names; `on_unseat` takes a player's seats here away."""

    on_unseat: Callable[[str], None]

    @property
    def patience(self) -> float:
        """For how many seconds beyond its lease a node that is not sure of it keeps its players."""

    def met(self) -> list[str]:
        """The names of the nodes that could be reached at some time."""

    def here(self) -> list[str]:
        """The names of the nodes that can be reached."""

    def staying(self) -> list[str]:
        """The names of the nodes that can be reached and take tables."""

    def leaving(self) -> list[str]:
        """The names of the nodes that can be reached and give their tables away."""

    def leave(self) -> None:
        """This node gives its tables away."""

    def stay(self) -> None:
        """This node takes tables again."""

    def leave_to_others(self) -> None:
        """This node is not sure of its lease, and lets its players go on at others."""

    def come_back(self) -> None:
        """It is sure again."""

    def give(self, node: str, codes: Iterable[str]) -> None:
        """Another node has these tables now, by the database."""

    def unseat(self, player: str) -> None:
        """Take away a player's seats at the tables of all nodes that can be told, and here."""

    async def ask(self, node: str, request: AmongNodes, seconds: float) -> Message:
        """What another node answers; `BusError` if it cannot be asked or says nothing."""

    def close(self) -> None:
        """This node is about to stop."""
