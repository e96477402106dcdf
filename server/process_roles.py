"""Which roles a process has and how it reaches the others, read from the settings at the start."""

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
from server.crossing.names import BOTS, TABLES, peer_name
from server.ops.cluster_figures import BusFigures
from server.ops.settings import ROLES, Settings, SettingsError

PREFIX = "blackqueen-bus"
"""What topics begin with if the address says nothing else: not as those of public events do."""
FORM = "mqtts://[USER@]HOST[:PORT][/PREFIX]"


@dataclass(frozen=True, slots=True)
class BusOptions:
    """The broker, what the topics begin with, and the name of this process there."""

    broker: Broker = field(repr=False)
    prefix: str
    name: str


def bus_options(settings: Settings) -> BusOptions | None:
    """How this process reaches the other roles; None if it has them all.

    `SettingsError` if the settings contradict each other.
    """
    if settings.is_whole:
        for flag, value in (("--bus", settings.bus), ("--node", settings.node)):
            if value is not None:
                raise SettingsError(
                    f"{flag}: this process has all roles, so there is nobody to reach; say "
                    f"which it has with --roles, or leave {flag} out"
                )
        return None
    roles = ",".join(settings.roles)
    if not (len(set(settings.roles)) == 1 or set(settings.roles) == {TABLES, BOTS}):
        raise SettingsError(
            f"--roles {roles}: a process has one role, or {TABLES} and {BOTS}, or all of them"
        )
    if settings.bus is None:
        others = " and ".join(role for role in ROLES if role not in settings.roles)
        raise SettingsError(
            f"--roles {roles}: processes with the roles {others} are needed too, and an MQTT "
            f"broker between them: name it with --bus {FORM}, or leave --roles out"
        )
    role = TABLES if TABLES in settings.roles else settings.roles[0]
    if role != TABLES and settings.admin:
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
    )
    return BusOptions(*broker_of(chosen, PREFIX), peer_name(role, settings.node or _some_name()))


def _some_name() -> str:
    machine = sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:24]
    return f"{machine or 'node'}-{SystemRandom().randrange(16**6):06x}"


class OwnPeer:
    """This process on the bus: `bus` for gateways and tables, `bytes` for bots."""

    def __init__(
        self, options: BusOptions, now: Callable[[], float], soon: Callable[..., object]
    ) -> None:
        # The library is installed only where it is wanted.
        from server.bus.encoded import EncodedBus
        from server.bus.mqtt import MqttCourier
        from server.bus.over_courier import CourierBus, presence

        life = time_ns()
        self._name = options.name
        self._courier = MqttCourier(
            options.broker,
            f"blackqueen-{options.name}",
            Random(),
            presence(options.prefix, options.name, life),
        )
        self._bus = CourierBus(self._courier, options.prefix, options.name, life, now, soon)
        self.bytes: Bus[bytes] = self._bus
        self.bus: Bus[Message] = EncodedBus(self._bus, encode, decode)

    def figures(self) -> BusFigures:
        """What `/metrics` tells of the bus."""
        return BusFigures(lambda: self._courier.connected, lambda: self._bus.alive)

    def everybody(self) -> list[str]:
        """The names of all processes on the bus, with this one's."""
        return sorted({self._name, *self._bus.alive})

    def why_unreachable(self) -> str:
        """Why nobody can be reached now; "" if they can, as far as is known."""
        return "" if self._courier.connected else "the broker of the bus cannot be reached"

    async def run(self) -> None:
        """Keep the connection until cancelled; then send what waits, and say goodbye."""
        await self._bus.run()
