"""The limits on connections, pages and messages of an address at this process."""

from server.net.traffic import AddressBudgets, arrivals_for
from server.ops.settings import Settings
from server.shares import Places


class AddressLimits:
    """The connections of addresses, and their rates of connecting, requesting pages and sending."""

    def __init__(self, settings: Settings) -> None:
        self.places = Places(settings.max_connections, settings.max_connections_per_address)
        self.arrivals = arrivals_for(settings)
        self.messages = AddressBudgets(
            settings.address_messages_per_second, settings.address_message_burst
        )
        self.pages = AddressBudgets(settings.address_pages_per_second, settings.address_page_burst)
