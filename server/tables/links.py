"""Links: the connections of players, as tables know them, and what is to be sent to them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from secrets import token_bytes

from protocol.codec import codec_for
from protocol.errors import ProtocolError
from protocol.to_server import ToServer
from protocol.wire_form import WireForm
from server.crossing.names import MOST_OF_A_PLAYER, READS, Key, Player
from server.crossing.parcels import (
    Answered,
    Batch,
    Charged,
    Expelled,
    Leaving,
    Parcel,
    Pausing,
    Replaced,
)
from server.tables.link import Link
from server.tables.mail import Mail


class Links:
    """The links of each player, the newest last, and the commands that have no answer yet."""

    def __init__(self) -> None:
        self.leaving = False
        """Whether gateways that attach are told that this node gives its tables away."""
        self._pauses = False
        # Never stored, so that nothing tells an address from what stands for it.
        self._key = token_bytes(32)
        self._mails: dict[str, Mail] = {}
        self._links: dict[tuple[str, int], Link] = {}
        # The same as `at`, without a call of its own for each command.
        self.numbered: Callable[[tuple[str, int]], Link | None] = self._links.get
        self._of: dict[str, tuple[Link, ...]] = {}
        self._arriving: dict[tuple[str, int], str] = {}
        # With the gateways that asked.
        self._pending: dict[Key, tuple[ToServer, tuple[str, ...]]] = {}

    def __len__(self) -> int:
        return len(self._links)

    def __iter__(self) -> Iterator[Link]:
        return iter(tuple(self._links.values()))

    def origins_of(self, player: str) -> set[str]:
        """From where a player is connected: what stands for an address and does not tell it."""
        return {
            blake2b(link.address.encode(), key=self._key, digest_size=8).hexdigest()
            for link in self.of(player)
        }

    # Who is there

    @property
    def gateways(self) -> list[str]:
        """The gateways that are there."""
        return list(self._mails)

    def attach(self, gateway: str, publish: Callable[[Batch], object]) -> None:
        """A gateway is there from now on; `publish` sends it a batch."""
        self._mails[gateway] = mail = Mail(gateway, publish)
        if self.leaving:
            mail.put(Leaving())
        if self._pauses:
            mail.put(Pausing(pauses=True))

    def detach(self, gateway: str) -> list[Link]:
        """A gateway is gone, and nothing more can be sent to it; returns the links it had."""
        mail = self._mails.pop(gateway, None)
        if mail is not None:
            mail.close()
        self._arriving = {at: who for at, who in self._arriving.items() if at[0] != gateway}
        return [link for (at, _), link in self._links.items() if at == gateway]

    def arrive(self, gateway: str, number: int, player: str) -> None:
        """A player shows their token on a connection: they are here, but follow nothing yet."""
        self._arriving[gateway, number] = player

    def turn_away(self, gateway: str, number: int) -> None:
        """The player who arrived on a connection may not come in, or cannot now."""
        self._arriving.pop((gateway, number), None)

    def add(
        self,
        gateway: str,
        number: int,
        player: Player,
        client: str,
        token: str,
        device: str,
        codec: str,
        address: str,
        features: frozenset[str],
        facts: int | None,
        legends: Iterable[str],
        alongside: bool,
        *,
        home: bool = True,
    ) -> Link | None:
        """A player was welcomed on a connection; None without its gateway.

        It takes the place of an older one of the same program, and stands beside others; it is at
        the player's `home` that those are closed that cannot stay. None, too, if this player has
        not arrived on it, or it is closed already.
        """
        arrived = self._arriving.pop((gateway, number), None)
        mail = self._mails.get(gateway)
        if mail is None or arrived != player.id:
            return None
        link = Link(
            mail,
            number,
            player,
            client,
            token,
            device,
            codec_for(codec),
            address,
            features,
            facts,
            legends,
            alongside,
        )
        self._links[gateway, number] = link
        older = self.of(player.id)
        if older and home:
            self._replace(older, link)
        others = (each for each in older if each.client != client)
        self._of[player.id] = (*others, link)
        return link

    def _replace(self, older: Sequence[Link], newer: Link) -> None:
        """Have those closed that cannot stay beside a newer one.

        What excludes what is `Identity.excludes`; that the newer one's own gateway has seen to.
        `MOST_OF_A_PLAYER` holds for all gateways, and each knows only of its own connections.
        """
        stay = [each for each in older if not each.leaving and not _excludes(newer, each)]
        kept = stay[-(MOST_OF_A_PLAYER - 1) :]
        for each in older:
            seen_to = each.mail is newer.mail and _excludes(newer, each)
            if not seen_to and not each.leaving and each not in kept:
                each.leaving = True
                each.mail.put(Replaced([each.number]))

    def remove(self, gateway: str, number: int) -> tuple[Link | None, bool]:
        """A connection is closed; its link, and whether it was the last of its player."""
        self._arriving.pop((gateway, number), None)
        link = self._links.pop((gateway, number), None)
        if link is None:
            return None, False
        before = self.of(link.player.id)
        left = tuple(each for each in before if each is not link)
        if left:
            self._of[link.player.id] = left
        else:
            self._of.pop(link.player.id, None)
        return link, bool(before) and not left

    def at(self, gateway: str, number: int) -> Link | None:
        """The link of a connection; None if it is gone."""
        return self._links.get((gateway, number))

    def of(self, player: str) -> tuple[Link, ...]:
        """The links of a player, the newest last."""
        return self._of.get(player, ())

    def newest(self, player: str) -> Link | None:
        """The newest of them; None if the player is not connected."""
        links = self.of(player)
        return links[-1] if links else None

    def is_here(self, player: str) -> bool:
        """Whether a player is connected, or about to be."""
        return player in self._of or player in self._arriving.values()

    # Commands

    def begin(self, key: Key, command: ToServer, link: Link) -> bool:
        """Note that a command is being carried out; False if it is already."""
        gateway, pending = link.mail.gateway, self._pending.get(key)
        if pending is not None:
            if gateway not in pending[1]:
                self._pending[key] = pending[0], (*pending[1], gateway)
            return False
        if type(command) in READS:
            link.reads.add(key)
        else:
            self._pending[key] = command, (gateway,)
        return True

    def pass_on(self, key: Key, link: Link, message: WireForm) -> None:
        """A command that began is for another node: its gateway asks there.

        Other gateways that have asked for the same are told the `message`.
        """
        link.reads.discard(key)
        _, gateways = self._pending.pop(key, (None, ()))
        for gateway in gateways:
            mail = self._mails.get(gateway)
            if mail is not None and mail is not link.mail:
                mail.put(Answered(key, message))

    def highest_pending(self, player: str, client: str) -> int:
        """The highest number of a client's commands that are being carried out; 0 if none is."""
        return max((k.command for k in self._pending if k[:2] == (player, client)), default=0)

    def count_pending(self, types: Sequence[str], player: str | None = None) -> int:
        """How many commands of these types are being carried out, for all or for one player."""
        return sum(
            command.type in types and player in (None, key.player)
            for key, (command, _) in self._pending.items()
        )

    def answer(self, key: Key, message: WireForm) -> None:
        """Answer a command, wherever its client is now."""
        pending = self._pending.pop(key, None)
        if pending is not None:
            for gateway in pending[1]:
                mail = self._mails.get(gateway)
                if mail is not None:
                    mail.put(Answered(key, message))
            return
        for link in self.of(key.player):
            if key in link.reads:
                link.reads.remove(key)
                link.mail.put(Answered(key, message, link.number))
                return

    # What is sent

    def notify(self, player: str, message: WireForm) -> None:
        """Tell a player something that no command asked for, wherever they are connected."""
        for link in self.of(player):
            try:
                link.put(message)
            except Exception as error:
                link.fail(error)

    def charge(self, player: str, price: float) -> None:
        """Take `price` from what a player may send, for something that was done already."""
        # What one connection may send is what all of them may, at each gateway.
        for mail in {link.mail: None for link in self.of(player)}:
            mail.put(Charged(player, price))

    def expel(self, player: str, why: ProtocolError, token: str = "") -> None:
        """Have a player's connections closed, those about to be too; with a `token` those by it."""
        if not token:
            self.tell_gateways(Expelled(player, [], why.reason, why.phrase))
        for link in self.of(player):
            if not token or link.token == token:
                link.leaving = True
                if token:
                    expelled = Expelled(player, [link.number], why.reason, why.phrase)
                    link.mail.put(expelled)

    def pause(self, *, pauses: bool) -> None:
        """Tell the gateways that nothing happens at the tables now, or that it does again."""
        self._pauses = pauses
        self.tell_gateways(Pausing(pauses))

    def tell_gateways(self, parcel: Parcel) -> None:
        """Let a parcel wait for every gateway."""
        for mail in self._mails.values():
            mail.put(parcel)

    def tell_gateway(self, gateway: str, parcel: Parcel) -> None:
        """Let a parcel wait for one gateway, if it is there."""
        mail = self._mails.get(gateway)
        if mail is not None:
            mail.put(parcel)

    def flush(self) -> None:
        """Send what waits."""
        for mail in self._mails.values():
            if mail.parcels:
                mail.flush()


def _excludes(newer: Link, older: Link) -> bool:
    return older.client == newer.client or not (newer.alongside or older.alongside)
