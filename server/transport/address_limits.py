"""What addresses may have and do: at this gateway, and with what others say at all of them."""

from server.ops.settings import Settings
from server.shares import Places
from server.transport.traffic import AddressBudgets, arrivals_for


class AddressLimits:
    """`held` are the connections of each address here, `elsewhere` those at other gateways.

    `most` is how many an address may have at all gateways together. If it is 0, each has its share
    of the `places` here, or any number if the settings say so.
    """

    def __init__(self, settings: Settings) -> None:
        self.most = settings.max_connections_per_address or 0
        self.places = Places(settings.max_connections, settings.max_connections_per_address)
        self.held, self.elsewhere = self.places.held, self.places.elsewhere
        self.arrivals = arrivals_for(settings)
        self.messages = AddressBudgets(
            settings.address_messages_per_second, settings.address_message_burst
        )
        self.pages = AddressBudgets(settings.address_pages_per_second, settings.address_page_burst)
