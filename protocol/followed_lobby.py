"""The list of public tables that a client follows, over as many connections as it takes."""

from collections.abc import Iterable
from typing import Any

from protocol.client_events import Answer, ClientEvent, LobbyChanged
from protocol.lobby_mirror import LobbyMirror
from protocol.to_client import Lobby
from protocol.to_server import FollowTables, ToServer, UnfollowTables


class FollowedLobby:
    """The followed list of public tables; `mirror` is None while none is followed."""

    def __init__(self) -> None:
        self.mirror: LobbyMirror | None = None
        self._wanted: FollowTables | None = None

    def resumed(self, pending: Iterable[ToServer]) -> dict[str, Any] | None:
        """The command that asks for the list on a new connection; None if none is needed."""
        asked = any(isinstance(command, FollowTables | UnfollowTables) for command in pending)
        if self._wanted is None or asked:
            return None
        return self._wanted.model_dump(exclude={"type", "id"})

    def answered(self, command: ToServer, answer: Answer) -> list[ClientEvent]:
        """Handle the answer to a command, which may change what is followed."""
        if isinstance(command, UnfollowTables):
            self.mirror = self._wanted = None
        if isinstance(command, FollowTables) and isinstance(answer, Lobby):
            self._wanted, self.mirror = command, LobbyMirror()
            return self.told(answer)
        return []

    def told(self, lobby: Lobby) -> list[ClientEvent]:
        """Handle a change of the list."""
        if self.mirror is None:
            return []
        self.mirror = self.mirror.follow(lobby)
        return [LobbyChanged(self.mirror)]
