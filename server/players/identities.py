"""Identities: the player behind a token or a code, and whether they may be admitted."""

from collections.abc import Callable
from secrets import token_hex

from protocol.look_alikes import looks_like_authority
from server.players.bans import Bans, banned
from server.players.devices import DeviceService, Introduction, removed_device
from server.refusals import refusal
from server.store import PlayerRow, Store, Write
from server.tables.guests import DAY_SECONDS, Guests


class Identities:
    """Identifies players. `now` returns server time in seconds."""

    def __init__(
        self,
        store: Store,
        guests: Guests,
        devices: DeviceService,
        bans: Bans,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._guests = guests
        self._devices = devices
        self._bans = bans
        self._now = now

    async def identify(self, come: Introduction) -> PlayerRow:
        """Return the player whose program says hello; raise `ProtocolError` for a wrong token."""
        if come.code:
            return await self._devices.redeem(come)
        row = await self._player(come)
        if come.known:
            await self._devices.came_by(row, come)
        return row

    async def _has_changed(self, guest: PlayerRow) -> bool:
        """Whether another node has seated a guest known here, or revoked their token."""
        if self._store.node is None:
            return False
        row = await self._store.player(guest.id)
        return row is not None and (row.sat or row.token_hash != guest.token_hash)

    def check(self, player: str, token: str, address: str) -> None:
        """Raise `ProtocolError` if the player or address is banned, or the token revoked."""
        now = self._now()
        ban = self._bans.of_player(player, now) or self._bans.of_address(address, now)
        if ban is not None:
            raise banned(ban)
        if self._devices.is_revoked(token):
            raise removed_device()

    async def store(self, *players: str) -> None:
        """Store guests, so that other nodes know them; other players are ignored."""
        now = self._now()
        guests = [row for player in players for row in self._guests.to_store(player, now)]
        if guests:
            await self._store.save(Write(players=tuple(map(self._devices.current, guests))))

    async def arrived(self, token: str) -> None:
        """Record that a program uses the token that it was given."""
        await self._devices.arrived(token)

    async def _player(self, come: Introduction) -> PlayerRow:
        """Return the player of the token under their present name, or a new player."""
        now, guests = self._now(), self._guests
        if not come.known:
            _check_name(come.name)
            name = come.name or "Guest"
            new = PlayerRow(token_hex(8), name, come.token, now, seen=now, sat=False)
            guests.add(new, now)
            return new
        known = guests.by_token(come.token)
        if known is not None and await self._has_changed(known):
            guests.sat_down(known.id)
            known = None
        known = known or await self._store.player_by_token(come.token)
        if known is None:
            raise refusal("unauthorized", "refused_token")
        if come.name != known.name:
            _check_name(come.name)
        row = known._replace(name=come.name or known.name)
        if not row.sat:
            guests.add(row, now)
        elif row != known or now - known.seen > DAY_SECONDS:
            row = row._replace(seen=now)
            await self._store.save(Write(players=(self._devices.current(row),)))
        return row


def _check_name(name: str | None) -> None:
    """Raise `ProtocolError` if a new name would pass its player off as an authority.

    A player who had it before is admitted, is shown under another name, and is asked for a new one.
    """
    if name is not None and looks_like_authority(name):
        raise refusal("bad_message", "refused_name", {"name": name})
