"""The limits on new connections, pages and messages of an address at this process."""

from server.net.traffic import AddressBudgets, arrivals_for
from server.ops.settings import Settings


class AddressLimits:
    """The rates at which addresses connect, request pages and send messages."""

    def __init__(self, settings: Settings) -> None:
        self.arrivals = arrivals_for(settings)
        self.messages = AddressBudgets(
            settings.address_messages_per_second, settings.address_message_burst
        )
        self.pages = AddressBudgets(settings.address_pages_per_second, settings.address_page_burst)
