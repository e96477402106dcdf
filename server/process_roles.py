"""Which roles a process has and how it reaches the others, read from the settings at the start."""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random, SystemRandom
from re import sub
from time import time_ns

from server.bus.broker import Broker
from server.bus.bus import Bus
from server.bus.options import BrokerSettings, broker_of
from server.crossing.encoding import Message, decode, encode
from server.crossing.names import TABLES, peer_name, process_name
from server.ops.cluster_figures import BusFigures
from server.ops.settings import ROLES, Settings, SettingsError

PREFIX = "blackqueen-bus"
"""What topics begin with if the address says nothing else: not as those of public events do."""
FORM = "mqtts://[USER@]HOST[:PORT][/PREFIX]"


@dataclass(frozen=True, slots=True)
class BusOptions:
    """The broker, what the topics begin with, the roles of this process, and its name there."""

    broker: Broker = field(repr=False)
    prefix: str
    roles: tuple[str, ...]
    node: str

    @property
    def name(self) -> str:
        """What this process is called at the broker, whatever its roles."""
        return process_name(self.roles, self.node)


def bus_options(settings: Settings) -> BusOptions | None:
    """How this process reaches others; None if it is the whole server.

    `SettingsError` if the settings contradict each other.
    """
    roles = tuple(role for role in ROLES if role in settings.roles)
    if settings.bus is None:
        if not settings.is_whole:
            others = " and ".join(role for role in ROLES if role not in roles)
            raise SettingsError(
                f"--roles {','.join(roles)}: processes with the role {others} are needed too, "
                f"and an MQTT broker between them: name it with --bus {FORM}, or leave --roles out"
            )
        if settings.node is not None:
            raise SettingsError(
                "--node: this process has all roles, and nobody to reach; name the broker where "
                f"others are with --bus {FORM}, or leave --node out"
            )
        return None
    if TABLES not in roles and settings.admin:
        raise SettingsError(
            "--admin: administrators are answered by the process that has the tables; give it "
            "there, or leave it out"
        )
    chosen = BrokerSettings(
        "--bus",
        FORM,
        settings.bus,
        settings.bus_password_file,
        settings.bus_ca_file,
        settings.bus_certificate_file,
        settings.bus_key_file,
        settings.trusted_network,
    )
    return BusOptions(*broker_of(chosen, PREFIX), roles, settings.node or _some_name())


def _some_name() -> str:
    machine = sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:24]
    return f"{machine or 'node'}-{SystemRandom().randrange(16**6):06x}"


class OwnPeer:
    """One role of this process on the bus: `bus` is how it reaches the others."""

    def __init__(
        self, options: BusOptions, role: str, now: Callable[[], float], soon: Callable[..., object]
    ) -> None:
        # The library is installed only where it is wanted.
        from server.bus.encoded import EncodedBus
        from server.bus.mqtt import MqttCourier
        from server.bus.over_courier import CourierBus, presence

        life, self.name = time_ns(), peer_name(role, options.node)
        here = presence(options.prefix, self.name, life)
        identifier = options.broker.identifier(f"blackqueen-{self.name}")
        self._courier = MqttCourier(options.broker, identifier, Random(), here)
        self._bus = CourierBus(self._courier, options.prefix, self.name, life, now, soon)
        self.bus: Bus[Message] = EncodedBus(self._bus, encode, decode)

    @property
    def connected(self) -> bool:
        """Whether the broker is there."""
        return self._courier.connected

    async def run(self) -> None:
        """Keep the connection until cancelled; then send what waits, and say goodbye."""
        await self._bus.run()


class OwnPeers:
    """This process on the bus: a peer for each of its roles, which know each other as any others.

    So a process with several roles is no special case for anybody: its gateway has players whose
    tables are elsewhere, and its tables players who are at other gateways.
    """

    def __init__(
        self, options: BusOptions, now: Callable[[], float], soon: Callable[..., object]
    ) -> None:
        self._peers = {role: OwnPeer(options, role, now, soon) for role in options.roles}

    def __getitem__(self, role: str) -> OwnPeer:
        return self._peers[role]

    @property
    def _others(self) -> set[str]:
        """The peers of other processes."""
        alive = {name for peer in self._peers.values() for name in peer.bus.alive}
        return alive - {peer.name for peer in self._peers.values()}

    def figures(self) -> BusFigures:
        """What `/metrics` tells of the bus."""
        return BusFigures(lambda: not self.why_unreachable(), lambda: self._others)

    def everybody(self) -> list[str]:
        """The names of all peers on the bus, with those of this process."""
        return sorted(self._others | {peer.name for peer in self._peers.values()})

    def why_unreachable(self) -> str:
        """Why nobody can be reached now; "" if they can, as far as is known."""
        connected = all(peer.connected for peer in self._peers.values())
        return "" if connected else "the broker of the bus cannot be reached"

    async def run(self) -> None:
        """Keep the connections until cancelled; then send what waits, and say goodbye."""
        async with asyncio.TaskGroup() as tasks:
            for peer in self._peers.values():
                tasks.create_task(peer.run())
