"""What addresses may have and do: at this gateway, and with what others say at all of them."""

from collections import Counter

from server.ops.settings import Settings
from server.transport.traffic import AddressBudgets, arrivals_for


class AddressLimits:
    """`held` are the connections of each address here, `elsewhere` those at other gateways.

    `most` is how many an address may have, any number if it is 0.
    """

    def __init__(self, settings: Settings) -> None:
        self.most = settings.max_connections_per_address
        self.held: Counter[str] = Counter()
        self.elsewhere: Counter[str] = Counter()
        self.arrivals = arrivals_for(settings)
        self.messages = AddressBudgets(
            settings.address_messages_per_second, settings.address_message_burst
        )
        self.pages = AddressBudgets(settings.address_pages_per_second, settings.address_page_burst)

    def is_crowded(self, address: str) -> bool:
        """Whether an address has all connections that it may have."""
        return bool(self.most) and self.held[address] + self.elsewhere[address] >= self.most
