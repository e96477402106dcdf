"""Where public events go, read from the settings before the server starts."""

from dataclasses import dataclass

from server.events.broker import Broker
from server.events.broker_options import BrokerSettings, broker_of
from server.ops.settings import Settings

PREFIX = "blackqueen"
"""What topics begin with if the address says nothing else."""
FORM = "mqtts://[USER@]HOST[:PORT][/PREFIX]"


@dataclass(frozen=True, slots=True)
class EventOptions:
    """The broker, and what the topics begin with."""

    broker: Broker
    prefix: str


def event_options(settings: Settings) -> EventOptions | None:
    """Where the settings want public events; None if nowhere. `SettingsError` if that cannot be."""
    if settings.events is None:
        return None
    chosen = BrokerSettings(
        "--events",
        FORM,
        settings.events,
        settings.events_password_file,
        settings.events_ca_file,
        settings.events_certificate_file,
        settings.events_key_file,
        settings.trusted_network,
        secret=False,
    )
    return EventOptions(*broker_of(chosen, PREFIX))
