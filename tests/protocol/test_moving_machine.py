"""The client's session with several nodes: connections break, tables move, nodes stop."""

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from protocol.client import ClientSession
from protocol.client_events import Answered, ClientEvent, Disconnected, PutOff, Reconnected
from protocol.codec import codec_for
from protocol.features import MOVED
from protocol.node_connection import NodeConnection
from protocol.same_server import leads_on
from protocol.to_client import Ok, ToClient, Welcome
from protocol.to_server import Act, Hello, Join, Ping, ToServer, Watch
from protocol.version import MSGPACK
from tests.counts import count
from tests.protocol.model_nodes import ENTRY, NODES, TABLES, Link, ModelNodes
from tests.protocol.model_server import ModelServer

CODEC = codec_for(MSGPACK)
PICK = st.integers(0, 99)
"""One of those that there are, whichever are."""


class SeveralNodes(RuleBasedStateMachine):
    """A state machine: the session has a seat at one table and watches another."""

    @initialize(seated=st.booleans())
    def start(self, seated: bool) -> None:
        self.nodes = ModelNodes()
        self.session = self.new_session()
        self.links: dict[NodeConnection, Link] = {}
        self.acts: dict[str, list[str]] = {table: [] for table in TABLES}
        self.issued: list[int] = []
        self.answered: Counter[int] = Counter()
        self.put_off: list[int] = []
        self.told: list[ClientEvent] = []
        self.said: list[list[ToClient]] = []
        self.ever_broken = False
        self.issue(self.session.command(Join, table=TABLES[0]))
        self.issue(self.session.command(Watch, table=TABLES[1]))
        if seated:
            self.settle()

    def new_session(self) -> ClientSession:
        return ClientSession(url=ENTRY, name="Ann", wanted=[MOVED])

    # What the client does

    def issue(self, command: ToServer) -> None:
        self.issued.append(command.id)
        self.post()

    def post(self) -> None:
        """Send each pending frame on its connection, as a shell does."""
        for at in (self.session.first, *self.session.others):
            assert leads_on(ENTRY, at.url)
            for command in self.session.take_outbox(at):
                assert self.links[at].welcomed, "something is sent before the welcome"
                self.links[at].up.append(CODEC.encode_command(command))
        for at in [at for at in self.links if not self.wants(at)]:
            self.drop(at)

    def wants(self, at: NodeConnection) -> bool:
        return at is self.session.first or at in self.session.others

    @rule(table=st.sampled_from(TABLES))
    def act(self, table: str) -> None:
        self.acts[table].append(f"do {len(self.acts[table])}")
        self.issue(self.session.command(Act, table=table, turn=0, action=self.acts[table][-1]))

    @rule()
    def ping(self) -> None:
        self.issue(self.session.command(Ping))

    @precondition(lambda self: self.put_off)
    @rule()
    def send_put_off_again(self) -> None:
        self.session.again(self.put_off.pop())
        self.post()

    # What the connections do

    @precondition(lambda self: self.missing())
    @rule(which=PICK, node=PICK)
    def dial(self, which: int, node: int) -> None:
        missing = self.missing()
        at = missing[which % len(missing)]
        up = sorted(self.nodes.up)
        to = up[node % len(up)] if at is self.session.first else at.url.split("/")[-2]
        if to not in up:
            self.ever_broken = True
            self.note(self.session.lost("nobody is there", at))
            self.session.unreachable(at)
            return self.post()
        link = self.links[at] = Link(to)
        self.nodes.links.append(link)
        [hello] = self.session.connected(at)
        assert isinstance(hello, Hello)
        assert hello.client == self.session.client
        link.up.append(CODEC.encode_command(hello))
        return None

    def missing(self) -> list[NodeConnection]:
        return [at for at in (self.session.first, *self.session.others) if at not in self.links]

    @precondition(lambda self: self.links)
    @rule(which=PICK)
    def cut(self, which: int) -> None:
        self.ever_broken = True
        self.lose([*self.links][which % len(self.links)])

    def lose(self, at: NodeConnection) -> None:
        self.drop(at)
        self.note(self.session.lost("it broke", at))
        self.post()

    def drop(self, at: NodeConnection) -> None:
        self.nodes.gone(self.links.pop(at))

    @precondition(lambda self: self.links)
    @rule(which=PICK, frames=st.integers(1, 5))
    def server_hears(self, which: int, frames: int) -> None:
        link = [*self.links.values()][which % len(self.links)]
        for _ in range(frames):
            if link.up and link.node in self.nodes.up and not link.ending:
                self.nodes.hear(link, CODEC.decode_command(link.up.popleft()))

    @precondition(lambda self: self.links)
    @rule(which=PICK, frames=st.integers(1, 5))
    def client_hears(self, which: int, frames: int) -> None:
        at = [*self.links][which % len(self.links)]
        for _ in range(frames):
            link = self.links.get(at)
            if link is None:
                return
            if link.down:
                self.hear(at, link, link.down.popleft())
            elif link.ending:
                self.lose(at)

    def hear(self, at: NodeConnection, link: Link, frame: list[ToClient]) -> None:
        self.said.append(frame)
        link.welcomed = link.welcomed or any(isinstance(each, Welcome) for each in frame)
        self.note(self.session.receive(*frame, at=at))
        self.post()

    @precondition(lambda self: self.said and self.links)
    @rule(which=PICK, frame=PICK)
    def an_old_frame_comes_again(self, which: int, frame: int) -> None:
        """Deliver an old frame again, except a welcome, which answers only its own hello."""
        said = [each for each in self.said[frame % len(self.said)] if not isinstance(each, Welcome)]
        at = [*self.links][which % len(self.links)]
        repeated = [each for each in said if getattr(each, "id", None) is not None]
        self.note(self.session.receive(*repeated, at=at))
        self.post()

    def note(self, told: list[ClientEvent]) -> None:
        self.told += told
        for event in told:
            match event:
                case Answered(command, answer):
                    assert isinstance(answer, Ok) or isinstance(command, Ping)
                    self.answered[command.id] += 1
                    assert self.answered[command.id] == 1
                case PutOff(command):
                    self.put_off.append(command.id)

    # What the nodes do

    @rule(table=st.sampled_from(TABLES))
    def somebody_else_acts(self, table: str) -> None:
        self.nodes.happens(table)

    @rule(table=st.sampled_from(TABLES), node=st.sampled_from(NODES))
    def a_table_is_given_away(self, table: str, node: str) -> None:
        if {self.nodes.owners[table], node} <= self.nodes.up:
            self.nodes.give(table, node)

    @precondition(lambda self: len(self.nodes.up) > 1)
    @rule(node=st.sampled_from(NODES))
    def a_node_stops(self, node: str) -> None:
        """Stop a node: it reads nothing more, and what it has sent may still arrive."""
        self.nodes.up.discard(node)

    @rule(node=st.sampled_from(NODES))
    def a_node_begins(self, node: str) -> None:
        """Start a node again, without its earlier connections."""
        if node not in self.nodes.up:
            self.ever_broken = True
            self.nodes.up.add(node)
            for at in [at for at, link in self.links.items() if link.node == node]:
                self.lose(at)

    @rule()
    def the_next_command_is_put_off(self) -> None:
        for model in self.nodes.tables.values():
            model.busy = True

    # How it ends

    def teardown(self) -> None:
        """Check that with stable connections the client has all events and did everything once."""
        if not hasattr(self, "nodes"):
            return
        self.settle()
        # Only the next event can show that the one before it was lost.
        for table in TABLES:
            self.somebody_else_acts(table)
        self.settle()
        for table, model in self.nodes.tables.items():
            assert sorted(model.applied) == sorted(self.acts[table])
            self.check_seen(table, model)
        assert self.answered == Counter(self.issued)
        assert not self.session.take_outbox(self.session.first)
        told = [type(event) for event in self.told]
        assert told.count(Disconnected) == told.count(Reconnected)
        if not self.ever_broken:
            assert Disconnected not in told, "a planned move is told as a lost connection"

        assert len(self.links) == len({link.node for link in self.links.values()})

    def check_seen(self, table: str, model: ModelServer) -> None:
        """Check that the mirror of a table equals the table."""
        assert self.session.tables[table] == model.truth()

    def settle(self) -> None:
        for model in self.nodes.tables.values():
            model.busy = False
        for _ in range(1_000):
            stopped = [at for at, link in self.links.items() if link.node not in self.nodes.up]
            if stopped:
                self.ever_broken = True
                self.lose(stopped[0])
            elif self.session.first not in self.links:
                self.dial(0, 0)
            elif self.talk():
                continue
            elif self.missing():
                self.dial(0, 0)
            elif self.put_off:
                self.send_put_off_again()
            else:
                return
        raise AssertionError("client and server talk without end")

    def talk(self) -> bool:
        """Let the next frame pass on the first connection that has one."""
        for number, link in enumerate(self.links.values()):
            if link.up and not link.ending:
                self.server_hears(number, 1)
                return True
            if link.down or link.ending:
                self.client_hears(number, 1)
                return True
        return False


TestSeveralNodes = SeveralNodes.TestCase
TestSeveralNodes.settings = settings(max_examples=count(100), stateful_step_count=40)
