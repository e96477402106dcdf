"""One connection of a client's session: to the address that its user gave, or to a table's node.

offline ──greet()──▶ greeting ──welcomed()──▶ online ──close()──▶ offline
"""

from collections.abc import Collection

from protocol.errors import ProtocolError
from protocol.to_server import ToServer


class NodeConnection:
    """`url` is where it leads; before its first attempt one waits as after `tries` others.

    `refused` is why the server does not have us there. `features` are the later commands and fields
    that it knows; None before the first welcome. `signs` grows whenever a table shows itself there
    or a command is answered. `welcomes` is how often a hello was answered; `hellos` counts what was
    said before the last hello here, and is not on its way to a node any more. The first connection
    leads to a `node`, as long as it stands, if its welcome has named that. A connection that has
    `given_way` was closed because the session came to its node by another address.
    """

    def __init__(self, url: str, tries: int = 0) -> None:
        self.url = url
        self.tries = tries
        self.online = False
        self.hello: int | None = None
        self.refused: ProtocolError | None = None
        self.features: frozenset[str] | None = None
        self.outbox: list[ToServer] = []
        self.signs = 0
        self.hellos = 0
        self.welcomes = 0
        self.unreachable = False
        self.given_way = False
        self.node: str | None = None
        # Followed tables that did not fit into the hello, and those that came here after it.
        self.left_out: Collection[str] = ()
        self.arrived: set[str] = set()

    @property
    def greeting(self) -> bool:
        """Whether `hello` has no answer yet."""
        return self.hello is not None

    def greet(self, hello: int) -> None:
        """Record that hello was sent."""
        self.hello = hello
        self.refused = None
        self.given_way = False

    def welcomed(self, features: Collection[str]) -> None:
        """Record that hello was answered."""
        self.hello = None
        self.online = True
        self.unreachable = False
        self.welcomes += 1
        self.features = frozenset(features)

    def close(self) -> None:
        """Record that the connection is closed."""
        self.online = False
        self.hello = None
        self.node = None
        self.outbox.clear()
        self.arrived.clear()
