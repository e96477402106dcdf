"""The preferences of players: a text that their clients keep here, and read on another device.

A guest has none: what a player who never sat has chosen stays with their program.
"""

from protocol.to_client import PlayerPreferences
from protocol.to_server import Preferences
from protocol.wire_form import WireForm, wire_form
from server.sessions.connection import Connection
from server.store import PreferencesRow, Store, Write
from server.tables.guests import Guests


class PreferencesService:
    """Keeps the preferences of players who are no guests."""

    def __init__(self, store: Store, guests: Guests) -> None:
        self._store = store
        self._guests = guests

    async def answer(self, command: Preferences, connection: Connection) -> WireForm:
        """Return what is kept for the player, after that of the command is, if it has any."""
        player = connection.player.id
        if command.kept is not None and player not in self._guests:
            await self._store.save(Write(preferences=(PreferencesRow(player, command.kept),)))
        kept = await self._store.preferences(player)
        message: WireForm = wire_form(PlayerPreferences(id=command.id, kept=kept))
        return message
