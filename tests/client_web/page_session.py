"""The page's session with the Python session's interface, for tests with one model server."""

from collections.abc import Sequence
from typing import Any

from protocol.client_events import Answered, ClientEvent, PutOff
from protocol.lenient import read
from protocol.to_client import ToClient
from protocol.to_server import TO_SERVER, ToServer
from protocol.wire_form import WireForm, wire_form
from tests.client_web.modules import Modules

MAKE = """async (first) => {
    const { Session } = await import("/session.js");
    window.session = new Session({ client: "page", name: "Ann", first });
}"""
CALL = """([name, given]) => {
    const { session } = window;
    const told = session[name](...given);
    const wanted = [...session.addresses].map((address) => [address, session.urlOf(address)]);
    return [told ?? null, wanted, session.refused];
}"""
PICTURES = """() => [...window.session.tables.values()].map(({ table, seq, seat, view }) =>
    [table, { seq, seat, zones: view.zones, values: view.values }])"""


class PageConnection:
    """A connection of the page's session; `url` is its address."""

    def __init__(self, address: str, url: str) -> None:
        self.address = address
        self.url = url


class PageSession:
    """The page's session: `first` and `others` are the connections that should exist."""

    def __init__(self, modules: Modules, url: str) -> None:
        self.client = "page"
        self._modules = modules
        self.first = PageConnection("", url)
        self.others: list[PageConnection] = []
        modules.evaluate(MAKE, url)

    def _call(self, name: str, *given: Any) -> Any:
        told, wanted, refused = self._modules.evaluate(CALL, [name, list(given)])
        assert refused is None, "the page gives up, as if another program had come in its place"
        gone = [each for each in self.others if each.address not in dict(wanted)]
        known = {each.address for each in self.others}
        self.others = [each for each in self.others if each not in gone]
        self.others += [PageConnection(*each) for each in wanted if each[0] not in known]
        for each in gone:
            self._modules.evaluate("(address) => window.session.ended(address)", each.address)
        return told

    def command(self, kind: type[ToServer], **fields: Any) -> ToServer:
        """A new command, sent at once or as soon as its connection is online."""
        return _command(self._call("command", kind.model_fields["type"].default, fields))

    def connected(self, at: PageConnection) -> list[ToServer]:
        """The first message on an open connection."""
        return [_command(self._call("connected", at.address))]

    def take_outbox(self, at: PageConnection) -> list[ToServer]:
        """The messages to be sent on a connection now."""
        return [_command(each) for each in self._call("takeOutbox", at.address)]

    def again(self, id: int) -> None:
        """Send a postponed command again."""
        self._call("again", id)

    def lost(self, reason: str, at: PageConnection) -> list[ClientEvent]:
        """A connection broke."""
        self._call("disconnected", at.address)
        return []

    def unreachable(self, at: PageConnection) -> None:
        """A node cannot be reached."""
        if at.address:
            self._call("failed", at.address)

    def receive(self, *frame: ToClient, at: PageConnection) -> list[ClientEvent]:
        """The client events of one frame's messages."""
        if at is not self.first and at not in self.others:
            return []
        told = self._call("receive", [_form(each) for each in frame], at.address)
        return [each for event in told for each in _event(event)]

    def pictures(self) -> dict[str, WireForm]:
        """The mirror of each table."""
        return dict(self._modules.evaluate(PICTURES))


def _form(message: ToClient) -> WireForm:
    form: WireForm = wire_form(message)
    return form


def _command(form: WireForm) -> ToServer:
    return TO_SERVER.validate_python(form)


def _event(event: dict[str, Any]) -> Sequence[ClientEvent]:
    match event["kind"]:
        case "answered":
            return [Answered(_command(event["command"]), read(event["answer"]))]  # type: ignore[arg-type]
        case "later":
            error = {"type": "error", "reason": "", "id": event["command"]["id"], **event["error"]}
            return [PutOff(_command(event["command"]), read(error))]  # type: ignore[arg-type]
        case _:
            return []
