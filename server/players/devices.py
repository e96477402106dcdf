"""The devices of players: further tokens, got by a one-time code, listed and revoked.

A player's first token is in their own row; each further device has a row with a token of its own.
Codes are stored by their hashes, so that any node takes them, and nothing here logs a code or a
token.

Until the device that used a code comes back with its token, the code may be used again: the answer
with the token may have been lost. The earlier token is then invalid.
"""

from collections.abc import Awaitable, Callable, Mapping
from secrets import token_hex
from typing import Any, NamedTuple, TypeAlias

import structlog

from protocol.errors import ProtocolError
from protocol.to_client import CodeOwner, DeviceInfo, DeviceList
from protocol.to_server import AddDevice, Devices, RevokeDevice, WhoseCode
from protocol.visible_text import shown_name
from protocol.wire_form import WireForm, wire_form
from server.names import hashed
from server.rate_limit import Allowances
from server.refusals import refusal
from server.sessions.connection import Connection
from server.sessions.registry import ConnectionRegistry
from server.store import (
    Deletion,
    DeviceCodeRow,
    DeviceRow,
    NodeRequest,
    PlayerRow,
    RedeemedCode,
    Store,
    Write,
)
from server.tables.guests import Guests

log = structlog.get_logger()

CODE_BYTES = 16
CODE_SECONDS = 600.0
MOST_DEVICES = 16
"""Devices of one player."""
GUESSES = 10
"""Wrong codes of an address that are told from codes that come too fast; then one a minute.

What one node counts the others hear of. A code has 128 bits, so that nobody guesses one. A right
one is taken however many wrong ones came before: they may be somebody else's behind the same
address.
"""
SEEN_SECONDS = 3600.0
"""How exact `seen` of a device is."""
REVOKED_SECONDS = 60.0
"""How long a revoked token is remembered: longer than any handshake takes."""
FIRST = "first"
"""The number of the device with a player's first token, if it has no row."""
ATTEMPTS = 3
"""How often a code is tried that is redeemed at another node at the same moment."""

AskOthers: TypeAlias = Callable[[str, dict[str, Any]], tuple[NodeRequest, ...]]
"""Makes the row by which other nodes are asked to do something; none without others."""


class Introduction(NamedTuple):
    """A program in its hello: with a `known` token, with a one-time code, or as a new player.

    `token` and `code` are hashes; `token` is that of the token which the program has from now on.
    """

    address: str
    token: str
    known: bool
    code: str = ""
    name: str | None = None
    device: str = ""


class DeviceService:
    """Manages devices. `now` returns server time in seconds."""

    def __init__(
        self,
        store: Store,
        connections: ConnectionRegistry,
        guests: Guests,
        now: Callable[[], float],
        ask_others: AskOthers,
    ) -> None:
        self._store = store
        self._connections = connections
        self._guests = guests
        self._now = now
        self._ask_others = ask_others
        self.for_others: Mapping[str, Callable[[dict[str, Any]], Awaitable[None]]] = {
            "guess": self._guessed_elsewhere,
            "revoke": self._revoked_elsewhere,
        }
        """What other nodes ask of this one, by the kind of their request."""
        # The tokens that codes have given here, to devices that are not there yet.
        self._given: set[str] = set()
        self._wrong = Allowances(1 / 60, GUESSES)
        self._revoked: dict[str, float] = {}

    async def add(self, command: AddDevice, connection: Connection) -> WireForm:
        """Make a one-time code for another device of the player, replacing an earlier one."""
        row = await self._row(connection.player.id)
        devices = await self._devices(row)
        if len(devices) >= MOST_DEVICES:
            raise refusal("forbidden", "refused_devices", {"most": MOST_DEVICES})
        now, code = self._now(), token_hex(CODE_BYTES)
        # The first device keeps its name, which only this node knows.
        first = tuple(
            each._replace(device=token_hex(4))
            for each in devices
            if each.device == FIRST and each.name
        )
        made = DeviceCodeRow(hashed(code), row.id, now + CODE_SECONDS)
        # A guest, too, is known to whatever node the code is shown to.
        players = () if row.sat else (self.current(row._replace(seen=now)),)
        await self._store.save(Write(players=players, codes=(made,), arrived=first))
        return {"type": "device_code", "id": command.id, "code": code, "seconds": CODE_SECONDS}

    async def whose(self, command: WhoseCode, connection: Connection) -> WireForm:
        """Return the name of the player who made a code; a wrong code counts as a guess."""
        wrong = self._guessed_wrong(connection.address)
        code = await self._store.device_code(hashed(command.code))
        if code is None or code.token_hash or code.until <= self._now():
            raise wrong
        name = shown_name((await self._row(code.player)).name)
        message: WireForm = wire_form(CodeOwner(id=command.id, name=name))
        return message

    async def redeem(self, come: Introduction) -> PlayerRow:
        """Add a token to the player who made the code; raise `ProtocolError` if there is none."""
        for _ in range(ATTEMPTS):
            code = await self._store.device_code(come.code)
            if code is None or code.until <= self._now():
                break
            row = await self._row(code.player)
            if await self._is_added(code, come):
                self._given.add(come.token)
                log.info("device_added", player=row.id)
                return row
        raise self._guessed_wrong(come.address)

    async def _is_added(self, code: DeviceCodeRow, come: Introduction) -> bool:
        """Add the device of a code; return False if another node or device was faster."""
        lost = code.token_hash
        redeemed = RedeemedCode(
            code.code_hash, lost, come.token, token_hex(4), come.device, self._now()
        )
        others = self._ask_others("revoke", {"player": code.player, "token": lost}) if lost else ()
        await self._store.save(Write(redeemed=(redeemed,), requests=others))
        found = await self._store.player_by_token(come.token)
        if found is None or found.id != code.player:
            return False
        if lost:
            self._thrown_out(code.player, lost)
        return True

    def _guessed_wrong(self, address: str) -> ProtocolError:
        """Return the answer to a wrong code; `address` has one guess less, at all nodes."""
        wait = self._wrong.take(address, self._now())
        if wait:
            return refusal("rate_limited", "refused_codes_wrong", retry_after=round(wait, 2))
        if others := self._ask_others("guess", {"address": address}):
            self._store.commit(Write(requests=others), _whatever)
        return refusal("unauthorized", "refused_code")

    async def _guessed_elsewhere(self, body: dict[str, Any]) -> None:
        self._wrong.take(body["address"], self._now())

    async def arrived(self, token: str) -> None:
        """Invalidate the code of a device that came back with its token."""
        if token in self._given:
            await self._store.save(Write(deleted=Deletion(codes=(token,))))
            self._given.discard(token)

    async def came_by(self, row: PlayerRow, come: Introduction) -> None:
        """Record when and with which program a player used a token."""
        token, name = come.token, come.device
        if not row.sat and row.token_hash == token:
            return
        rows = await self._store.devices(row.id)
        known = next((each for each in rows if each.token_hash == token), None)
        if known is None and (not name or row.token_hash != token):
            return
        now = self._now()
        if known is None:
            known = DeviceRow(token, row.id, token_hex(4), "", row.created, 0.0)
        if now - known.seen > SEEN_SECONDS or name not in ("", known.name):
            seen = known._replace(seen=now, name=name or known.name)
            if not self.is_revoked(token):
                await self._store.save(Write(arrived=(seen,)))

    async def listed(self, command: Devices, connection: Connection) -> WireForm:
        """Return the player's devices, the oldest first."""
        player = connection.player.id
        online = {each.identity.token for each in self._connections.of(player)}
        devices = tuple(
            DeviceInfo(
                device=row.device,
                name=row.name,
                since=row.created,
                seen=row.seen,
                this=row.token_hash == connection.identity.token,
                online=row.token_hash in online,
            )
            for row in await self._devices(await self._row(player))
        )
        message: WireForm = wire_form(DeviceList(id=command.id, devices=devices))
        return message

    async def revoke(self, command: RevokeDevice, connection: Connection) -> WireForm:
        """Revoke a device's token, and close its connections.

        Nothing happens if the device does not exist any more.
        """
        player = connection.player.id
        row = await self._row(player)
        found = [each for each in await self._devices(row) if each.device == command.device]
        for device in found:
            token = device.token_hash
            self._revoke(token)
            guest = self._guests.by_id(player) if self._store.node is not None else None
            # Another node that keeps the guest asks the store first.
            known = () if guest is None else (guest,)
            deleted = Deletion(devices=(token,))
            others = self._ask_others("revoke", {"player": player, "token": token})
            await self._store.save(Write(players=known, requests=others, deleted=deleted))
            log.info("device_revoked", player=player)
            self._connections.expel(player, removed_device(), token)
        return {"type": "ok", "id": command.id}

    async def _revoked_elsewhere(self, body: dict[str, Any]) -> None:
        self._thrown_out(body["player"], body["token"])

    def _thrown_out(self, player: str, token: str) -> None:
        """Close the connections of a revoked token."""
        self._revoke(token)
        self._connections.expel(player, removed_device(), token)
        self._connections.flush()

    def _revoke(self, token: str) -> None:
        now = self._now()
        self._revoked = {key: until for key, until in self._revoked.items() if until > now}
        self._revoked[token] = now + REVOKED_SECONDS
        guest = self._guests.by_token(token)
        if guest is not None:
            self._guests.replace_token(self.current(guest))

    def is_revoked(self, token: str) -> bool:
        """Whether the token with this hash was just revoked, whatever was read from the store."""
        return self._revoked.get(token, 0.0) > self._now()

    def current(self, row: PlayerRow) -> PlayerRow:
        """Return the row to write: without a first token that was revoked meanwhile."""
        if self._revoked.get(row.token_hash, 0.0) > self._now():
            return row._replace(token_hash=f"revoked {row.id}")
        return row

    async def _row(self, player: str) -> PlayerRow:
        row = self._guests.by_id(player) or await self._store.player(player)
        if row is None:
            raise refusal("unauthorized", "refused_forgotten")
        return row

    async def _devices(self, row: PlayerRow) -> list[DeviceRow]:
        """Return all devices of a player, including that with their first token."""
        rows = await self._store.devices(row.id)
        known = any(each.token_hash == row.token_hash for each in rows)
        if known or row.token_hash.startswith("revoked "):
            return rows
        # Until it comes back, only its connection tells what it is.
        there = self._connections.of(row.id)
        names = [each.identity.device for each in there if each.identity.token == row.token_hash]
        name = next(filter(None, names), "")
        first = DeviceRow(row.token_hash, row.id, FIRST, name, row.created, row.seen)
        return [first, *rows]


def removed_device() -> ProtocolError:
    """Return the error for a device whose token was revoked."""
    return refusal("unauthorized", "refused_removed")


def _whatever(error: Exception | None) -> None:
    """Ignore an error of the database, as nothing important was to be stored."""
